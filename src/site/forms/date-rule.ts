/** Form error for a date range that ends before it starts. */
export const NOT_BEFORE_START = 'Choose the same day as the start, or a later one.';
