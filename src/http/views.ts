import type { InboxSession } from '../keys/inbox-session.ts';
import type { AnswerableLead } from '../leads/answer-lead.ts';
import type { Days } from '../site/days.ts';
import type { ProviderAct } from '../leads/conversation.ts';
import type { WrittenPair } from '../leads/lead-request.ts';
import type { LeadRecord } from '../leads/lead-records.ts';
import type { LeadSummary } from '../leads/list-leads.ts';
import type { FreeDays } from '../leads/free-days.ts';
import type { OutboxState } from '../leads/outbox-state.ts';
import type { LeadState } from '../leads/lead-status.ts';
import type { Storefront } from '../leads/read-storefront.ts';
import type { ReceiptExtra } from '../leads/receipt.ts';
import type { ReceiptState } from '../leads/receipt-state.ts';
import type { ShownTerms } from '../leads/shown-terms.ts';
import type { Step } from '../leads/timeline.ts';
import type { FormPlace } from '../operation/operation.ts';
import type { ProblemDetails } from '../operation/problem.ts';
import type { Findings } from '../search/find-need.ts';
import type { FormFault } from '../site/form-fault.ts';
import type { RequestedItem } from '../site/requested-item.ts';

/*
 * What pages made on demand show: plain values that the app fills in and src/pages/view renders,
 * one page for each kind. A page holds no logic and reads nothing else.
 */

/** The receipt of a lead, for whoever holds its token. */
export interface ReceiptView {
  kind: 'receipt';
  lead: LeadState;
  /** What has happened, oldest first. */
  timeline: readonly Step[];
  /** The reference of the request; absent in the sandbox. */
  reference: string | undefined;
  /** Email address and phone number that the answer goes to, in part. */
  reach: readonly string[];
  extra: ReceiptExtra;
  /** The days that are agreed. */
  days: Days | undefined;
  /** Where and when it takes place once confirmed: names and values. */
  visit: readonly (readonly [name: string, value: string])[];
  /** The item of the catalog that the request is about. */
  item: RequestedItem | undefined;
  /** Until when the next answer is promised, ISO 8601. */
  promised: string | undefined;
  /** What it says on top. */
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

/** A request, for a recipient of mail who did not ask for it, or wants no more mail. */
export interface NotMeView {
  kind: 'not-me';
  lead: LeadState;
  /** Whether the mail has ended. */
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
  /** What the customer was shown of price and hold: names and values. */
  terms: readonly (readonly [name: string, value: string])[];
  /** Whether the answer requires or allows text. */
  note: 'required' | 'optional';
  /** What the provider typed into the refused form, by input. */
  typed: Readonly<Record<string, string>>;
  refusal?: ProblemDetails;
}

/** The sign-in page of the inbox. */
export interface SignInView {
  kind: 'sign-in';
  refusal?: ProblemDetails;
}

/** A lead in the list of the inbox. */
type InboxLead = LeadSummary & {
  /** Whether it says that it cannot wait. */
  emergency: boolean;
};

/** One page of the leads that a session reaches, newest first. */
export interface InboxView {
  kind: 'inbox';
  session: InboxSession;
  leads: readonly InboxLead[];
  /**
   * Leads that nobody has answered, the soonest due first, with the time left in words; empty
   * beside a filter.
   */
  urgent: readonly (InboxLead & { due: string })[];
  /** Whether a search found nothing. */
  notFound: boolean;
  /** Undelivered leads of the whole network; absent in a provider’s inbox. */
  outbox?: OutboxState;
  /** Outbox counts stop at one above this. */
  mostCounted: number;
  /** The filter in use; absent members do not narrow it. */
  chosen: { status?: string; subsite?: string; older?: string };
  /** What the filter offers: the services of the session, states and ages. */
  services: readonly { name: string; title: string }[];
  statuses: readonly string[];
  ages: readonly string[];
  /** Site-relative paths of the neighboring pages, where there are any. */
  newer?: string;
  older?: string;
}

/** One lead in the inbox. */
export interface LeadView {
  kind: 'lead';
  lead: LeadRecord;
  /** Everything that the customer wrote. */
  written: readonly WrittenPair[];
  /** Until when the next answer is promised, ISO 8601. */
  promised: string | undefined;
  /** What the customer was shown of price and hold, also as names and values; none once erased. */
  shown: ShownTerms;
  terms: readonly (readonly [name: string, value: string])[];
  /** Token that every form of the session carries. */
  formToken: string;
  /** A new idempotency key for the answer. */
  formKey: string;
  /** Whether the viewer is the operator rather than the provider. */
  operates: boolean;
  /** The answers it takes, and for the operator to withdraw for the customer. */
  next: readonly (ProviderAct | 'withdraw')[];
  /** Why the lead may be spam, in words. */
  suspicions: readonly string[];
  /** What was typed into the refused form, by input. */
  typed: Readonly<Record<string, string>>;
  refusal?: ProblemDetails;
}

/** The free days of an item, and the form that holds it. */
export interface FreeDaysView extends FreeDays {
  kind: 'free-days';
}

/** A refused form, on the page of its subsite with what was typed. */
export interface FormView {
  kind: 'form';
  fault: FormFault & FormPlace;
}

/** What the search finds for a need. */
export interface FindView {
  kind: 'find';
  query: string;
  findings: Findings;
  /** ISO 8601 time for which opening hours are evaluated. */
  at: string;
}

/** A page that cannot be shown, with the reason for people. */
export interface RefusalView extends Pick<ProblemDetails, 'title' | 'detail'> {
  kind: 'refusal';
  /** Site-relative path of the page in the site’s own order. */
  path: string;
  /** Site-relative address to open again later, where nothing but the moment was wrong. */
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
