import type { Subsite } from '../registry/schemas/subsite.ts';
import { createEmergencyNotice } from './emergency.ts';
import { phoneOf } from './phone.ts';
import type { Registry } from './registry.ts';

/**
 * Returns when and how a service can be reached: hours, closed days, phone number and emergency
 * notice.
 */
export function contactInfoOf(
  subsite: Subsite,
  registry: Registry,
): Pick<Subsite, 'hours' | 'closedDays' | 'afterHours'> & { phone: string; emergency?: string } {
  const { hours, closedDays, afterHours } = subsite;
  const emergency = createEmergencyNotice(subsite, registry);
  return {
    ...(hours && { hours }),
    ...(closedDays?.length && { closedDays }),
    ...(afterHours !== undefined && { afterHours }),
    phone: phoneOf(subsite, registry),
    ...(emergency !== undefined && { emergency }),
  };
}
