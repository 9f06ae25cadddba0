import { type Fields, listFutureDateFields } from '../fields/fields.ts';
import { isCalendarDate } from '../fields/kinds/date.ts';
import type { Registry } from '../site/registry.ts';
import type { Action } from './action.ts';
import { DAY_MS } from '../site/calendar/durations.ts';

/**
 * Position of an example within the bookable period after the build: late enough to remain in the
 * future while the build is in use, and early enough to be bookable immediately.
 */
const START_FRACTION = 2 / 3;
/** Number of bookable days if the record does not limit them. */
const DEFAULT_FURTHEST_DAYS = 180;

/** How far to shift the example days of an action, in ms; 0 if the action has no dates. */
function computeShiftMs({ fields, effect }: Action, buildTime: Date): number {
  const hold = effect?.kind === 'hold' ? effect : undefined;
  const examples = (hold ? [hold.fromField] : listFutureDateFields(fields)).flatMap(
    (name) => fields[name]?.example ?? [],
  );
  if (!examples.length) return 0;
  const today = Math.floor(buildTime.getTime() / DAY_MS) * DAY_MS;
  const first =
    today + Math.floor(START_FRACTION * (hold?.furthestDays ?? DEFAULT_FURTHEST_DAYS)) * DAY_MS;
  return first - Math.min(...examples.map((example) => Date.parse(example)));
}

/** Shifts the examples of `names`; a capability may declare a date as plain text. */
const withShiftedExamples = (fields: Fields, names: readonly string[], shiftMs: number): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { example } = field;
      if (!names.includes(name) || !example || !isCalendarDate(example)) return [name, field];
      const later = new Date(Date.parse(example) + shiftMs).toISOString().slice(0, 10);
      return [name, { ...field, example: later }];
    }),
  );

/**
 * Shifts the example days in a registry so that they can be booked while the build is in use. A
 * hard-coded date in a record would soon be in the past. The intervals between the examples of an
 * action stay the same.
 */
export const withBookableExamples = (registry: Registry, buildTime: Date): Registry => ({
  ...registry,
  subsites: registry.subsites.map((subsite) => ({
    ...subsite,
    actions: subsite.actions.map((action) => {
      const names = listFutureDateFields(action.fields);
      const shiftMs = computeShiftMs(action, buildTime);
      if (!shiftMs) return action;
      const { fields, capability } = action;
      return {
        ...action,
        fields: withShiftedExamples(fields, names, shiftMs),
        ...(capability?.fields && {
          capability: {
            ...capability,
            fields: withShiftedExamples(capability.fields, names, shiftMs),
          },
        }),
      };
    }),
  })),
});
