import type { Action } from '../registry/action.ts';
import type { Subsite } from '../registry/subsite.ts';
import { phoneOf } from './phone.ts';
import { formatRequestNoun, formatRequestTitle } from './words/record-words.ts';
import { actionOf, findSubsite, type Registry } from './registry.ts';

/** The records of a request, and how sentences name it and its provider. */
export interface ServiceOfRequest {
  /** Absent if it is no longer in the registry, like the action. */
  subsite: Subsite | undefined;
  action: Action | undefined;
  /** The name of the request, in the form that follows “your”. */
  requestNoun: string;
  /** The name of the request as a title. */
  requestTitle: string;
  /** The title of the subsite. */
  service: string;
  /** Who answers the request, in sentences. */
  provider: string;
  phone: string;
  /** What it is for; undefined if something can be booked. */
  purpose: Action['purpose'];
  /** The word for it in sentences; nobody answers a subscription, so it is not a request. */
  kind: 'request' | 'subscription';
}

/** Who answers the requests of a subsite, in sentences. */
export const providerOf = ({ provider, title }: Pick<Subsite, 'provider' | 'title'>): string =>
  provider ?? title;

/**
 * What a request is for, according to its action, which may no longer be in the registry. What the
 * form of a subsite without actions sends, such as a message about an invoice, is only answered,
 * like a question.
 */
export function purposeOf(
  registry: Registry,
  request: { subsite: string; action: string | null },
): Action['purpose'] {
  if (request.action !== null) return actionOf(registry, request)?.purpose;
  return findSubsite(registry, request.subsite)?.contactForm && 'question';
}

/**
 * The records of a request, which may no longer be in the registry, and the name and phone number
 * of its provider.
 */
export function findServiceOf(
  registry: Registry,
  request: { subsite: string; action: string | null },
): ServiceOfRequest {
  const subsite = findSubsite(registry, request.subsite);
  const action = actionOf(registry, request);
  // What is sent without an action is named by the form of the subsite.
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

/** The response time for documents; absent for a subscription, which nobody answers. */
export const answerTimeOf = ({
  purpose,
  respondWithinHours,
}: Pick<Action, 'purpose' | 'respondWithinHours'>): { respondWithinHours?: number } =>
  purpose === 'subscription' ? {} : { respondWithinHours };
