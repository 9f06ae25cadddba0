import * as v from 'valibot';
import { formatFieldValue, isNeverPersonal } from '../../fields/fields.ts';
import { labelOf } from '../../site/words/field-words.ts';
import { actionOf, type Registry } from '../../site/registry.ts';
import { QUESTION_FIELD } from '../../site/forms/contact-rule.ts';
import type { RequestedItem } from '../../site/forms/requested-item.ts';
import type { Site } from '../../site/site.ts';
import { humanizeName } from '../../site/words/words.ts';
import { shownTerms } from '../../text/index.ts';
import type { LeadLog } from '../lead-log.ts';
import { withDescription } from '../../operation/validate.ts';

const plainRequestSchema = v.strictObject({
  title: v.string(),
  fields: v.array(
    v.strictObject({
      name: v.string(),
      label: v.string(),
      value: v.union([v.string(), v.number()]),
    }),
  ),
  withheld: withDescription(
    v.array(v.string()),
    'Names of withheld values that could identify or locate the person: free text, a ZIP code, a contact. The provider gets them.',
  ),
});

/** Content of a lead, as shown in its status and a sandbox receipt. */
export const requestSchema = withDescription(
  plainRequestSchema,
  'What was requested: the title, choices, numbers, dates, and the names of withheld values. Never a contact, a ZIP code or free text.',
);

export type LeadRequest = v.InferOutput<typeof requestSchema>;

/** Content of a lead without personal data. */
export function requestOf(
  registry: Registry,
  {
    subsite,
    action,
    fields,
    hasContact,
    hasData,
  }: Pick<LeadLog, 'subsite' | 'action' | 'fields' | 'hasContact' | 'hasData'>,
): LeadRequest {
  const record = actionOf(registry, { subsite, action });
  const shown = Object.entries(record?.fields ?? {}).flatMap(([name, field]) =>
    Object.hasOwn(fields, name) && isNeverPersonal(field, fields[name])
      ? [{ name, label: labelOf(name, field), value: fields[name]! }]
      : [],
  );
  const others = Object.keys(fields).filter((name) => !shown.some((field) => field.name === name));
  return {
    title: record?.title ?? 'Contact request',
    fields: shown,
    withheld: [...others.sort(), ...(hasContact ? ['contact'] : []), ...(hasData ? ['data'] : [])],
  };
}

/** A label and an entered value, for display. */
export type EnteredValue = readonly [label: string, value: string];

const listDataValues = (
  data: Readonly<Record<string, unknown>> | null,
  isListed: (name: string) => boolean,
): EnteredValue[] =>
  Object.entries(data ?? {})
    .filter(([name]) => isListed(name))
    .map(([name, value]) => [humanizeName(name), formatFieldValue(value, undefined)]);

/**
 * Free-form data of a lead without an action, for the provider. The sender also chose the names.
 */
export const listFreeValues = (data: Readonly<Record<string, unknown>> | null): EnteredValue[] =>
  listDataValues(data, (name) => name !== QUESTION_FIELD);

/**
 * The fields of a request, for the provider, and the question of a contact form. The requested
 * `item` includes its price and page URL, and a missing street address is listed. Values that forms
 * fill in automatically are omitted.
 */
export function listEnteredValues(
  { registry, base }: Pick<Site, 'registry' | 'base'>,
  {
    fields,
    data,
    contact,
    ...lead
  }: Pick<LeadLog, 'subsite' | 'action' | 'fields'> & {
    data: Readonly<Record<string, unknown>> | null;
    /** Omit values that are already shown as the contact. */
    contact?: Readonly<Record<'name' | 'email' | 'phone', string | null>> | undefined;
  },
  { item, lacksAddress }: { item?: RequestedItem | undefined; lacksAddress?: boolean | undefined },
): EnteredValue[] {
  const action = actionOf(registry, lead);
  const itemDescription =
    item && [item.title, item.price, item.path && `${base}${item.path}`].filter(Boolean).join(', ');
  const shown = new Set<unknown>(Object.values(contact ?? {}));
  return [
    ...Object.entries(fields)
      .filter(([name, value]) => !shown.has(value) && action?.fields[name]?.known !== value)
      .map(([name, value]): EnteredValue => {
        const field = action?.fields[name];
        return [
          field ? labelOf(name, field) : humanizeName(name),
          item?.field === name ? itemDescription! : formatFieldValue(value, field),
        ];
      }),
    ...(lacksAddress ? [[shownTerms.streetAddress, shownTerms.noStreetAddress] as const] : []),
    ...listDataValues(data, (name) => name === QUESTION_FIELD),
  ];
}
