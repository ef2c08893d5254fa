// MathLive, set up for this page: fonts from our own style sheet, no sounds, no context menu, and no inline styles.

import {convertAsciiMathToLatex, convertLatexToAsciiMath, MathfieldElement, type VirtualKeyboardLayout} from 'mathlive';
import {keepStyled, withoutStyles} from './inline_styles';

/** The keys on screens without a keyboard: what school algebra is written with. */
const schoolKeys: VirtualKeyboardLayout = {
  label: '123',
  rows: [
    ['x', '#@^{2}', '[7]', '[8]', '[9]', '\\frac{#@}{#?}', {label: '[backspace]', width: 1}],
    ['(', ')', '[4]', '[5]', '[6]', '\\cdot', {latex: '\\text{ or }', label: 'or'}],
    ['y', '\\sqrt{#0}', '[1]', '[2]', '[3]', '[-]', '\\ne'],
    ['[left]', '[right]', '[0]', '[.]', '[=]', '[+]', {label: '[return]', width: 1}],
  ],
};

let isSetUp = false;

export function newMathField(): MathfieldElement {
  if (!isSetUp) {
    MathfieldElement.fontsDirectory = null;
    MathfieldElement.soundsDirectory = null;
    MathfieldElement.createHTML = withoutStyles;
    keepStyled(document);
    window.mathVirtualKeyboard.layouts = [schoolKeys, 'alphabetic'];
    window.mathVirtualKeyboard.editToolbar = 'none';
    // The page can be scrolled past the keyboard on the screen.
    window.mathVirtualKeyboard.addEventListener('geometrychange', () => {
      document.body.style.paddingBottom = `${window.mathVirtualKeyboard.boundingRect.height}px`;
    });
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
