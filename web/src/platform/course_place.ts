// The set that the page was packed with for a learning platform (scorm_package.ts), if it was.

export function packedSet(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name="conpole-set"]')?.content ?? null;
}
