import type { Action } from '../../registry/action.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../site/registry.ts';
import type { Subsite } from '../../registry/subsite.ts';

const [EMAIL_CAPTURE] = SHARED_LEAD_ENDPOINTS;

const quoteVerb = (verb: string | undefined) => (verb === undefined ? '…' : `"${verb}"`);

/**
 * A sample request body for the lead endpoint of a subsite, with ellipses for values. Without an
 * action, it has only the members that all actions of the subsite share.
 */
export function renderRequestBody(
  { name, leadEndpoint, leadSource }: Pick<Subsite, 'name' | 'leadEndpoint' | 'leadSource'>,
  action?: Pick<Action, 'verb' | 'fields'>,
): string {
  const required = Object.entries(action?.fields ?? {})
    .filter(([, { required: isRequired }]) => isRequired)
    .map(([field]) => `"${field}": …`);
  if (leadEndpoint === EMAIL_CAPTURE)
    return `{"email": …, "source": "${leadSource}", "data": {${[`"action": ${quoteVerb(action?.verb)}`, ...required].join(', ')}}}`;
  return `{"subsite": "${name}", "action": ${quoteVerb(action?.verb)}, "fields": ${action ? `{${required.join(', ')}}` : '…'}, "contact": {"name": …, "email": …}}`;
}
