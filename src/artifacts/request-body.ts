import type { Action } from '../registry/action.ts';
import { SHARED_LEAD_ENDPOINTS } from '../site/registry.ts';
import type { Subsite } from '../registry/subsite.ts';

const [EMAIL_CAPTURE] = SHARED_LEAD_ENDPOINTS;

const quoted = (verb: string | undefined) => (verb === undefined ? '…' : `"${verb}"`);

/**
 * The body by which an action is asked for at the lead endpoint of its subsite, for a reader: values that are to be filled
 * in are dots. Without an action, the form that all of the subsite's have. Capture of a mail address has a form of its
 * own, contract.md "Bodies".
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
