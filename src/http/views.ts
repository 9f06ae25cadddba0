import type { InboxSession } from '../keys/inbox-session.ts';
import type { AnswerableLead, AnswerNotification } from '../leads/conversation/answer-lead.ts';
import type { DayRange } from '../site/calendar/days.ts';
import type { ProviderAction } from '../leads/conversation/conversation.ts';
import type { EnteredValue } from '../leads/status/lead-request.ts';
import type { LeadRecord } from '../leads/lists/lead-records.ts';
import type { UnsentMessage } from '../leads/deliveries/unsent-messages.ts';
import type { LeadSummary } from '../leads/lists/list-leads.ts';
import type { OfferableHold } from '../leads/holds/offered-hold.ts';
import type { OtherDays } from '../leads/holds/other-days.ts';
import type { FreeDaysCalendar } from '../leads/holds/free-days.ts';
import type { MailLimit } from '../leads/deliveries/mail-limit.ts';
import type { OutboxState } from '../leads/deliveries/outbox-state.ts';
import type { LeadState } from '../leads/status/lead-status.ts';
import type { Storefront } from '../leads/storefronts/read-storefront.ts';
import type { StoredExtra } from '../leads/status/read-receipt-extra.ts';
import type { RemainingCalls } from '../leads/lists/inbox-overview.ts';
import type { MaskedContact } from '../leads/status/masked-contact.ts';
import type { ReceiptState } from '../leads/status/receipt-state.ts';
import type { OfferState } from '../leads/status/offer-state.ts';
import type { ShownTerms } from '../leads/status/shown-terms.ts';
import type { DisplayedState, NamedState, personActionOf, Step } from '../leads/status/timeline.ts';
import type { FormLocation } from '../operation/operation.ts';
import type { ProblemDetails } from '../operation/problem.ts';
import type { Findings } from '../search/find-need.ts';
import type { FormFault } from '../site/forms/form-fault.ts';
import type { RentalTotal } from '../site/prices/rental.ts';
import type { RequestedItem } from '../site/forms/requested-item.ts';

/*
 * Views of pages that are rendered on request. The app provides plain values, and src/pages/view
 * renders each kind of view. Pages read only the view and the site.
 */

export interface ReceiptView {
  kind: 'receipt';
  lead: LeadState;
  /** ETag of `lead`, which the page sends to wait for changes. */
  statusEtag: string;
  /** Steps of the lead, oldest first. */
  timeline: readonly Step[];
  /** Reference of the request; absent in the sandbox. */
  reference: string | undefined;
  /** Masked email address and phone number, and whether the person gets email. */
  maskedContact: MaskedContact;
  /** The email limit that the lead has reached; undefined if it has reached none. */
  mailLimit: MailLimit | undefined;
  extra: StoredExtra;
  /** The days agreed on with the provider. */
  days: DayRange | undefined;
  /** Warnings, except those about details that the page already asks for elsewhere. */
  warnings: NonNullable<LeadState['warnings']>;
  /** Address of the form to correct a ZIP code; absent unless it is outside the service area. */
  correctionUrl?: string | undefined;
  /** Where and when a confirmed request takes place, as labels and values. */
  visit: readonly (readonly [name: string, value: string])[];
  item: RequestedItem | undefined;
  /** What an offer is for, or the item that was agreed on without a hold. */
  offered: ShownTerms['offered'];
  /** What the state of the request means, except for what the page already says elsewhere. */
  notice: string;
  /**
   * For a confirmed request or an open offer: what is booked, and a note if the item is not held.
   */
  bookingText: string | undefined;
  unheldText: string | undefined;
  /** The total price of a hold; undefined if another price applies. */
  total: RentalTotal | undefined;
  /** The published prices that may apply to the request. */
  receiptPrices: ShownTerms['receiptPrices'];
  /** Today’s date in the network’s time zone, YYYY-MM-DD. */
  today: string;
  minimumTerm: ShownTerms['minimumTerm'];
  publishingPrice: ShownTerms['publishingPrice'];
  salesTaxPercent: ShownTerms['salesTaxPercent'];
  /** The published deposit as text if the description of the offer may change it. */
  possibleDeposit: string | undefined;
  /** What the customer must bring, pay or do, for the item in an open offer if there is one. */
  requirements: readonly string[];
  /** The published price as text, while an offer with another price is open. */
  publishedPrice: string | undefined;
  /** Whether the provider confirmed a visit without a message that may state its time. */
  isVisitTimeOpen: boolean;
  agreement: ShownTerms['agreement'];
  /**
   * Messages that the provider sent after the confirmation and the person has answered, oldest
   * first.
   */
  laterMessages: readonly string[];
  /** When an overdue request ends, and what that means; absent if it is not overdue. */
  expiryText: string | undefined;
  /** Why an offer was not accepted, and which price applies instead. */
  endedOfferText: string | undefined;
  /** The agreement before the request ended. */
  previousAgreement: ShownTerms['previousAgreement'];
  /** When the provider opens next, in words; absent while it is open. */
  closedNotice: string | undefined;
  /** State of the request for the headline. */
  state: ReceiptState;
  /** The provider's messages since the person's last step, oldest first. */
  newMessages: readonly string[];
  sandbox: boolean;
  /** Whether the provider is counting on the person. */
  isBooking: boolean;
  canWithdraw: boolean;
  /** What withdrawing would cancel: a confirmed booking, or the request. */
  canceled: 'booking' | 'request' | 'question';
  formKey: string;
  /** Whether the page has the form to answer or write. */
  hasForm: boolean;
  /** What the person has typed, and the days that they chose in the calendar. */
  enteredText: string;
  /** The chosen days, if the text asks for them. */
  desiredDays: DayRange | undefined;
  /** The available days of the held item; absent unless the person can ask for other days. */
  otherDays?: OtherDays | undefined;
  rejection?: ProblemDetails;
}

