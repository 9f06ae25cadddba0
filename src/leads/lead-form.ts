import type { Action } from '../registry/action.ts';
import { type Field, readValue } from '../fields/fields.ts';
import { offeringsFromForm } from './offerings-from-form.ts';
import type { FormTexts } from '../operation/operation.ts';

/**
 * Converts a form’s text for a field to its value; unreadable text is kept for the check to refuse.
 */
function valueOf(field: Field | undefined, value: string | FormTexts): unknown {
  if (typeof value === 'object')
    return field?.content?.kind === 'offerings' ? offeringsFromForm(value) : value;
  return field ? readValue(field, value) : value;
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  '1': true,
  false: false,
  '0': false,
};

/** Converts a lead form to its JSON body. `member` is where the action’s fields are in the body. */
export function readLeadForm(
  texts: FormTexts,
  member: 'fields' | 'data',
  action: Action | undefined,
): Record<string, unknown> {
  const { sandbox, [member]: inner, ...rest } = texts;
  const values =
    typeof inner === 'object'
      ? Object.fromEntries(
          Object.entries(inner)
            .map(([name, value]) => [name, valueOf(action?.fields[name], value)] as const)
            .filter(([, value]) => value !== undefined),
        )
      : inner;
  return {
    ...rest,
    ...(values !== undefined && { [member]: values }),
    ...(sandbox !== undefined && {
      sandbox: typeof sandbox === 'string' ? (flags[sandbox] ?? sandbox) : sandbox,
    }),
  };
}
