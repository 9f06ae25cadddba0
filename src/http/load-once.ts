/** Calls `load` once; after a failure, such as a full disk, the next call tries again. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loadPromise: Promise<Loaded> | undefined;
  return () =>
    (loadPromise ??= load().catch((error: unknown) => {
      loadPromise = undefined;
      throw error;
    }));
}
