/*
 * The text that a person sends with a form, kept by the browser tab until it is closed: for the form
 * to send a request again, and for the receipt, whose address and document contain no personal text.
 */

/** Text that a person sent, by input name. */
type SentValues = Readonly<Record<string, string | undefined>>;

const valuesKeyOf = (formId: string): string => `sent ${formId}`;
const receiptKeyOf = (formId: string): string => `receipt of ${formId}`;

/** Runs a storage operation; undefined if storage is full or turned off. */
function tryStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}

/** Keeps the values that a form sends. */
export function keepValues(formId: string, values: SentValues): void {
  tryStorage((storage) => {
    storage.setItem(valuesKeyOf(formId), JSON.stringify(values));
    storage.removeItem(receiptKeyOf(formId));
  });
}

/** The values that a form sent last; empty if there are none. */
export const readKeptValues = (formId: string): SentValues =>
  JSON.parse(tryStorage((storage) => storage.getItem(valuesKeyOf(formId))) ?? '{}') as SentValues;

/**
 * The values of the request with a receipt, which is the first receipt that the tab opens after it
 * sent the form; empty for other receipts.
 */
export function readReceiptValues(formId: string, receiptPath: string): SentValues {
  const key = receiptKeyOf(formId);
  const path = tryStorage((storage) => {
    if (storage.getItem(key) === null) storage.setItem(key, receiptPath);
    return storage.getItem(key);
  });
  return path === receiptPath ? readKeptValues(formId) : {};
}
