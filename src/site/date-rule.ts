/** What a form says where a range of days ends before it begins. */
export const NOT_BEFORE_START = 'Choose the same day as the start, or a later one.';
