import { currentRelease } from '../build/releases.ts';

/** How often the pointer to the current release is read, in ms. */
const LOOK_MS = 500;

/** Calls `take` with each new current release, one after another, until stopped. */
export function watchReleases(
  outDir: string,
  served: string,
  take: (release: string) => Promise<void>,
): { stop: () => void } {
  let last = served;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async () => {
    const current = currentRelease(outDir);
    if (current && current !== last) {
      last = current;
      await take(current);
    }
    if (!stopped) next();
  };
  const next = () => {
    timer = setTimeout(() => void look(), LOOK_MS).unref();
  };
  next();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
