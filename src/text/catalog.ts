import type * as en from './en/index.ts';

type Translation<Texts> = Texts extends string
  ? string
  : { readonly [Key in keyof Texts]: Translation<Texts[Key]> };

/** The text in one language: the same members as in English, each with the same placeholders. */
export type Catalog = Translation<typeof en>;
