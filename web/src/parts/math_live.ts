// MathLive, set up for this page: fonts from our own style sheet, no sounds, no context menu, and no inline styles.

import {convertAsciiMathToLatex, convertLatexToAsciiMath, MathfieldElement} from 'mathlive';
import {keepStyled, withoutStyles} from './inline_styles';

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
