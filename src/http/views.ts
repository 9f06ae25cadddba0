import type { InboxSession } from '../keys/inbox-session.ts';
import type { AnswerableLead } from '../leads/conversation/answer-lead.ts';
import type { Days } from '../site/calendar/days.ts';
import type { ProviderAct } from '../leads/conversation/conversation.ts';
import type { EnteredValue } from '../leads/status/lead-request.ts';
import type { LeadRecord } from '../leads/lists/lead-records.ts';
import type { LeadSummary } from '../leads/lists/list-leads.ts';
import type { OfferableHold } from '../leads/holds/offered-hold.ts';
import type { FreeDays } from '../leads/holds/free-days.ts';
import type { OutboxState } from '../leads/deliveries/outbox-state.ts';
import type { LeadState } from '../leads/status/lead-status.ts';
import type { Storefront } from '../leads/storefronts/read-storefront.ts';
import type { ReceiptExtra } from '../leads/status/receipt.ts';
import type { ReceiptState } from '../leads/status/receipt-state.ts';
import type { OfferState, ShownTerms } from '../leads/status/shown-terms.ts';
import type { Step } from '../leads/status/timeline.ts';
import type { FormPlace } from '../operation/operation.ts';
import type { ProblemDetails } from '../operation/problem.ts';
import type { Findings } from '../search/find-need.ts';
import type { FormFault } from '../site/forms/form-fault.ts';
import type { RequestedItem } from '../site/forms/requested-item.ts';

/*
 * Views of pages rendered on demand: plain values that the app provides and src/pages/view renders,
 * one page per kind. A page has no logic and reads nothing else.
 */

/** The receipt of a lead, for the holder of its token. */
export interface ReceiptView {
  kind: 'receipt';
  lead: LeadState;
  /** What has happened, oldest first. */
  timeline: readonly Step[];
  /** The reference of the request; absent in the sandbox. */
  reference: string | undefined;
  /** Partly masked email address and phone number that answers go to. */
  reach: readonly string[];
  extra: ReceiptExtra;
  /** The agreed dates. */
  days: Days | undefined;
  /** What may keep the provider from answering, in sentences; also part of the lead's notice. */
  warnings: readonly string[];
  /** Where and when it takes place once confirmed: names and values. */
  visit: readonly (readonly [name: string, value: string])[];
  /** The item of the catalog that the request is about. */
  item: RequestedItem | undefined;
  /** What the provider wrote when it confirmed, and what the accepted offer includes. */
  agreement: string | undefined;
  /** What happened to an offer that was not part of the confirmation, and which price applies. */
  endedOffer: string | undefined;
  /** What was agreed before the request ended. */
  before: ShownTerms['before'];
  /** When the next answer is due, ISO 8601. */
  promised: string | undefined;
  /** The state of the request, as the headline shows it. */
  state: ReceiptState;
  /** Whether nothing was stored. */
  sandbox: boolean;
  /** Whether the person can still withdraw the request. */
  canWithdraw: boolean;
  /** A new idempotency key for the form. */
  formKey: string;
  /** What was typed into the refused form. */
  typed: string;
  refusal?: ProblemDetails;
}

/** A request, for an email recipient who did not ask for it or wants no more email. */
export interface NotMeView {
  kind: 'not-me';
  lead: LeadState;
  /** Whether email about the request has been stopped. */
  stopped: boolean;
}

/** A preview storefront. */
export interface StorefrontView {
  kind: 'storefront';
  storefront: Storefront;
}

/** A request that a provider answers through a link. */
export interface AnswerView {
  kind: 'answer';
  lead: AnswerableLead;
  /** The price and hold shown to the customer, as labels and values. */
  terms: readonly (readonly [name: string, value: string])[];
  /** The price that a confirmation has, and what happens to an open offer. */
  confirms?: string | undefined;
  /** Whether the answer requires or allows text. */
  note: 'required' | 'optional';
  /** The provider's entered values of the refused form, by input. */
  typed: Readonly<Record<string, string>>;
  /** What is wrong in the refused form, by input. */
  faults: Readonly<Record<string, string>>;
  refusal?: ProblemDetails;
}

