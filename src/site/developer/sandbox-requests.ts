import { capabilitiesOf, type CapabilityRecord } from '../capability-record.ts';
import { findAction, findSubsite, SHARED_LEAD_ENDPOINTS } from '../registry.ts';
import type { SampleRequest } from './request-samples.ts';
import type { Site } from '../site.ts';

/** The endpoint that accepts every action. */
const LEAD_ACTION_ENDPOINT = '/api/lead/action';

/** A sample request for an action. The server validates and answers it but does not store it. */
export interface SandboxRequest {
  /** Title of the service. */
  service: string;
  /** Title of the action. */
  action: string;
  /** Site-relative URL of the POST request. */
  endpoint: string;
  body: object;
}

/**
 * Creates the sandbox request for a capability that submits an action; undefined for other
 * capabilities.
 */
export function createSandboxRequest(
  { registry }: Pick<Site, 'registry'>,
  { subsite: name, action: verb, inputSchema }: CapabilityRecord,
): SandboxRequest | undefined {
  const subsite = findSubsite(registry, name ?? '');
  const action = subsite && verb !== undefined ? findAction(subsite, verb) : undefined;
  if (!subsite || !action) return undefined;
  const [{ fields, contact }] = inputSchema['examples'] as [Record<'fields' | 'contact', object>];
  return {
    service: subsite.title,
    action: action.title,
    endpoint: SHARED_LEAD_ENDPOINTS.includes(subsite.leadEndpoint)
      ? LEAD_ACTION_ENDPOINT
      : subsite.leadEndpoint,
    body: {
      subsite: subsite.name,
      action: action.verb,
      // A capability may accept more fields than its action.
      fields: Object.fromEntries(
        Object.entries(fields).filter(([field]) => Object.hasOwn(action.fields, field)),
      ),
      contact,
      sandbox: true,
    },
  };
}

/** Creates the sandbox requests for all capabilities that submit an action, in catalog order. */
export const createSandboxRequests = (site: Site): SandboxRequest[] =>
  capabilitiesOf(site.registry, site.base).flatMap(
    (capability) => createSandboxRequest(site, capability) ?? [],
  );

/** Converts a sandbox request to the form that code samples are made from. */
export const toSampleRequest = (
  base: string,
  { endpoint, body }: SandboxRequest,
): SampleRequest => ({
  method: 'POST',
  url: `${base}${endpoint}`,
  body,
});