/** The page for an email recipient who did not send the request or wants no more email about it. */
export interface NotMeView {
  kind: 'not-me';
  lead: LeadState;
  /** Whether the email has been stopped or, for a subscription, whether it has ended. */
  isUnsubscribed: boolean;
  /** What erasing the request would cancel. */
  canceledByErasure?: 'booking' | 'hold' | undefined;
  rejection?: ProblemDetails;
}

export interface StorefrontView {
  kind: 'storefront';
  storefront: Storefront;
}

interface ProviderForm {
  /** Entered values of the rejected form, by input. */
  formValues: Readonly<Record<string, string>>;
  /** Errors in the rejected form, by input. */
  faults: Readonly<Record<string, string>>;
  rejection?: ProblemDetails;
}

export interface AnswerView extends ProviderForm {
  kind: 'answer';
  lead: AnswerableLead;
  /** Whether the page follows the form that sent the answer. */
  isAnswerJustSent: boolean;
  /** The price and the hold as shown to the customer, as labels and values. */
  terms: readonly (readonly [name: string, value: string])[];
  /** The price if the provider confirms, and the effect on an open offer. */
  confirmationText?: string | undefined;
  /** Whether the answer requires or allows text. */
  note: 'required' | 'optional';
}

export interface SignInView {
  kind: 'sign-in';
  isSignedOut: boolean;
  /** Reference of the lead to open after signing in, as received in the URL or the form. */
  lead?: string | undefined;
  /**
   * What a form for that lead contained when it was sent without a session, by input: the page of
   * the lead shows it again after signing in.
   */
  keptValues?: Readonly<Record<string, string>>;
  rejection?: ProblemDetails;
}

/** A lead in a list of the inbox. */
export interface InboxRow extends LeadSummary {
  /** The status in everyday words. */
  state: DisplayedState;
  /**
   * The item or the chosen options, the days, and the price in the open or accepted offer, as text.
   */
  details: string;
  /** What is due, in words. */
  due: readonly string[];
}

/** A page of the inbox, newest lead first. */
export interface InboxView {
  kind: 'inbox';
  session: InboxSession;
  leads: readonly InboxRow[];
  /**
   * Leads that the provider has to act on: emergencies first, then by deadline, whether for an
   * answer, the end of a hold, or a call to a customer who gets no email, and last, visits without
   * a time. Empty if a filter is set.
   */
  urgent: readonly InboxRow[];
  /** Number of leads not in `urgent` that have a deadline, counted up to `maxCounted`. */
  moreDue: number;
  /**
   * Number of leads not in `urgent` whose customer should be called, counted up to `maxCounted`.
   */
  moreToCall: number;
  /** Confirmed leads that the customer recently canceled. Empty if a filter is set. */
  canceled: readonly InboxRow[];
  /** Confirmed leads that begin or end today or tomorrow. Empty if a filter is set. */
  upcoming: readonly InboxRow[];
  /**
   * Confirmed leads whose day is still open or only in a message, except those in `urgent`. Empty
   * if a filter is set.
   */
  undated: readonly InboxRow[];
  notFound: boolean;
  /** Why a form on the page was rejected, with the entered search text. */
  rejection?: ProblemDetails;
  searchText?: string | undefined;
  /** Undelivered leads in the whole network; absent in a provider's inbox. */
  outbox?: OutboxState;
  /** Whether the service notifies providers of requests. */
  notifiesProviders: boolean;
  /** Whether the service emails customers. */
  isCustomerEmailEnabled: boolean;
  /** Highest count to show; outbox counts stop at one more than this limit. */
  maxCounted: number;
  /** Current filter; an absent member does not restrict the list. */
  filter: { status?: string; subsite?: string; older?: string };
  /** Filter choices: services of the session, states and ages. */
  services: readonly { name: string; title: string }[];
  statuses: readonly NamedState[];
  ageLimits: readonly string[];
  /** Site-relative paths of the neighboring pages, if any. */
  newer?: string;
  older?: string;
}

