import type { Action } from '../../registry/action.ts';
import { listContactFieldNames } from '../../site/forms/contact-rule.ts';
import { labelOf } from '../../site/words/field-words.ts';
import { receipt } from '../../text/index.ts';

const text = receipt.withheld;

/**
 * Labels for the submitted values that a receipt hides. Leaves out what the person did not enter:
 * known values, and contact details that come from listed fields. `itemField` is shown as the item.
 */
export function listWithheldLabels(
  withheld: readonly string[],
  action: Action | undefined,
  itemField: string | undefined,
): string[] {
  const contactFields = action ? listContactFieldNames(action) : [];
  const isEntered = (name: string): boolean =>
    name === 'contact'
      ? !contactFields.some((field) => withheld.includes(field))
      : name !== itemField && action?.fields[name]?.known === undefined;
  return withheld.filter(isEntered).map((name) => {
    const field = action?.fields[name];
    if (field) return labelOf(name, field);
    return name === 'contact' ? text.contact : text.data;
  });
}
