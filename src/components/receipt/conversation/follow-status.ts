/*
 * Waits for changes to the request while its receipt is visible, and then offers to show them. A
 * receipt that was in the background shows them at once, unless the person has typed something.
 */
const followed = document.querySelector<HTMLElement>('[data-status-url]');
const notice = followed?.querySelector('p');

/** Seconds that the server waits for a change; proxies end longer requests. */
const WAIT_SECONDS = 50;
/** Pause after a failed request to the server, in seconds. */
const RETRY_SECONDS = 60;

let waiting: AbortController | undefined;

/** After the person chooses days, the page’s initial text is what they had typed before. */
const hasEnteredText = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].some(
    ({ type, value, defaultValue }) =>
      value !== defaultValue || (type === 'textarea' && value !== ''),
  );

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

/** Asks for the status; returns seconds to pause before the next request if it has not changed. */
async function readChange(
  { statusUrl, statusEtag }: DOMStringMap,
  wait: number,
  signal: AbortSignal,
): Promise<'changed' | number> {
  try {
    const response = await fetch(`${statusUrl}?wait=${wait}`, {
      headers: { 'if-none-match': statusEtag! },
      signal,
    });
    // 410: the request was erased.
    if (response.ok || response.status === 410) return 'changed';
    const isUnchanged = response.status === 304;
    return Number(response.headers.get('retry-after') ?? (isUnchanged ? 0 : RETRY_SECONDS));
  } catch {
    return RETRY_SECONDS;
  }
}

async function follow(wasHidden: boolean): Promise<void> {
  if (!followed || !notice?.hidden) return;
  const { signal } = (waiting = new AbortController());
  for (let isFirst = true; ; isFirst = false) {
    const change = await readChange(
      followed.dataset,
      isFirst && wasHidden ? 0 : WAIT_SECONDS,
      signal,
    );
    if (signal.aborted) return;
    if (change === 'changed') {
      if (isFirst && wasHidden && !hasEnteredText()) location.reload();
      else notice.hidden = false;
      return;
    }
    await pause(change);
  }
}

document.addEventListener('visibilitychange', () => {
  waiting?.abort();
  if (!document.hidden) void follow(true);
});
if (!document.hidden) void follow(false);
