import { findNotesBesideTotal } from '../../../site/prices/rental.ts';
import type { Action } from '../../../registry/schemas/action.ts';
import type { Subsite } from '../../../registry/schemas/subsite.ts';
import { formatFieldValue, isNeverPersonal, isSubsiteField } from '../../../fields/fields.ts';
import type { ServiceOfRequest } from '../../../site/service-of-request.ts';
import type { Site } from '../../../site/site.ts';
import { labelBeforeValue, labelOf } from '../../../site/words/field-words.ts';
import { createPriceList } from '../../../site/words/price-list.ts';
import { formatPriceText } from '../../../site/words/record-words.ts';
import {
  formatAnswerDeadline,
  formatPromisedTime,
  formatReference,
  formatTime,
} from '../../../site/words/words.ts';
import { fill } from '../../../text/fill.ts';
import { personMail, receipt } from '../../../text/index.ts';
import { describePublishedTerms, formatPriceWithPayer } from '../../../site/words/offer-words.ts';
import { describePublishing } from '../../../text/storefront-words.ts';
import type { Offer } from '../../conversation/conversation.ts';
import type { LeadLog } from '../../lead-log.ts';
import { isEnded } from '../../lead-states.ts';
import { findAgreedDays, findCanceledDays } from '../../status/agreement.ts';
import { selectHoldSentenceKey } from '../../status/receipt-state.ts';
import { createCalendarUrl } from '../../status/receipt.ts';
import type { ShownTerms } from '../../status/shown-terms.ts';
import { describeVisit, visitOf } from '../../status/visit.ts';
import { collectLines } from '../mail-lines.ts';
import type { PersonMailTopic } from './person-mail-topic.ts';

const { facts } = personMail;

/** A request as of the event that the person is emailed about. */
export interface MailedRequest extends ServiceOfRequest {
  site: Site;
  topic: PersonMailTopic;
  log: LeadLog;
  reference: string;
  terms: ShownTerms;
  /**
   * Deadline for the first answer or, once the person has accepted an offer, for the confirmation.
   */
  answerDue: string | undefined;
  /** Whether an open offer is for a different item or different days. */
  offersOtherHold: boolean;
  /**
   * States what the provider's messages had agreed on before the event ended the request; '' if
   * nothing.
   */
  endedText: string;
  /** The open offer that was replaced, if the event is a new offer. */
  replacedOffer?: Offer | undefined;
}

/** A storefront that was created for a request. */
export interface StorefrontForMail {
  previewUrl?: string | undefined;
  isPublished?: boolean | undefined;
}

/**
 * The requested choices, numbers and dates. Callers can enter any text in other fields, so a
 * receipt shows only their labels.
 */
function renderRequestLines({ topic, action, log, provider, terms }: MailedRequest): string[] {
  const enteredFields = Object.entries(action?.fields ?? {}).flatMap(([name, field]) => {
    const value = log.fields[name];
    return value === undefined ||
      value === field.known ||
      isSubsiteField(field) ||
      name === terms.item?.field
      ? []
      : [{ field, value, label: labelOf(name, field), isShown: isNeverPersonal(field, value) }];
  });
  const withheldLabels = enteredFields
    .filter(({ isShown }) => !isShown)
    .map(({ label }) => `“${label}”`);
  return collectLines(
    enteredFields
      .filter(({ isShown }) => isShown)
      .map(({ field, value, label }) =>
        fill(facts.field, {
          label: labelBeforeValue(label),
          value: formatFieldValue(value, field),
        }),
      ),
    topic === 'receipt' &&
      withheldLabels.length > 0 &&
      fill(facts.withheld, { provider, labels: withheldLabels.join(', ') }),
  );
}

function renderTermLines(terms: ShownTerms, provider: string, timeZone: string): string[] {
  const { agreed, previousAgreement, open, total, publishedTerms, deposit, heldUntil } = terms;
  const notes = total ? findNotesBesideTotal(terms.notes, total) : terms.notes;
  return collectLines(
    agreed &&
      fill(facts.price, { price: formatPriceWithPayer(agreed, 'person', terms.salesTaxPercent) }),
    previousAgreement && fill(facts.previousAgreement, { price: previousAgreement.prices.person }),
    total && fill(facts.price, { price: total.price }),
    total?.withTax && fill(facts.withTax, { total: total.withTax }),
    notes ? fill(facts.notes, { notes }) : undefined,
    terms.minimumTerm && fill(facts.minimumTerm, { term: terms.minimumTerm }),
    publishedTerms && (agreed || open)
      ? describePublishedTerms(publishedTerms, {
          isAccepted: agreed !== undefined,
          hasWords: terms.agreement !== undefined,
        })
      : undefined,
    deposit ? fill(facts.deposit, { deposit }) : undefined,
    heldUntil &&
      fill(facts[selectHoldSentenceKey(open, heldUntil)], {
        until: formatPromisedTime(heldUntil, timeZone),
        provider,
      }),
  );
}

