import { kindOf } from '../../fields/fields.ts';
import { actionInputs, captureInputs } from '../../site/forms/form-inputs.ts';
import { actionOf, EMAIL_ENDPOINT, findSubsite, type Registry } from '../../site/registry.ts';
import { isOutsideServiceArea } from '../../site/words/service-area.ts';
import type { LeadLog } from '../lead-log.ts';

/**
 * Site-relative address of the form of a request with a ZIP code outside the service area, so that
 * the person can send it again with the right one. The choices, numbers and dates are filled in;
 * the rest is personal and in no address. Undefined for any other request.
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
    kindOf(field).isNeverPersonal && fields[name] !== undefined && field.known === undefined
      ? [[`${inputs.fields}.${name}`, String(fields[name])]]
      : [],
  );
  const query = filled.length > 0 ? `?${new URLSearchParams(filled)}` : '';
  return `${service.url}${query}#${action.verb}`;
}
