/** Form error for a date range that ends before its start, which has this label. */
export const notBeforeStart = (label: string): string =>
  `Choose the same day as “${label}”, or a later one.`;
