// MathLive writes its markup as text with style attributes, which the page's Content-Security-Policy refuses ('unsafe-inline' would
// allow those of everyone else, too). So the attributes are renamed on their way in, and set through the object model, which is
// allowed, before anything is painted.

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
