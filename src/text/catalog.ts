import type * as en from './en/index.ts';

type Translation<Texts> = Texts extends string
  ? string
  : { readonly [Key in keyof Texts]: Translation<Texts[Key]> };

/** The text of a language: the same members as English, each with the same placeholders. */
export type Catalog = Translation<typeof en>;