function renderPriceLines({ receiptPrices = [], salesTaxPercent }: ShownTerms): string[] {
  const list = createPriceList(receiptPrices, salesTaxPercent);
  const prices = list.prices.map(formatPriceText);
  const [price] = prices;
  if (price === undefined) return [];
  return collectLines(
    ...(prices.length === 1
      ? [fill(facts.price, { price })]
      : [facts.prices, ...prices.map((one) => fill(facts.publishedPrice, { price: one }))]),
    list.notes !== undefined && fill(facts.notes, { notes: list.notes }),
  );
}

const renderRequirementLines = ({ requirements = [] }: ShownTerms): string[] =>
  requirements.length ? [personMail.bring, ...requirements.map((one) => `- ${one}`)] : [];

/**
 * States that the provider's messages take precedence over the published times and requirements, if
 * the email contains both.
 */
function renderPrecedenceLine(
  { action, provider, log, terms }: MailedRequest,
  hasRequirements: boolean,
): string[] {
  const { requirements = [], agreement, open, openNote } = terms;
  const hasWords = [agreement, open?.description, openNote].some((words) => words !== undefined);
  const hasTimes = Object.keys(log.fields).some((name) => action?.fields[name]?.time !== undefined);
  return hasWords && (hasTimes || (hasRequirements && requirements.length > 0))
    ? [fill(receipt.wordsApply, { provider })]
    : [];
}

/**
 * States, before confirmation, where a held item is and when that place is open, like the receipt.
 */
const renderPlaceLines = (
  subsite: Subsite | undefined,
  action: Action | undefined,
  log: LeadLog,
): string[] =>
  describeVisit(visitOf(subsite, action, log), { isConfirmed: false }).map((fact) =>
    fact.join(': '),
  );

function renderStorefrontLines(
  { site: { registry }, topic, action, provider, log, terms }: MailedRequest,
  { previewUrl, isPublished }: StorefrontForMail,
): string[] {
  if (previewUrl === undefined)
    return action?.effect?.kind === 'storefront' && isEnded(log.status)
      ? [facts.storefrontRemoved]
      : [];
  if (isPublished) return [fill(facts.storefront, { url: previewUrl })];
  const steps =
    topic === 'receipt'
      ? describePublishing(registry.network.organization.name, terms.publishingPrice)
      : [];
  return [
    facts.unpublishedStorefront,
    fill(facts.storefrontChange, { provider }),
    ...(topic === 'confirmed' ? [fill(facts.storefrontNext, { provider })] : []),
    ...steps.map((step) => `- ${step}`),
  ];
}

/** Everything about the request: what was asked for, its price, times, place and documents. */
export function renderFacts(request: MailedRequest, storefront: StorefrontForMail): string[] {
  const { site, topic, subsite, action, provider, phone, log, terms } = request;
  const { registry, base } = site;
  const { timeZone } = registry.network;
  const { agreed, item } = terms;
  const isReceipt = topic === 'receipt';
  // The provider may have answered before a late receipt is sent.
  const isUnanswered =
    isReceipt && !terms.heldUntil && !log.isEmergency && log.status === 'new' && !terms.isAnswered;
  const isConfirmed = topic === 'confirmed' || topic === 'changed';
  const itemPrice = agreed || isEnded(log.status) ? undefined : item?.price;
  const hasDays = (findAgreedDays(log, registry) ?? findCanceledDays(log, registry)) !== undefined;
  const hasRequirements = isConfirmed || isReceipt || request.offersOtherHold;
  return collectLines(
    renderPrecedenceLine(request, hasRequirements),
    fill(facts.service, { service: provider }),
    request.offersOtherHold && facts.requested,
    item && fill(facts.item, { item: itemPrice ? `${item.title}, ${itemPrice}` : item.title }),
    renderRequestLines(request),
    renderTermLines(terms, provider, timeZone),
    (isReceipt || (isConfirmed && !agreed)) && renderPriceLines(terms),
    fill(facts.received, { at: formatTime(log.createdAt, timeZone) }),
    (isReceipt || (topic === 'accepted' && !log.isEmergency)) &&
      request.answerDue !== undefined &&
      action?.purpose !== 'subscription' &&
      fill(isUnanswered ? facts.promisedOrCall : facts.promised, {
        deadline: formatAnswerDeadline(request.answerDue, timeZone, subsite ?? {}),
        unanswered: fill(receipt.unansweredOpen, { phone }),
      }),
    fill(facts.reference, { reference: formatReference(request.reference) }),
    fill(facts.phone, { provider, phone }),
    isConfirmed &&
      describeVisit(visitOf(subsite, action, log, terms.agreement)).map((pair) => pair.join(': ')),
    isReceipt && action?.effect?.kind === 'hold' && renderPlaceLines(subsite, action, log),
    hasRequirements && renderRequirementLines(terms),
    renderStorefrontLines(request, storefront),
    hasDays &&
      (isEnded(log.status) || isConfirmed) &&
      fill(isConfirmed ? facts.calendar : facts.removeFromCalendar, {
        url: createCalendarUrl(base, log.receiptToken),
      }),
  );
}
