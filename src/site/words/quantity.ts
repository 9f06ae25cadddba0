/**
 * Returns the form of a noun that agrees with a number: `lead` for 1, `leads` for any other number.
 */
export const pluralize = (count: number | bigint, noun: string, plural = `${noun}s`): string =>
  Number(count) === 1 ? noun : plural;

/** Formats a number with a noun that agrees with it: `1 lead`, `0 leads`, `2 deliveries`. */
export const formatQuantity = (count: number | bigint, noun: string, plural?: string): string =>
  `${count} ${pluralize(count, noun, plural)}`;
