import type { Action } from '../../registry/schemas/action.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../site/registry.ts';
import type { Subsite } from '../../registry/schemas/subsite.ts';

const [EMAIL_CAPTURE_ENDPOINT] = SHARED_LEAD_ENDPOINTS;

const quoteVerb = (verb: string | undefined) => (verb === undefined ? '…' : `"${verb}"`);

/**
 * A sample request body for the lead endpoint of a subsite, with ellipses for values. Without an
 * action, it has only the members that all actions of the subsite share.
 */
export function renderRequestBody(
  { name, leadEndpoint, leadSource }: Pick<Subsite, 'name' | 'leadEndpoint' | 'leadSource'>,
  action?: Pick<Action, 'verb' | 'fields'>,
): string {
  const requiredMembers = Object.entries(action?.fields ?? {})
    .filter(([, { required: isRequired }]) => isRequired)
    .map(([field]) => `"${field}": …`);
  if (leadEndpoint === EMAIL_CAPTURE_ENDPOINT)
    return `{"email": …, "source": "${leadSource}", "data": {${[`"action": ${quoteVerb(action?.verb)}`, ...requiredMembers].join(', ')}}}`;
  return `{"subsite": "${name}", "action": ${quoteVerb(action?.verb)}, "fields": ${action ? `{${requiredMembers.join(', ')}}` : '…'}, "contact": {"name": …, "email": …}}`;
}
