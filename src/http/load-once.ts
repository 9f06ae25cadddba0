/**
 * `load`, which runs at the first call; later calls get the same answer. When it fails, the next
 * call tries again: one failure, as of a full disk, must not last until the next start.
 */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
}
