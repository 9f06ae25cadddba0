import type { ServiceHours } from '../../site/calendar/opening-hours.ts';

/**
 * Attributes that give an element the hours of a service and their IANA time zone, for the scripts
 * of the elements inside it.
 */
export const createServiceHoursAttributes = (
  { hours, closedDays, afterHours }: ServiceHours,
  timeZone: string,
): Record<'data-service-hours' | 'data-time-zone', string> => ({
  'data-service-hours': JSON.stringify({ hours, closedDays, afterHours }),
  'data-time-zone': timeZone,
});

/** Reads the hours of the service that an element belongs to, and their IANA time zone. */
export function readServiceHours(element: Element): { service: ServiceHours; timeZone: string } {
  const { serviceHours, timeZone } = element.closest<HTMLElement>('[data-service-hours]')!.dataset;
  return { service: JSON.parse(serviceHours!) as ServiceHours, timeZone: timeZone! };
}
