import { locale } from '../language.ts';

/**
 * The names of the placeholders in a sentence, such as `provider` and `deadline` in `{provider}
 * answers by {deadline}.`.
 */
export type Placeholders<Sentence extends string> =
  Sentence extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** A value for each placeholder of a sentence. */
export type PlaceholderValues<Sentence extends string> = Readonly<
  Record<Placeholders<Sentence>, string | number>
>;

const PLACEHOLDER_PATTERN = /\{(\w+)\}/;

/** Splits a sentence into text and placeholder names, in order. Names are at odd indexes. */
export const partsOf = (sentence: string): string[] => sentence.split(PLACEHOLDER_PATTERN);

/** Fills in the placeholders of a sentence from the catalog. Braces in values are not replaced. */
export const fill = <const Sentence extends string>(
  sentence: Sentence,
  values: PlaceholderValues<Sentence>,
): string =>
  partsOf(sentence)
    .map((part, index) => (index % 2 ? String(values[part as Placeholders<Sentence>]) : part))
    .join('');

/** A singular and a plural sentence; `{count}` is the number. */
export interface PluralForms {
  one: string;
  other: string;
}

const rules = new Intl.PluralRules(locale);

/** The singular or plural sentence for a number, with the number filled in. */
export const fillPlural = ({ one, other }: PluralForms, count: number): string =>
  fill(rules.select(count) === 'one' ? one : other, { count: count.toLocaleString(locale) });
