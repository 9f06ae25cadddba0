import type { Action } from '../registry/schemas/action.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { fill } from '../text/fill.ts';
import { emergencyNotice } from '../text/index.ts';
import { phoneOf } from './phone.ts';
import type { Registry } from './registry.ts';

/** True if a request is an emergency: one of its values is marked as an emergency in the record. */
export const isEmergency = (
  action: Action | undefined,
  fields: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(action?.fields ?? {}).some(
    ([name, { emergency }]) => emergency !== undefined && fields[name] === emergency,
  );

/** True if a service takes emergency requests. */
export const hasEmergencies = ({ actions }: Pick<Subsite, 'actions'>): boolean =>
  actions.some(({ fields }) =>
    Object.values(fields).some(({ emergency }) => emergency !== undefined),
  );

/** True if a service answers emergency calls after hours, when nobody reads requests. */
export const answersEmergencyCalls = (
  subsite: Pick<Subsite, 'actions' | 'afterHours' | 'phone'>,
): boolean =>
  subsite.phone !== undefined && subsite.afterHours !== undefined && hasEmergencies(subsite);

/**
 * Tells people whom to call in an emergency; undefined if the service takes no emergency requests.
 */
export const createEmergencyNotice = (subsite: Subsite, registry: Registry): string | undefined =>
  hasEmergencies(subsite)
    ? fill(emergencyNotice, { phone: phoneOf(subsite, registry) })
    : undefined;