export interface LeadView extends ProviderForm {
  kind: 'lead';
  lead: LeadRecord;
  /**
   * For the operator: why each delivery was not sent, and what to do; undefined for one that was
   * sent.
   */
  deliveryFaults: (string | undefined)[];
  /** For the operator: messages without a delivery. */
  unplannedMessages: readonly UnsentMessage[];
  state: DisplayedState;
  /** State after each history entry. */
  states: readonly NamedState[];
  /** Where each history entry was sent from, as text, by entry number, starting at 1. */
  origins: ReadonlyMap<number, string>;
  /** Whether the lead changed after the page with a rejected form was opened. */
  isOutdated: boolean;
  /** What a confirmed request now covers: its days, and the provider's description of it. */
  agreedMessages: readonly string[];
  /**
   * For each history entry, when a later change replaced it (ISO 8601); undefined if the entry
   * still applies.
   */
  replacedTimes: readonly (string | undefined)[];
  /**
   * The customer's action in each history entry, if the entry is an answer or concerns an offer.
   */
  customerActions: readonly ReturnType<typeof personActionOf>[];
  /** The values that the customer entered in a form or sent as fields. */
  enteredValues: readonly EnteredValue[];
  /** Free-form data of a plain lead. */
  freeData: readonly EnteredValue[];
  /** The customer’s messages since the provider last wrote, oldest first. */
  newMessages: AnswerableLead['messages'];
  /** Whether a rejected form was meant to send an offer. */
  wasOfferChosen: boolean;
  /** Whether the lead is an emergency for which nothing has been agreed on yet. */
  isUrgent: boolean;
  /** When the next answer is due, ISO 8601. */
  nextAnswerDue: string | undefined;
  /** A note if a hold ends before the next answer is due. */
  earlyHoldEndNotice: string | undefined;
  /** What else the provider has to do next, and what happens otherwise, as text. */
  nextStep: string;
  /** The price and the hold as shown to the customer; empty after an erasure. */
  shownTerms: ShownTerms;
  /** What an offer can change; absent if the request holds nothing. */
  offerableHold: OfferableHold | undefined;
  offers: Readonly<Record<string, OfferState>>;
  terms: readonly (readonly [name: string, value: string])[];
  /** The price if the provider confirms now, and the effect on an open offer. */
  confirmationText: string | undefined;
  /** What declining cancels; absent if the request is not confirmed. */
  canceledByDecline: AnswerableLead['canceledByDecline'];
  /** Whether the request is confirmed for certain days, which a message does not change. */
  hasFixedDays: boolean;
  /** Whether an answer can set the day and time of a visit. */
  canSetVisitTime: boolean;
  /** The text that a change to a confirmed request would replace; '' if none. */
  replaceableText: string;
  /** How the customer is notified of each answer; empty after an erasure. */
  notifications: readonly AnswerNotification[];
  /** The offer or the confirmation in the latest history entry, as text. */
  sentText: string | undefined;
  /** How the customer was notified of the answer that was just sent. */
  sentNotification: AnswerableLead['notification'] | undefined;
  /** Whom to call next, if the page follows the form that recorded a call. */
  remainingCalls: RemainingCalls | undefined;
  /** Number of history entries, which detects concurrent changes. */
  revision: number;
  formToken: string;
  formKey: string;
  /** Whether the viewer is the operator rather than the provider. */
  isOperator: boolean;
  /** Allowed answers; the operator can also withdraw the request. */
  next: readonly (ProviderAction | 'withdraw')[];
  /** The allowed answers that need a message; for all others, it is optional. */
  answersRequiringText: readonly ProviderAction[];
  /** Why the lead may be spam, as text. */
  suspicions: readonly string[];
}

export interface FreeDaysView extends FreeDaysCalendar {
  kind: 'free-days';
  /** The values that the person entered or chose in the form, by dotted input name. */
  enteredValues?: Readonly<Record<string, string>> | undefined;
}

/** A rejected form with the entered values, on the page of the subsite. */
export interface FormView {
  kind: 'form';
  fault: FormFault & FormLocation;
}

export interface FindView {
  kind: 'find';
  query: string;
  findings: Findings;
  /** ISO 8601 time for evaluating business hours. */
  at: string;
}

/** An error page with the reason. */
export interface RejectionView extends Pick<ProblemDetails, 'title' | 'detail' | 'code'> {
  kind: 'rejection';
  /** ID of a logged internal error. */
  id: string | undefined;
  /** Site-relative path of the page that the error page replaces. */
  path: string;
  /** Site-relative URL to open again later, if the error is temporary. */
  retryUrl?: string | undefined;
  /** Entered values of the rejected form, by input. */
  formValues?: Readonly<Record<string, string>> | undefined;
}

/** The page after an erasure through “This wasn’t me”. */
export interface ErasedView {
  kind: 'erased';
  /** Name of the subsite that received the request, as given in the URL. */
  service: string | undefined;
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
  | RejectionView
  | ErasedView;

export type RenderView = (view: View) => Promise<string>;
