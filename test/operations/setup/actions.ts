import type { Action } from '../../../src/registry/schemas/action.ts';
import { type Field, exampleValuesOf } from '../../../src/fields/fields.ts';
import type { Registry } from '../../../src/site/registry.ts';
import type { Site } from '../../../src/site/site.ts';
import type { Subsite } from '../../../src/registry/schemas/subsite.ts';
import { listSiteActions } from '../../../src/leads/submit/submit-action.ts';

/** Fields with one invalid value, and the pointer that the error must have. */
export interface Fault {
  description: string;
  /** Fields of the action with one fault. */
  fields: Record<string, unknown>;
  /** Pointer relative to the fields, for example `/zip`. */
  pointer: string;
  /** Whether an HTML form can send it: empty inputs are omitted, and every value is text. */
  canFormSend: boolean;
}

/** Values that each field type rejects; `canFormSend` if a form can send them. */
function listInvalidValues(
  field: Field,
): { description: string; value: unknown; canFormSend: boolean }[] {
  const invalidValues: { description: string; value: unknown; canFormSend: boolean }[] = [
    { description: 'null', value: null, canFormSend: false },
    {
      description: 'an object',
      value: { inner: 'x' },
      canFormSend: field.content?.kind !== 'offerings',
    },
    { description: 'a list', value: ['x'], canFormSend: false },
    { description: 'true', value: true, canFormSend: false },
  ];
  const add = (description: string, value: unknown, canFormSend = true) =>
    invalidValues.push({ description, value, canFormSend });
  if (field.type !== 'number') add('a number', 12, false);
  switch (field.type) {
    case 'string':
      add('text that is too long', 'x'.repeat(4001));
      if (field.required) add('white space', ' \n\t', false);
      if (field.content?.kind === 'name') add('a name without a letter or digit', '!!! ☺');
      if (field.content?.kind === 'subsite') add('no subsite', 'no-such-subsite');
      if (field.content?.kind === 'codes')
        add('an unknown code', `${field.content.codes[0]},nothing`);
      if (field.content?.kind === 'offerings') {
        const offering = { name: 'A', desc: 'B', priceCents: 100, kind: 'one_time' };
        add('no JSON', '[{');
        add('no list', JSON.stringify(offering));
        add('an empty list', '[]');
        add(
          'one offering too many',
          JSON.stringify(Array.from({ length: field.content.max + 1 }, () => offering)),
        );
        for (const [part, value] of Object.entries({
          name: '',
          desc: 5,
          priceCents: 0.5,
          kind: 'yearly',
          more: 'x',
        }))
          add(`an offering with a wrong ${part}`, JSON.stringify([{ ...offering, [part]: value }]));
      }
      break;
    case 'enum':
      add('none of the values', 'none of them');
      add('a value in uppercase', `${field.enum![0]!}X`.toUpperCase());
      break;
    case 'number':
      add('text', 'five');
      add('digits as text', '5', false);
      add('a number beyond the range of a double', Infinity, false);
      if (field.integer) add('a fraction', 1.5);
      if (field.minimum !== undefined) add('too little', field.minimum - 1);
      if (field.maximum !== undefined) add('too much', field.maximum + 1);
      break;
    case 'date':
      for (const value of [
        '2027-02-29',
        '2027-13-01',
        '2027-3-1',
        '03/01/2027',
        '2027-03-01T00:00:00Z',
        'soon',
      ])
        add(`the day ${value}`, value);
      break;
    case 'zip':
      for (const value of ['3370', '337011', '33701-12', 'ABCDE', '33701 1234'])
        add(`the ZIP ${value}`, value);
      break;
    case 'phone':
      for (const value of ['12', '727-555', 'call me', '(111) 111-1111', '+999 555 0142 000'])
        add(`the number ${value}`, value);
      break;
    case 'email':
      for (const value of [
        'dana',
        'dana@',
        '@example.com',
        'dana@example',
        'a b@example.com',
        'a..b@example.com',
        'dana@example.com, lee@example.com',
      ])
        add(`the address ${value}`, value);
      break;
    default:
      field.type satisfies never;
  }
  return invalidValues;
}

/** All variants of an action’s example fields with exactly one fault. */
export function listSingleFieldFaults(action: Action): Fault[] {
  const valid = exampleValuesOf(action.fields);
  const faults: Fault[] = [
    {
      description: 'an unknown field',
      fields: { ...valid, unknown_name: 'x' },
      pointer: '/unknown_name',
      canFormSend: true,
    },
  ];
  for (const [name, field] of Object.entries(action.fields)) {
    if (field.required) {
      const { [name]: _, ...rest } = valid;
      faults.push({
        description: `${name} missing`,
        fields: rest,
        pointer: `/${name}`,
        canFormSend: true,
      });
    }
    for (const { description, value, canFormSend } of listInvalidValues(field))
      faults.push({
        description: `${name}: ${description}`,
        fields: { ...valid, [name]: value },
        pointer: `/${name}`,
        canFormSend,
      });
    if (field.notBefore)
      faults.push({
        description: `${name} before ${field.notBefore}`,
        fields: { ...valid, [field.notBefore]: '2027-05-02', [name]: '2027-05-01' },
        pointer: `/${name}`,
        canFormSend: true,
      });
  }
  return faults;
}

/** All actions of a site with their subsites and labels. */
export const listActions = (site: Site): { label: string; subsite: Subsite; action: Action }[] =>
  listSiteActions(site.registry).map(({ subsite, action }) => ({
    label: `${subsite.name}.${action.verb}`,
    subsite,
    action,
  }));

/**
 * Values for which people should call, `emergency` or `today`, with the actions that offer them.
 */
const listChoices = ({ subsites }: Registry, kind: 'emergency' | 'today') =>
  subsites.flatMap(({ name: subsite, actions }) =>
    actions.flatMap(({ verb, fields }) =>
      Object.entries(fields).flatMap(([field, { [kind]: value }]) =>
        value === undefined ? [] : [{ subsite, verb, field, value, kind }],
      ),
    ),
  );

/** Values that indicate an emergency, with the actions that offer them. */
export const listEmergencyChoices = (registry: Registry) => listChoices(registry, 'emergency');

/**
 * Values that indicate an emergency or the day of the request, with the actions that offer them.
 */
export const listUrgentChoices = (registry: Registry) => [
  ...listEmergencyChoices(registry),
  ...listChoices(registry, 'today'),
];

/**
 * The first action with a choice that marks an emergency: its field, that choice and another
 * choice.
 */
export function findEmergency(site: Site) {
  const [urgent] = listEmergencyChoices(site.registry);
  if (!urgent) throw new Error('No action in this network has an emergency choice.');
  const { field: name, value: emergency } = urgent;
  const verb = listActions(site).find(
    ({ subsite, action }) => subsite.name === urgent.subsite && action.verb === urgent.verb,
  )!;
  const other = verb.action.fields[name]!.enum!.find((choice) => choice !== emergency)!;
  return { verb, name, emergency, other };
}