/** The sign-in page of the inbox. */
export interface SignInView {
  kind: 'sign-in';
  refusal?: ProblemDetails;
}

/** A lead in the list of the inbox. */
type InboxLead = LeadSummary & {
  /** Whether it is an emergency. */
  emergency: boolean;
};

/** One page of the leads that a session reaches, newest first. */
export interface InboxView {
  kind: 'inbox';
  session: InboxSession;
  leads: readonly InboxLead[];
  /**
   * Unanswered leads, emergencies first, then soonest due first, with the time left in words; then
   * leads without a due time whose customer can be reached only by phone. Empty with a filter.
   */
  urgent: readonly (InboxLead & { due: string | undefined })[];
  /** Whether a search found nothing. */
  notFound: boolean;
  /** Undelivered leads of the whole network; absent in a provider’s inbox. */
  outbox?: OutboxState;
  /** The highest count to show; outbox counts stop one above it. */
  maxCounted: number;
  /** The filter in use; absent members do not narrow it. */
  filter: { status?: string; subsite?: string; older?: string };
  /** Filter choices: the session's services, states and ages. */
  services: readonly { name: string; title: string }[];
  statuses: readonly string[];
  ages: readonly string[];
  /** Site-relative paths of the neighboring pages, if any. */
  newer?: string;
  older?: string;
}

/** One lead in the inbox. */
export interface LeadView {
  kind: 'lead';
  lead: LeadRecord;
  /** Everything that the customer wrote. */
  written: readonly EnteredValue[];
  /** When the next answer is due, ISO 8601. */
  promised: string | undefined;
  /** The price and hold shown to the customer; empty after an erasure. */
  shown: ShownTerms;
  /** What an offer can change; absent if the request holds nothing. */
  offerable: OfferableHold | undefined;
  /** The state of each of its offers, by ID. */
  offers: Readonly<Record<string, OfferState>>;
  terms: readonly (readonly [name: string, value: string])[];
  /** The price that a confirmation has now, and what happens to an open offer. */
  confirms: string | undefined;
  /** How the customer is notified of a message, in words; absent once erased. */
  reach: string | undefined;
  /** Number of entries of its history, which a confirmation depends on. */
  revision: number;
  /** Token in every form of the session. */
  formToken: string;
  /** A new idempotency key for the answer. */
  formKey: string;
  /** Whether the viewer is the operator rather than the provider. */
  isOperator: boolean;
  /** The allowed answers, and for the operator also withdrawing for the customer. */
  next: readonly (ProviderAct | 'withdraw')[];
  /** Why the lead may be spam, in words. */
  suspicions: readonly string[];
  /** What was typed into the refused form, by input. */
  typed: Readonly<Record<string, string>>;
  /** What is wrong in the refused form, by input. */
  faults: Readonly<Record<string, string>>;
  refusal?: ProblemDetails;
}

/** The free days of an item, and its hold form. */
export interface FreeDaysView extends FreeDays {
  kind: 'free-days';
}

/** A refused form, on its subsite's page with the entered values. */
export interface FormView {
  kind: 'form';
  fault: FormFault & FormPlace;
}

/** Search results for a need. */
export interface FindView {
  kind: 'find';
  query: string;
  findings: Findings;
  /** ISO 8601 time for which opening hours are evaluated. */
  at: string;
}

/** An error page, with the reason for people. */
export interface RefusalView extends Pick<ProblemDetails, 'title' | 'detail'> {
  kind: 'refusal';
  /** Site-relative path of the replaced page. */
  path: string;
  /** Site-relative URL to open again later, if the error is temporary. */
  again?: string | undefined;
}

export type View =
  | ReceiptView
  | NotMeView
  | StorefrontView
  | AnswerView
  | SignInView
  | InboxView
  | LeadView
  | FormView
  | FreeDaysView
  | FindView
  | RefusalView;

/** Renders a view as HTML. */
export type Render = (view: View) => Promise<string>;
