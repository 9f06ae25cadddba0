import type * as en from './en/index.ts';

type Translation<Texts> = Texts extends string
  ? string
  : { readonly [Key in keyof Texts]: Translation<Texts[Key]> };

/** The texts of a language: those of English, each with the same placeholders. */
export type Catalog = Translation<typeof en>;
