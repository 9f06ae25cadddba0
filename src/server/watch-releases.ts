import { findCurrentRelease } from '../build/releases.ts';

/** Interval at which the pointer to the current release is read, in ms. */
const POLL_MS = 500;

/** Calls `onRelease` with each new current release, one after another, until stopped. */
export function watchReleases(
  outDir: string,
  servedRelease: string,
  onRelease: (release: string) => Promise<void>,
): { stop: () => void } {
  let lastRelease = servedRelease;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const poll = async () => {
    const current = findCurrentRelease(outDir);
    if (current && current !== lastRelease) {
      lastRelease = current;
      await onRelease(current);
    }
    if (!isStopped) scheduleNext();
  };
  const scheduleNext = () => {
    timer = setTimeout(() => void poll(), POLL_MS).unref();
  };
  scheduleNext();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
