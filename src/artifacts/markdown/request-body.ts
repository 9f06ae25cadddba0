import type { Action } from '../../registry/action.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../site/registry.ts';
import type { Subsite } from '../../registry/subsite.ts';

const [EMAIL_CAPTURE] = SHARED_LEAD_ENDPOINTS;

const quoted = (verb: string | undefined) => (verb === undefined ? '…' : `"${verb}"`);

/**
 * The request body of an action at the lead endpoint of its subsite, for readers: values to fill in
 * are dots. Without an action, the shape that all of the subsite's bodies have. Email capture has
 * its own shape, contract.md "Bodies".
 */
export function requestBody(
  { name, leadEndpoint, leadSource }: Pick<Subsite, 'name' | 'leadEndpoint' | 'leadSource'>,
  action?: Pick<Action, 'verb' | 'fields'>,
): string {
  const required = Object.entries(action?.fields ?? {})
    .filter(([, { required: must }]) => must)
    .map(([field]) => `"${field}": …`);
  if (leadEndpoint === EMAIL_CAPTURE)
    return `{"email": …, "source": "${leadSource}", "data": {${[`"action": ${quoted(action?.verb)}`, ...required].join(', ')}}}`;
  return `{"subsite": "${name}", "action": ${quoted(action?.verb)}, "fields": ${action ? `{${required.join(', ')}}` : '…'}, "contact": {"name": …, "email": …}}`;
}
