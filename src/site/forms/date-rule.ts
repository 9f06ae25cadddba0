/** Form error for a date range that ends before it starts; `label` is the label of the start. */
export const createEndBeforeStartMessage = (label: string): string =>
  `Choose the same day as “${label}” or a later day.`;
