/**
 * Invisible characters (Unicode Default_Ignorable_Code_Point and annotations): bidirectional
 * controls (which phones put around copied numbers), zero-width characters, and tags (which can
 * contain entire sentences for language models). The group captures those that have a meaning: the
 * tags of a flag (Unicode TS #51).
 */
export const INVISIBLE_PATTERN =
  /(\p{RGI_Emoji_Tag_Sequence})|[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]/gv;

/**
 * Matches variation selectors that have no meaning, because they do not follow an emoji, a keycap
 * digit or a letter of a script that has variants.
 */
export const STRAY_SELECTOR_PATTERN =
  /(?<![[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Inherited}\u180b-\u180d\u180f]])(?!(?<=[0-9#*])\ufe0f\u20e3)[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gv;

/**
 * Matches joiners that have no meaning, because they do not follow an emoji, an Arabic digit, or a
 * letter or vowel mark of a script that joins its letters.
 */
export const STRAY_JOINER_PATTERN =
  /(?<![[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u0660-\u0669\u06f0-\u06f9\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}[\p{sc=Inherited}--[\ufe0f\u064b-\u0655\u0670]]]])[\u180e\u200c\u200d]/gv;
