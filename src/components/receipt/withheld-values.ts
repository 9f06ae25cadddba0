import type { Action } from '../../registry/schemas/action.ts';
import { type Field, isSubsiteField } from '../../fields/fields.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';
import { listContactFieldNames, QUESTION_FIELD } from '../../site/forms/contact-rule.ts';
import { labelOf } from '../../site/words/field-words.ts';
import { receipt } from '../../text/index.ts';
import { createFormNames } from '../forms/names.ts';

const text = receipt.withheld;

/** A submitted value that a receipt hides. */
interface WithheldValue {
  label: string;
  /** Names of its inputs or rows in the form, separated by spaces; absent without a form. */
  inputs: string | undefined;
}

/** Names of the inputs of a field, separated by spaces: a list of offerings has one for each row. */
const listInputs = (input: string, { content }: Field): string =>
  content?.kind === 'offerings'
    ? Array.from({ length: content.max }, (_, row) => `${input}.${row}`).join(' ')
    : input;

/** True for a value that the person did not enter, or for a service, which is not private. */
const isOmitted = (field: Field): boolean => field.known !== undefined || isSubsiteField(field);

/**
 * The submitted values that a receipt hides. Omits services, and what the person did not enter:
 * known values, and contact details that come from listed fields. `itemField` is shown as the item.
 */
export function listWithheldValues(
  withheld: readonly string[],
  subsite: Subsite | undefined,
  action: Action | undefined,
  itemField: string | undefined,
): WithheldValue[] {
  const names = subsite && createFormNames(subsite, action);
  const contactFields = action ? listContactFieldNames(action) : [];
  const isEntered = (name: string): boolean =>
    name === 'contact'
      ? !contactFields.some((field) => withheld.includes(field))
      : name !== itemField && !(action?.fields[name] && isOmitted(action.fields[name]));
  return withheld.filter(isEntered).map((name) => {
    const field = action?.fields[name];
    if (field)
      return { label: labelOf(name, field), inputs: names && listInputs(names.field(name), field) };
    return name === 'contact'
      ? { label: text.contact, inputs: names && Object.values(names.contact).join(' ') }
      : { label: text.data, inputs: names?.field(QUESTION_FIELD) };
  });
}
