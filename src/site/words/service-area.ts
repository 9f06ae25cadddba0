import { kindOf } from '../../fields/fields.ts';
import { fill } from '../../text/fill.ts';
import { serviceAreas as text } from '../../text/index.ts';
import type { Action } from '../../registry/schemas/action.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';

/** The first part of a service’s area, up to the first semicolon. */
export const shortenArea = (area: string): string => area.split(';')[0]!;

type ServedSubsite = Pick<Subsite, 'title' | 'serviceArea' | 'serviceZips'>;

/**
 * Creates a notice that a ZIP code or another place is outside the service area. If the record has
 * a pickup place after a semicolon, the notice says what the service offers people from elsewhere.
 */
export function createOutOfAreaNotice(
  { title, serviceArea }: ServedSubsite,
  place: string = text.zipCode,
): string {
  const area = serviceArea && shortenArea(serviceArea);
  const others = /; (pickup\b.*)/.exec(serviceArea ?? '')?.[1];
  const values = { place, service: title };
  if (!area) return fill(text.outside, values);
  return others
    ? fill(text.outsideAreaExcept, { ...values, area, others })
    : fill(text.outsideArea, { ...values, area });
}

/** Whether a ZIP code is outside the service area; false if the record has no `serviceZips`. */
export const isZipOutside = ({ serviceZips }: ServedSubsite, zip: string): boolean =>
  serviceZips !== undefined && !serviceZips.some((start) => zip.startsWith(start));

/**
 * Whether a place with these ZIP codes (complete or as first digits) is entirely outside the
 * service area.
 */
export const isPlaceOutside = (
  { serviceZips }: ServedSubsite,
  placeZips: readonly string[],
): boolean =>
  serviceZips !== undefined &&
  !placeZips.some((zip) =>
    serviceZips.some((start) => zip.startsWith(start) || start.startsWith(zip)),
  );

/** Adds to a notice about a submitted request how to correct the place. */
export const addCorrection = (notice: string, { title }: ServedSubsite): string =>
  fill(text.correct, { notice, service: title });

/** True if a request has a ZIP code outside `serviceZips`; false if the record has none. */
export const isOutsideServiceArea = (
  service: ServedSubsite,
  { fields }: Pick<Action, 'fields'>,
  values: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(fields).some(([name, field]) => {
    const value = values[name];
    return (
      kindOf(field).isZipCode === true && typeof value === 'string' && isZipOutside(service, value)
    );
  });
