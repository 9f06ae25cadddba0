/** The `include` values: `{path}.{value}` is what `{path}?include={value}` returns. */
export function listIncludes(documentPaths: readonly string[]): { path: string; value: string }[] {
  const documents = new Set(documentPaths);
  return documentPaths.flatMap((document) => {
    const dot = document.lastIndexOf('.');
    const path = document.slice(0, dot);
    return dot > 0 && documents.has(path) ? [{ path, value: document.slice(dot + 1) }] : [];
  });
}
