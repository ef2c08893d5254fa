// MathLive, set up for this page: fonts from our own style sheet, no sounds, no context menu, and no inline styles.
//
// MathLive writes its markup as text with style attributes, which the page's Content-Security-Policy refuses ('unsafe-inline' would
// allow those of everyone else, too). So the attributes are renamed on their way in, and set through the object model, which is
// allowed, before anything is painted.

import {convertAsciiMathToLatex, convertLatexToAsciiMath, MathfieldElement} from 'mathlive';

const renamed = 'data-mathlive-style';

function applyStyles(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>(`[${renamed}]`)) {
    element.style.cssText = element.getAttribute(renamed) ?? '';
    element.removeAttribute(renamed);
  }
}

/** Markup with its style attributes renamed. MathLive itself takes "hidden" back before it would be applied, so it is left out. */
export function withoutStyles(html: string): string {
  return html.replaceAll(/ style=(["'])visibility:hidden\1/g, '').replaceAll(/ style=(?=["'])/g, ` ${renamed}=`);
}

/** Applies the renamed styles of all that is added below `root`, at the end of the task that adds it. */
export function keepStyled(root: Document | ShadowRoot): void {
  applyStyles(root);
  new MutationObserver(() => applyStyles(root)).observe(root, {childList: true, subtree: true});
}

let isSetUp = false;

export function newMathField(): MathfieldElement {
  if (!isSetUp) {
    MathfieldElement.fontsDirectory = null;
    MathfieldElement.soundsDirectory = null;
    MathfieldElement.createHTML = withoutStyles;
    keepStyled(document);
    isSetUp = true;
  }
  const field = new MathfieldElement();
  if (field.shadowRoot !== null) keepStyled(field.shadowRoot);
  return field;
}

export function latexOfText(text: string): string {
  return convertAsciiMathToLatex(text);
}

export function textOfLatex(latex: string): string {
  return convertLatexToAsciiMath(latex);
}

export type {MathfieldElement};
