import { type Fields, listFutureDateFields } from '../fields/fields.ts';
import { isCalendarDate } from '../fields/kinds/date.ts';
import type { Registry } from '../site/registry.ts';
import type { Action } from './schemas/action.ts';
import type { Subsite } from './schemas/subsite.ts';
import { isClosedOn } from '../site/calendar/opening-hours.ts';
import { addDays, countDaysBetween } from '../site/calendar/days.ts';

/**
 * Position of an example within the bookable period after the build: late enough to remain in the
 * future while the build is in use, and early enough to be bookable immediately.
 */
const START_FRACTION = 2 / 3;
/** Number of bookable days if the record does not limit them. */
const DEFAULT_FURTHEST_DAYS = 180;

/** Maximum number of days by which examples that fall on closed days are postponed. */
const MAX_POSTPONED_DAYS = 6;

/**
 * Number of days by which to shift the example days of an action so that, if possible, its subsite
 * is open on them; 0 if the action has no dates.
 */
function countShiftDays(subsite: Subsite, { fields, effect }: Action, buildTime: Date): number {
  const hold = effect?.kind === 'hold' ? effect : undefined;
  const examplesOf = (names: readonly string[]) =>
    names.flatMap((name) => fields[name]?.example ?? []);
  const dateFields = listFutureDateFields(fields);
  const [from] = examplesOf(hold ? [hold.fromField] : dateFields).sort();
  if (from === undefined) return 0;
  const furthestDays = hold?.furthestDays ?? DEFAULT_FURTHEST_DAYS;
  const daysAhead = Math.floor(START_FRACTION * furthestDays);
  const to = addDays(buildTime.toISOString().slice(0, 10), daysAhead);
  const shiftDays = countDaysBetween({ from, to });
  const isOpenAfter = (days: number) =>
    examplesOf(dateFields).every((day) => !isClosedOn(subsite, addDays(day, shiftDays + days)));
  const maxDays = Math.min(MAX_POSTPONED_DAYS, furthestDays - daysAhead);
  const postponedDays = Array.from({ length: maxDays + 1 }, (_, days) => days).find(isOpenAfter);
  return shiftDays + (postponedDays ?? 0);
}

/**
 * Shifts the examples of the fields in `names`; a capability may declare such a field as plain
 * text.
 */
const withShiftedExamples = (fields: Fields, names: readonly string[], days: number): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { example } = field;
      return names.includes(name) && example && isCalendarDate(example)
        ? [name, { ...field, example: addDays(example, days) }]
        : [name, field];
    }),
  );

/**
 * Shifts the example days in a registry so that they can be booked while the build is in use and,
 * if possible, fall on open days. A hard-coded date in a record would soon be in the past. The
 * intervals between the examples of an action stay the same.
 */
export const shiftExampleDates = (registry: Registry, buildTime: Date): Registry => ({
  ...registry,
  subsites: registry.subsites.map((subsite) => ({
    ...subsite,
    actions: subsite.actions.map((action) => {
      const names = listFutureDateFields(action.fields);
      const days = countShiftDays(subsite, action, buildTime);
      if (!days) return action;
      const { fields, capability } = action;
      return {
        ...action,
        fields: withShiftedExamples(fields, names, days),
        ...(capability?.fields && {
          capability: {
            ...capability,
            fields: withShiftedExamples(capability.fields, names, days),
          },
        }),
      };
    }),
  })),
});
