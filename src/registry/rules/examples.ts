import { z } from 'zod';
import {
  EMAIL_PATTERN,
  type Field,
  type Fields,
  PHONE_PATTERN,
  ZIP_PATTERN,
} from '../../fields/fields.ts';
import { calendarDate } from '../text.ts';
import type { Rule } from './rule.ts';

function numberProblem({ minimum, maximum, integer }: Field, example: string): string | undefined {
  const value = example.trim() ? Number(example) : NaN;
  if (!Number.isFinite(value)) return 'is not a number. Write digits as text, for example "3".';
  if (integer && !Number.isInteger(value)) return 'is not a whole number. Write one.';
  if (minimum !== undefined && value < minimum)
    return `is less than the minimum. Write at least ${minimum}.`;
  return maximum !== undefined && value > maximum
    ? `is more than the maximum. Write at most ${maximum}.`
    : undefined;
}

/** An offering, as a storefront takes it. */
const offering = z.strictObject({
  name: z.string().min(1),
  desc: z.string(),
  priceCents: z.int().min(0).nullable(),
  kind: z.enum(['one_time', 'monthly']),
});

function contentProblem(
  content: NonNullable<Field['content']>,
  example: string,
  subsites: ReadonlySet<string>,
): string | undefined {
  switch (content.kind) {
    case 'subsite':
      return subsites.has(example)
        ? undefined
        : 'is the name of no subsite. Write the name of one.';
    case 'codes':
      return example.split(',').every((code) => content.codes.includes(code.trim()))
        ? undefined
        : `has a code that the field does not take. Write some of ${content.codes.join(', ')}, with commas between.`;
    case 'offerings': {
      const form = z.array(offering).min(1).max(content.max);
      const value = parsed(example);
      return form.safeParse(value).success
        ? undefined
        : `is not a list of 1 to ${content.max} offerings. Write JSON, for example [{"name":"Mowing","desc":"Front lawn","priceCents":4500,"kind":"one_time"}].`;
    }
    default:
      return content satisfies never;
  }
}

/** The value of JSON text; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function exampleProblem(
  field: Field,
  example: string,
  subsites: ReadonlySet<string>,
): string | undefined {
  const fits = (pattern: string) => new RegExp(pattern, 'u').test(example);
  switch (field.type) {
    case 'string':
      return field.content && contentProblem(field.content, example, subsites);
    case 'enum':
      return field.enum!.includes(example)
        ? undefined
        : `is none of ${field.enum!.join(', ')}. Choose one of them.`;
    case 'number':
      return numberProblem(field, example);
    case 'date':
      return calendarDate.safeParse(example).success
        ? undefined
        : 'is not a calendar date. Write YYYY-MM-DD.';
    case 'zip':
      return fits(ZIP_PATTERN)
        ? undefined
        : 'is not a ZIP code. Write five digits, or ZIP+4, in quotes.';
    case 'phone':
      return fits(PHONE_PATTERN)
        ? undefined
        : 'is not a telephone number. Write for example (727) 555-0142.';
    case 'email':
      return fits(EMAIL_PATTERN)
        ? undefined
        : 'is not a mail address. Write for example dana@example.com.';
    default:
      return field.type satisfies never;
  }
}

const DAY_MS = 86_400_000;

/** Examples teach agents; a wrong one teaches a refused request. */
export const exampleRules: Rule[] = [
  {
    name: 'valid-example',
    description:
      'Each required field has an example, and each example and known value is a valid value of its field.',
    *check({ subsites }, unread) {
      const names = new Set(subsites.map(({ name }) => name));
      for (const { name, actions } of subsites)
        for (const [index, action] of actions.entries()) {
          const sets = [
            ['fields', action.fields],
            ['capability', 'fields', action.capability?.fields ?? {}],
          ] as const;
          for (const set of sets) {
            const fields = set.at(-1) as Fields;
            const within = set.slice(0, -1) as string[];
            for (const [fieldName, field] of Object.entries(fields)) {
              const path = ['actions', index, ...within, fieldName, 'example'];
              const at = { record: `subsites/${name}`, path };
              const known =
                field.known === undefined ? undefined : exampleProblem(field, field.known, names);
              if (known) yield { ...at, path: [...path.slice(0, -1), 'known'], problem: known };
              const inherited = action.fields[fieldName]?.example;
              if (field.example === undefined) {
                if (field.required && (within.length === 1 || inherited === undefined))
                  yield { ...at, problem: 'is missing on a required field. Add a sample value.' };
                continue;
              }
              const problem = exampleProblem(field, field.example, names);
              const mayBeUnread =
                field.content?.kind === 'subsite' && unread.has(`subsites/${field.example}`);
              if (problem && !mayBeUnread) yield { ...at, problem };
            }
          }
        }
    },
  },
  {
    name: 'example-days',
    description: 'The example days of an action are in order, and no more than a hold may take.',
    *check({ subsites }) {
      for (const { name, actions } of subsites)
        for (const [index, { fields, effect }] of actions.entries()) {
          const at = (field: string) => ({
            record: `subsites/${name}`,
            path: ['actions', index, 'fields', field, 'example'],
          });
          const dayOf = (field: string | undefined) =>
            field === undefined ? NaN : Date.parse(fields[field]?.example ?? '');
          for (const [fieldName, { notBefore }] of Object.entries(fields))
            if (dayOf(fieldName) < dayOf(notBefore))
              yield {
                ...at(fieldName),
                problem: `is before the example of ${notBefore}. Write the same day or a later one.`,
              };
          if (effect?.kind !== 'hold') continue;
          const { fromField, toField, longestDays } = effect;
          const days = (dayOf(toField) - dayOf(fromField)) / DAY_MS + 1;
          if (days < 1)
            yield {
              ...at(toField),
              problem: `is before the example of ${fromField}. Write the same day or a later one.`,
            };
          if (days > longestDays)
            yield {
              ...at(toField),
              problem: `makes a hold of ${days} days, and the effect's longestDays is ${longestDays}. Write an earlier day.`,
            };
        }
    },
  },
];
