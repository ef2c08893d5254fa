// MathML from the engine, rebuilt element by element: what is not listed here does not reach the page, whatever the text says.

import {h, type VNode} from 'preact';

const elements = new Set([
  'math', 'mrow', 'mi', 'mn', 'mo', 'mtext', 'mspace', 'mfrac', 'msup', 'msub', 'msubsup', 'msqrt', 'mroot', 'mstyle', 'mpadded',
  'mphantom', 'mover', 'munder', 'munderover', 'mtable', 'mtr', 'mtd',
]); // prettier-ignore

const attributes = new Set([
  'class', 'display', 'dir', 'fence', 'form', 'linethickness', 'lspace', 'rspace', 'mathvariant', 'separator', 'stretchy', 'symmetric',
  'minsize', 'maxsize', 'width', 'height', 'depth', 'columnalign',
]); // prettier-ignore

const deepest = 400;

/** The `<math>` element that a text describes, for display only; null if it is none, or has anything that does not belong in one. */
export function readMathml(text: string): VNode | null {
  const body = new DOMParser().parseFromString(text, 'text/html').body;
  const root = body.firstElementChild;
  if (root === null || body.childNodes.length !== 1 || root.localName !== 'math') return null;
  return rebuilt(root, 0);
}

function rebuilt(element: Element, depth: number): VNode | null {
  if (depth > deepest || element.namespaceURI !== 'http://www.w3.org/1998/Math/MathML' || !elements.has(element.localName)) return null;
  const properties: Record<string, string> = {};
  for (const {name, value} of element.attributes) {
    if (name === 'xmlns') continue;
    if (!attributes.has(name) || value.length > 60) return null;
    properties[name] = value;
  }
  const children: (VNode | string)[] = [];
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      children.push(node.nodeValue ?? '');
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const child = rebuilt(node as Element, depth + 1);
      if (child === null) return null;
      children.push(child);
    } else {
      return null;
    }
  }
  if (depth === 0) properties['aria-hidden'] = 'true';
  return h(element.localName, properties, ...children);
}
