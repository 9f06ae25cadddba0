import { CONTACT_ANCHOR, FORM_PARAMETER } from '../site/form-inputs.ts';
import { findAction, findSubsite, SHARED_LEAD_ENDPOINTS } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import { seeOther } from './page.ts';

/** Whether the caller is a browser. */
export const acceptsPage = ({ headers }: Request): boolean =>
  /\btext\/html\b/i.test(headers.get('accept') ?? '');

/**
 * Leads a browser from the address that a form posted to back to the form: after a refusal that
 * address is in the address bar, and people reload it. Undefined for a program, which learns the
 * methods of the address instead.
 */
export function redirectToForm(request: Request, { registry }: Site): Response | undefined {
  if (!acceptsPage(request)) return undefined;
  const { pathname, searchParams } = new URL(request.url);
  const [name = '', anchor = ''] = searchParams.get(FORM_PARAMETER)?.split('.') ?? [];
  const subsite =
    findSubsite(registry, name) ??
    registry.subsites.find(
      ({ leadEndpoint }) =>
        leadEndpoint === pathname && !SHARED_LEAD_ENDPOINTS.includes(leadEndpoint),
    );
  if (!subsite) return seeOther('/');
  const isForm = anchor === CONTACT_ANCHOR ? subsite.contactForm : findAction(subsite, anchor);
  return seeOther(isForm ? `${subsite.url}#${anchor}` : subsite.url);
}
