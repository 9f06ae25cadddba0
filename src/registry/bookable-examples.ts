import type { Registry } from '../site/registry.ts';
import type { Fields } from '../fields/fields.ts';
import type { HoldEffect } from './action.ts';

const DAY = 86_400_000;
/**
 * How far into the days that can be booked an example begins, counted from the build: far enough that it is still to come
 * while the build is in use, near enough that it can be booked at once.
 */
const AHEAD = 2 / 3;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

function bookable<Kind extends Fields>(
  fields: Kind,
  { fromField, toField, furthestDays }: HoldEffect,
  built: Date,
): Kind {
  const from = fields[fromField];
  const to = fields[toField];
  if (!from?.example) return fields;
  const first = built.getTime() + Math.floor(AHEAD * furthestDays) * DAY;
  const length = to?.example ? Date.parse(to.example) - Date.parse(from.example) : 0;
  return {
    ...fields,
    [fromField]: { ...from, example: dayOf(first) },
    ...(to?.example && { [toField]: { ...to, example: dayOf(first + length) } }),
  };
}

/**
 * The registry with example days of holds that a request can use when the build is served: a hold begins on a day to come,
 * and not too far ahead, which no day written into a record is for long. The example keeps its length.
 */
export const withBookableExamples = (registry: Registry, built: Date): Registry => ({
  ...registry,
  subsites: registry.subsites.map((subsite) => ({
    ...subsite,
    actions: subsite.actions.map((action) => {
      const { effect, fields, capability } = action;
      if (effect?.kind !== 'hold') return action;
      return {
        ...action,
        fields: bookable(fields, effect, built),
        ...(capability?.fields && {
          capability: { ...capability, fields: bookable(capability.fields, effect, built) },
        }),
      };
    }),
  })),
});
