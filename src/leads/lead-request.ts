import * as v from 'valibot';
import { kindOf } from '../fields/fields.ts';
import { labelOf } from '../site/field-words.ts';
import { actionOf, type Registry } from '../site/registry.ts';
import type { LeadLog } from './lead-log.ts';

const request = v.strictObject({
  title: v.string(),
  fields: v.array(
    v.strictObject({
      name: v.string(),
      label: v.string(),
      value: v.union([v.string(), v.number()]),
    }),
  ),
  withheld: v.pipe(
    v.array(v.string()),
    v.description(
      'Names of what was sent as well and is not shown, because whoever has this address could learn from it who asks or where: free text, a ZIP code, a contact. The provider has it.',
    ),
  ),
});

/** What a lead asks for, as its status and a sandbox receipt show it. */
export const requestSchema = v.pipe(
  request,
  v.description(
    'What was asked: the title, the fields that are choices, numbers and dates, and the names of what is withheld. Never a contact, a ZIP code or free text.',
  ),
);

export type LeadRequest = v.InferOutput<typeof requestSchema>;

/** What a lead asks for, without anything about the person. */
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
    kindOf(field).isImpersonal && Object.hasOwn(fields, name)
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
