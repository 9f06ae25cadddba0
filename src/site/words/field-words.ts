import { capitalize } from './words.ts';

const spellings: Readonly<Record<string, string>> = {
  zip: 'ZIP',
  id: 'ID',
  asap: 'as soon as possible',
  lbs: 'in pounds',
  mls: 'MLS',
  rv: 'RV',
  dropoff: 'drop-off',
  dont: 'don’t',
};

const words = (name: string) =>
  name
    .replaceAll(
      /([a-z])([A-Z])/g,
      (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
    )
    .split(/[_\s]|(?<=[a-z])-(?=[a-z])/)
    .map((word) => (Object.hasOwn(spellings, word) ? (spellings[word] ?? word) : word));

/** The label of a field: the label in its definition or, if there is none, its name in words. */
export const labelOf = (name: string, field: { label?: string | undefined }): string =>
  field.label ?? capitalize(words(name).join(' '));

/** Formats a label for use within a sentence, such as “pickup date”. */
export const labelWithinSentence = (label: string): string =>
  label.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());

/** True for a short label such as “Your name”, which needs no article within a sentence. */
export const startsWithYour = (label: string): boolean => /^Your [^,.;?]{1,40}$/.test(label);

/** Formats a label to precede its value: with a colon unless the label is a question. */
export const labelBeforeValue = (label: string): string =>
  label.endsWith('?') ? label : `${label}:`;

/**
 * Formats an enum value or code for people: `1_3_months` as “1 to 3 months”, `6x12` as “6 × 12”.
 */
export function humanizeOption(value: string): string {
  const spacedValue = value
    .replaceAll(/(\d[a-z]?)_(\d)/g, '$1 to $2')
    .replaceAll(/(\d)x(\d)/g, '$1 × $2')
    .replaceAll(/\b(\d)br\b/g, '$1 bedrooms');
  return capitalize(words(spacedValue).join(' ')).replace('1 bedrooms', '1 bedroom');
}
