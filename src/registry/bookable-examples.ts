import { type Fields, toComeFields } from '../fields/fields.ts';
import { isCalendarDate } from '../fields/kinds/date.ts';
import type { Registry } from '../site/registry.ts';
import type { Action } from './action.ts';

const DAY = 86_400_000;
/**
 * How far into the days that can be booked an example begins, counted from the build: far enough
 * that it is still to come while the build is in use, near enough that it can be booked at once.
 */
const AHEAD = 2 / 3;
/** Days ahead that are taken as bookable where the record says no number. */
const FURTHEST_DAYS = 180;

/**
 * How much later the example days of an action are to be, in milliseconds; 0 where it asks for
 * none.
 */
function delayOf({ fields, effect }: Action, built: Date): number {
  const hold = effect?.kind === 'hold' ? effect : undefined;
  const examples = (hold ? [hold.fromField] : toComeFields(fields)).flatMap(
    (name) => fields[name]?.example ?? [],
  );
  if (!examples.length) return 0;
  const today = Math.floor(built.getTime() / DAY) * DAY;
  const first = today + Math.floor(AHEAD * (hold?.furthestDays ?? FURTHEST_DAYS)) * DAY;
  return first - Math.min(...examples.map((example) => Date.parse(example)));
}

/** Fields with the examples of these names so much later; an offer may take a day as text. */
const delayed = (fields: Fields, names: readonly string[], delay: number): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { example } = field;
      if (!names.includes(name) || !example || !isCalendarDate(example)) return [name, field];
      const later = new Date(Date.parse(example) + delay).toISOString().slice(0, 10);
      return [name, { ...field, example: later }];
    }),
  );

/**
 * The registry with example days that a request can use when the build is served: they are to come,
 * and not too far ahead, which no day written into a record is for long. The examples of an action
 * stay as far apart as they are.
 */
export const withBookableExamples = (registry: Registry, built: Date): Registry => ({
  ...registry,
  subsites: registry.subsites.map((subsite) => ({
    ...subsite,
    actions: subsite.actions.map((action) => {
      const names = toComeFields(action.fields);
      const delay = delayOf(action, built);
      if (!delay) return action;
      const { fields, capability } = action;
      return {
        ...action,
        fields: delayed(fields, names, delay),
        ...(capability?.fields && {
          capability: { ...capability, fields: delayed(capability.fields, names, delay) },
        }),
      };
    }),
  })),
});
