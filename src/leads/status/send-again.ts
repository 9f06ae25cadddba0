import { isNeverPersonal } from '../../fields/fields.ts';
import { actionInputs, RESUBMIT_PARAMETER, captureInputs } from '../../site/forms/form-inputs.ts';
import { actionOf, EMAIL_ENDPOINT, findSubsite, type Registry } from '../../site/registry.ts';
import { isOutsideServiceArea } from '../../site/words/service-area.ts';
import type { LeadLog } from '../lead-log.ts';

/**
 * Site-relative URL of the form for a request with a ZIP code outside the service area, so that the
 * person can resend it with the right one. The URL contains the choices, numbers and dates; the
 * rest is personal, and only the browser that sent the request fills it in. Undefined for any other
 * request.
 */
export function findCorrectionUrl(
  { fields, ...lead }: Pick<LeadLog, 'subsite' | 'action' | 'fields'>,
  registry: Registry,
): string | undefined {
  const service = findSubsite(registry, lead.subsite);
  const action = actionOf(registry, lead);
  if (!service || !action || !isOutsideServiceArea(service, action, fields)) return undefined;
  const inputs = service.leadEndpoint === EMAIL_ENDPOINT ? captureInputs : actionInputs;
  const filled = Object.entries(action.fields).flatMap(([name, field]) =>
    fields[name] !== undefined && isNeverPersonal(field, fields[name]) && field.known === undefined
      ? [[`${inputs.fields}.${name}`, String(fields[name])]]
      : [],
  );
  const query = new URLSearchParams([...filled, [RESUBMIT_PARAMETER, 'yes']]);
  return `${service.url}?${query}#${action.verb}`;
}
