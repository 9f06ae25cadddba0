/*
 * Keeps the text that a person sends with a form in the browser tab until it is closed. The form to
 * send a request again and the receipt show it; the URL and document of a receipt contain no
 * personal text.
 */

/** Text that a person sent to an endpoint with a form, by input name. */
type SentValues = Readonly<Record<string, string | undefined>>;

const formKeyOf = (endpoint: string): string => `sent ${endpoint}`;
const receiptKeyOf = (path: string): string => `sent for ${path}`;

/** Runs a storage operation; undefined if storage is full or turned off. */
function tryStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

const read = (key: string): SentValues =>
  JSON.parse(tryStorage((storage) => storage.getItem(key)) ?? '{}') as SentValues;

/** Keeps the values that a form sends. */
export const saveValues = (endpoint: string, values: SentValues): void =>
  tryStorage((storage) => storage.setItem(formKeyOf(endpoint), JSON.stringify(values)));

/** The values that a form sent last; empty if there are none. */
export const readSavedValues = (endpoint: string): SentValues => read(formKeyOf(endpoint));

/** True if a form on another page redirected here, such as an accepted form to its receipt. */
function isArrivalFromForm(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return (
    navigation?.type === 'navigate' &&
    navigation.redirectCount > 0 &&
    document.referrer.startsWith(`${location.origin}/`) &&
    new URL(document.referrer).pathname !== location.pathname
  );
}

const RESENT_KEY = 'resent';

/** Marks that the form being sent has already been sent before, for the receipt that follows. */
export const markAsResent = (): void => tryStorage((storage) => storage.setItem(RESENT_KEY, 'yes'));

/**
 * Whether the form that led to this page had already been sent before. Clears the mark, so that
 * only the first call returns true.
 */
export function consumeResentMark(): boolean {
  const isResent = tryStorage((storage) => storage.getItem(RESENT_KEY)) != null;
  tryStorage((storage) => storage.removeItem(RESENT_KEY));
  return isResent && isArrivalFromForm();
}

/**
 * The values of the request whose receipt has this URL, if this tab sent it. They are stored under
 * the receipt’s path as soon as it opens, so that another request does not change them.
 */
export function readReceiptValues(endpoint: string): SentValues {
  const key = receiptKeyOf(location.pathname);
  if (isArrivalFromForm())
    tryStorage((storage) => storage.setItem(key, storage.getItem(formKeyOf(endpoint)) ?? '{}'));
  return read(key);
}

/** Deletes everything that forms in this tab sent. */
export const deleteSavedValues = (): void => tryStorage((storage) => storage.clear());
