/** Number of characters in a receipt token, all of them letters, digits, `-` or `_`. */
export const RECEIPT_TOKEN_LENGTH = 21;

/**
 * The characters of a reference: digits and uppercase letters, because letter case cannot be heard
 * on the phone, without those that are easily confused.
 */
export const REFERENCE_ALPHABET = '346789ABCDEFGHJKLMNPQRTUVWXY';
export const REFERENCE_LENGTH = 16;
/** Number of characters between the hyphens of a reference. */
export const REFERENCE_GROUP_LENGTH = 4;
