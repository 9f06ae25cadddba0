import type { Action } from '../registry/schemas/action.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import { phoneOf } from './phone.ts';
import { formatRequestNoun, formatRequestTitle } from './words/record-words.ts';
import { actionOf, findSubsite, type Registry } from './registry.ts';

/** The records of a request, and the names for the request and its provider in sentences. */
export interface ServiceOfRequest {
  /** Undefined, like the action, if it is no longer in the registry. */
  subsite: Subsite | undefined;
  action: Action | undefined;
  /** The name of the request, worded to follow “your”. */
  requestNoun: string;
  /** The name of the request as a title. */
  requestTitle: string;
  /** The title of the subsite. */
  service: string;
  /** The name of the provider who answers the request, for use in sentences. */
  provider: string;
  phone: string;
  /** What the request is for; undefined if it can lead to a booking or sale. */
  purpose: Action['purpose'];
  /**
   * The word for the request in sentences; a subscription, which nobody answers, is not called a
   * request.
   */
  kind: 'request' | 'subscription';
}

/** The name of the provider who answers a subsite's requests, for use in sentences. */
export const providerOf = ({ provider, title }: Pick<Subsite, 'provider' | 'title'>): string =>
  provider ?? title;

/**
 * What a request is for, according to its action, which may no longer be in the registry. The form
 * of a subsite without actions sends, for example, a message about an invoice, which is only
 * answered, like a question.
 */
export function purposeOf(
  registry: Registry,
  request: { subsite: string; action: string | null },
): Action['purpose'] {
  if (request.action !== null) return actionOf(registry, request)?.purpose;
  return findSubsite(registry, request.subsite)?.contactForm && 'question';
}

/**
 * Finds the records of a request, which may no longer be in the registry, and the name and phone
 * number of its provider.
 */
export function findServiceOf(
  registry: Registry,
  request: { subsite: string; action: string | null },
): ServiceOfRequest {
  const subsite = findSubsite(registry, request.subsite);
  const action = actionOf(registry, request);
  // The subsite's form names a request without an action.
  const form = request.action === null ? subsite?.contactForm : undefined;
  const named = action ?? (form && { request: form.request });
  const purpose = purposeOf(registry, request);
  return {
    subsite,
    action,
    requestNoun: formatRequestNoun(named, request.action),
    requestTitle: formatRequestTitle(named, request.action),
    service: subsite?.title ?? request.subsite,
    provider: subsite ? providerOf(subsite) : request.subsite,
    phone: phoneOf(subsite, registry),
    purpose,
    kind: purpose === 'subscription' ? purpose : 'request',
  };
}

/** The response time to show in documents; absent for a subscription, which nobody answers. */
export const answerTimeOf = ({
  purpose,
  respondWithinHours,
}: Pick<Action, 'purpose' | 'respondWithinHours'>): { respondWithinHours?: number } =>
  purpose === 'subscription' ? {} : { respondWithinHours };
