import { kindOf } from '../fields/fields.ts';
import type { Action } from '../registry/action.ts';
import type { Subsite } from '../registry/subsite.ts';

/**
 * The part of a service’s area that comes first: what follows a semicolon is about something else.
 */
export const shortArea = (area: string): string => area.split(';')[0]!;

type Served = Pick<Subsite, 'title' | 'serviceArea' | 'serviceZips'>;

/** What a form, a receipt and a status say of a ZIP code outside of the area of a service. */
export const outsideNotice = ({ title, serviceArea }: Served): string =>
  `The ZIP code is outside the service area of ${title}${serviceArea ? ` (${shortArea(serviceArea)})` : ''}, so the request may be declined.`;

/**
 * Whether a request names a ZIP code outside of the area of its service; never where the record has
 * no `serviceZips`.
 */
export const isOutside = (
  { serviceZips }: Served,
  { fields }: Pick<Action, 'fields'>,
  values: Readonly<Record<string, unknown>>,
): boolean =>
  serviceZips !== undefined &&
  Object.entries(fields).some(([name, field]) => {
    const value = values[name];
    return (
      kindOf(field).isPlace === true &&
      typeof value === 'string' &&
      !serviceZips.some((start) => value.startsWith(start))
    );
  });
