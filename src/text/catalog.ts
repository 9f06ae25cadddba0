import type * as en from './en/index.ts';

type Translation<Texts> = Texts extends string
  ? string
  : { readonly [Key in keyof Texts]: Translation<Texts[Key]> };

/** All texts in one language, with the keys and placeholders of the English catalog. */
export type Catalog = Translation<typeof en>;
