import { actionOf, findSubsite, type Registry } from '../../site/registry.ts';
import { purposeOf } from '../../site/service-of-request.ts';
import type { RentalTotal } from '../../site/prices/rental.ts';
import { isPricedByMonth } from '../../site/prices/prices.ts';
import { computeTax } from '../../site/prices/sales-tax.ts';
import { type PublishedTerms, publishedTermsOf } from '../../site/forms/published-terms.ts';
import type { RequestedItem } from '../../site/forms/requested-item.ts';
import { listRequirements } from '../../site/forms/requirements.ts';
import type { Site } from '../../site/site.ts';
import { formatPriceText, type PriceText } from '../../site/words/record-words.ts';
import { explainMinimumTerm, formatMinimumTerm } from '../../site/words/minimum-term.ts';
import { formatTotalWithTax } from '../../site/words/offer-words.ts';
import { formatOfferedItem } from '../../site/words/words.ts';
import type { DayRange } from '../../site/calendar/days.ts';
import { fill } from '../../text/fill.ts';
import { shownTerms as text } from '../../text/index.ts';
import {
  formatOfferedPrice,
  isChargedPrice,
  type OfferReader,
} from '../../site/words/offer-words.ts';
import {
  findOfferedHold,
  findOpenOffer,
  findStateAfterProviderAction,
  type Offer,
} from '../conversation/conversation.ts';
import { withOfferedHold } from '../holds/log-with-hold.ts';
import { type LeadLog, findLiveHold, conversationOf, isAcceptance } from '../lead-log.ts';
import { isEnded, isUndecided } from '../lead-states.ts';
import { findEntryToCallAbout } from './call-due.ts';
import {
  type Agreement,
  findAgreedOffer,
  findAgreement,
  findRequestedDays,
  mentionsDays,
} from './agreement.ts';
import type { AnswerPromise } from './first-day.ts';
import { listOpenWarnings, type Warning } from './lead-warnings.ts';
import { mustAskForAddress } from './missing-address.ts';
import { findNextAnswerDue } from './promised-answer.ts';
import { offerStateOf } from './offer-state.ts';
import type { AppliedPrice } from './receipt.ts';
import { listUndecidedMessages, wasAnswered } from './unanswered-messages.ts';
import { findUnsettledTime, formatClosedDays } from './visit.ts';

/** An offer with its sales tax, and the published deposit unless its text may change it. */
type PricedOffer = Offer & Pick<AppliedPrice, 'tax' | 'total' | 'deposit'>;

/** Price and hold of a request, as shown to both sides. */
export interface ShownTerms {
  /** The requested catalog item, on the terms that were promised. */
  item?: RequestedItem | undefined;
  /** The offer that can be accepted. */
  open?: PricedOffer | undefined;
  /** The provider’s message with the open offer. */
  openNote?: string | undefined;
  /** The offer that was accepted. */
  agreed?: PricedOffer | undefined;
  /** The open offer that ended because the provider confirmed the request without it. */
  ended?: PricedOffer | undefined;
  /**
   * The last offer on an undecided request if the customer declined it or did not accept it in
   * time, when it was made (ISO 8601), and the message with it.
   */
  lapsed?:
    | { offer: PricedOffer; ending: 'declined' | 'expired'; at: string; note: string | null }
    | undefined;
  /** The agreement before the request ended: the price as text for each side, and its offer. */
  previousAgreement?:
    { prices: Record<OfferReader, string>; offerId?: string | undefined } | undefined;
  /**
   * What the open or accepted offer is for, as text, if the provider did not say so: the held days
   * or the item.
   */
  offered?: string | undefined;
  /** The title of an item that is offered or agreed on but not held. */
  unheldItem?: string | undefined;
  /** What the customer must bring, pay or do; with an open offer, what the offer requires. */
  requirements?: string[] | undefined;
  /**
   * Published price as text, for the item and days of an open offer, even if another price applies.
   */
  published?: string | undefined;
  /**
   * Published prices of an item or a service without a total, one per line; absent for an offer.
   */
  prices?: string | undefined;
  /**
   * The published prices that the customer's receipt lists; absent for an item, and for a question
   * that was answered.
   */
  receiptPrices?: PriceText[] | undefined;
  /** What the customer's storefront costs once it is published, in words. */
  publishingPrice?: string | undefined;
  /**
   * Published price that applies to a confirmation without an offer: the price of what was
   * requested, or the only price in `receiptPrices`. Absent if nothing is sold, or if there is more
   * than one price, because only the provider knows which ones apply.
   */
  priceIfConfirmed?: string | undefined;
  /** What the published price excludes or depends on; absent if an offer has another price. */
  notes?: string | undefined;
  /** The shortest rental as text; absent if an offer may have another. */
  minimumTerm?: string | undefined;
  /**
   * Published notes, shortest rental and deposit, which apply to an offer unless it changes them.
   */
  publishedTerms?: string | undefined;
  /** The published total; absent if an offer has another price, and after the request has ended. */
  total?: RentalTotal | undefined;
  /** The published deposit as text; absent if an offer has another price. */
  deposit?: string | undefined;
  /** The published deposit as text if the description of the offer may change it. */
  possibleDeposit?: string | undefined;
  /** The price of the accepted offer, or else the published total. */
  price?: AppliedPrice | undefined;
  /** The sales tax that is added to every price, in percent. */
  salesTaxPercent?: number | undefined;
  /** Whether an offer's price is per month. */
  isMonthly?: boolean | undefined;
  /** Whether an offer can pay the customer, according to the registry. */
  providerMayPay?: boolean | undefined;
  /** When the hold expires, ISO 8601; absent if there is no hold or the hold is confirmed. */
  heldUntil?: string | undefined;
  /** The item and the days that a confirmation books, as text; absent if nothing is held. */
  booking?: string | undefined;
  /** The requested days on which the provider is closed, as text, while it can confirm them. */
  closedDays?: string | undefined;
  /** What a confirmation promises if nothing is held: days, a visit, or nothing. */
  promiseWithoutHold?: { days?: DayRange | undefined; isVisit: boolean } | undefined;
  /**
   * For an undecided request with days: the customer's messages that the provider has not decided
   * on, oldest first, and whether an offer can name different days; absent if there are no such
   * messages.
   */
  unanswered?: { messages: readonly string[]; allowsOtherDays: boolean } | undefined;
  /** Whether the provider has answered at least once, so that the request does not expire. */
  isAnswered?: boolean | undefined;
  /** Whether a confirmation only closes a question, without an offer. */
  closesQuestion?: boolean | undefined;
  /**
   * Whether the provider comes to the customer, and the customer has written nothing that looks
   * like a street address.
   */
  lacksAddress?: boolean | undefined;
  /**
   * What the provider wrote about an accepted or confirmed request; undefined in other states, or
   * if nothing was written.
   */
  agreement?: Agreement | undefined;
  /**
   * What the provider still has to arrange for a confirmed request although no answer is due: a
   * time, unless the accepted offer states it, or an agreement.
   */
  unsettledDetail?: 'timeOpen' | 'timeInOffer' | 'agreementOpen' | undefined;
  /** Whether the provider still has to call the customer, who gets no email, about its answer. */
  isCallDue?: boolean | undefined;
  /** The warnings in the lead's notice, which the customer reads. */
  warnings?: Warning[] | undefined;
  previewUrl?: string | undefined;
}

/** The open offer that a provider's confirmation ended. */
function findEndedOffer(log: LeadLog): Offer | undefined {
  const { entries } = log;
  const index = entries.findLastIndex(({ offer }) => offer);
  const state = offerStateOf(entries, index, { agreed: findAgreedOffer(log) });
  return state?.ending === 'confirmed_without' ? entries[index]!.offer : undefined;
}

/** The last offer, if it lapsed while the request stayed undecided. */
function findLapsedOffer(log: LeadLog, open: Offer | undefined) {
  const { entries } = log;
  const index = entries.findLastIndex(({ offer }) => offer);
  const state = offerStateOf(entries, index, { open, agreed: findAgreedOffer(log) });
  if (!state || !isUndecided(log.status)) return undefined;
  const { ending } = state;
  if (ending !== 'declined' && ending !== 'expired') return undefined;
  const { offer, at, note } = entries[index]!;
  return { offer: offer!, ending, at, note };
}

function findPriceAgreedBefore(log: LeadLog, site: Site): ShownTerms['previousAgreement'] {
  const entries = log.entries.slice(
    0,
    log.entries.findIndex(({ status }) => isEnded(status)),
  );
  const last = entries.at(-1);
  if (!last) return undefined;
  const { status, at } = last;
  const { agreed, priceIfConfirmed, salesTaxPercent } = shownTermsOf(
    { ...log, status, entries },
    new Date(at),
    site,
  );
  if (agreed)
    return {
      prices: {
        person: formatOfferedPrice(agreed, 'person', salesTaxPercent),
        provider: formatOfferedPrice(agreed, 'provider', salesTaxPercent),
      },
      offerId: agreed.offerId,
    };
  return status === 'confirmed' && priceIfConfirmed !== undefined
    ? { prices: { person: priceIfConfirmed, provider: priceIfConfirmed } }
    : undefined;
}

/**
 * The published prices if there is no total: the price of the item, or else
 * the prices of the service with their notes, one per line.
 */
const describeOtherPrices = ({ item, prices }: PublishedTerms): string | undefined =>
  item ? item.price : prices?.map(formatPriceText).join('\n');

/**
 * The prices of a service that takes a commission: what is due in addition to the price of an
 * offer, such as a fee for a first visit. Undefined for any other service, whose offers state the
 * whole price.
 */
const describeProceedsTerms = (
  { item, prices = [] }: PublishedTerms,
  log: LeadLog,
  registry: Registry,
): string | undefined =>
  item || findSubsite(registry, log.subsite)?.commission === undefined
    ? undefined
    : prices.map(formatPriceText).join(' ');

/** The answer that an accepted request awaits; undefined in any other state. */
function findPromiseAfterAcceptance(log: LeadLog, registry: Registry): AnswerPromise | undefined {
  const due = log.status === 'accepted' ? findNextAnswerDue(log, registry) : undefined;
  const since = log.entries.findLast(isAcceptance)?.at;
  return due === undefined || since === undefined
    ? undefined
    : { createdAt: log.createdAt, due, since };
}

/** The published price of an item, or of what is held, which is the price of the whole request. */
const formatPublishedPrice = ({ item, total }: PublishedTerms): string | undefined =>
  total ? formatTotalWithTax(total.price, total.withTax) : item?.price;

export function shownTermsOf(log: LeadLog, now: Date, site: Site): ShownTerms {
  const { registry } = site;
  const promisedTerms = publishedTermsOf(registry, log);
  const { item, total, prices, listsPrices, salesTaxPercent, publishingPrice, minimumTerm } =
    promisedTerms;
  const purpose = purposeOf(registry, log);
  const isSold = log.action !== null && purpose !== 'question';
  const receiptPrices = listsPrices && (isSold || log.status !== 'confirmed') ? prices : undefined;
  const action = actionOf(registry, log);
  const commonTerms = {
    item,
    receiptPrices,
    publishingPrice,
    salesTaxPercent,
    isMonthly: isPricedByMonth(findSubsite(registry, log.subsite)),
    providerMayPay: action?.providerMayPay,
  };
  const isCallDue = log.mustBeCalled === true && findEntryToCallAbout(log.entries) !== -1;
  if (isEnded(log.status))
    return { ...commonTerms, previousAgreement: findPriceAgreedBefore(log, site), isCallDue };
  // An open offer for a different item or different days has the published terms for that item and
  // those days.
  const logWithOfferedHold = withOfferedHold(log, now, registry);
  const offeredTerms =
    logWithOfferedHold === log ? promisedTerms : publishedTermsOf(registry, logWithOfferedHold);
  const addTerms = (offer: Offer | undefined): PricedOffer | undefined => {
    if (!offer || !isChargedPrice(offer)) return offer;
    const deposit = offer.description === undefined && offeredTerms.total?.depositAmount;
    return {
      ...offer,
      ...computeTax(offer.amount, salesTaxPercent),
      ...(deposit && { deposit }),
    };
  };
  const agreed = addTerms(findAgreedOffer(log));
  const agreement = findAgreement(log);
  const open = addTerms(findOpenOffer(conversationOf(log), now));
  const lapsed = findLapsedOffer(log, open);
  const shown = agreed || open ? undefined : total;
  const currentOffer = agreed ?? open;
  // Notes, for example about sales tax, apply only to what the customer pays.
  const isCharged = currentOffer === undefined || isChargedPrice(currentOffer);
  const publishedTerms = [
    isCharged && offeredTerms.item?.notes,
    isCharged && minimumTerm && explainMinimumTerm(minimumTerm),
    currentOffer?.payer !== 'provider' && describeProceedsTerms(promisedTerms, log, registry),
    offeredTerms.total?.deposit &&
      fill(text.depositSentence, { deposit: offeredTerms.total.deposit }),
  ]
    .filter(Boolean)
    .join(' ');
  const heldUntil = findLiveHold(log, now)?.expiresAt ?? undefined;
  const booking = log.hold && formatOfferedItem({ itemTitle: item?.title, ...log.hold });
  const isUnnamed = currentOffer && !currentOffer.description && !findOfferedHold(currentOffer);
  const days = findRequestedDays(log, registry);
  const undecidedMessages =
    isUndecided(log.status) && days ? listUndecidedMessages(log.entries, mentionsDays) : [];
  const canOffer = findStateAfterProviderAction('offer', conversationOf(log)) !== undefined;
  return {
    offered: isUnnamed ? (booking ?? item?.title) : undefined,
    unheldItem: currentOffer && action?.effect?.kind !== 'hold' ? item?.title : undefined,
    ...commonTerms,
    open,
    openNote: (open && log.entries.findLast(({ offer }) => offer)?.note) ?? undefined,
    agreed,
    ended: addTerms(findEndedOffer(log)),
    lapsed: lapsed && { ...lapsed, offer: addTerms(lapsed.offer)! },
    lacksAddress: mustAskForAddress(action, log),
    published: formatPublishedPrice(offeredTerms),
    priceIfConfirmed: isSold
      ? (formatPublishedPrice({ item, total }) ??
        (receiptPrices?.length === 1 ? receiptPrices[0]!.price : undefined))
      : undefined,
    ...(!agreed &&
      !open && {
        notes: item?.notes,
        minimumTerm: minimumTerm && formatMinimumTerm(minimumTerm),
        deposit: total?.deposit,
        prices: total || log.action === null ? undefined : describeOtherPrices(promisedTerms),
      }),
    ...(publishedTerms && { publishedTerms }),
    possibleDeposit:
      currentOffer && isCharged && currentOffer.description !== undefined
        ? offeredTerms.total?.deposit
        : undefined,
    requirements: listRequirements(action, logWithOfferedHold.fields),
    total: shown,
    price: agreed
      ? {
          amount: agreed.amount,
          ...(agreed.tax !== undefined && { tax: agreed.tax, total: agreed.total }),
          currency: agreed.currency,
          ...(agreed.payer && { payer: agreed.payer }),
          ...(agreed.per && { per: agreed.per }),
          offerId: agreed.offerId,
          ...(agreed.deposit !== undefined && { deposit: agreed.deposit }),
          ...(agreed.description !== undefined && { description: agreed.description }),
          ...(publishedTerms && { publishedTerms }),
        }
      : shown && {
          amount: shown.amount,
          ...computeTax(shown.amount, salesTaxPercent),
          currency: shown.currency,
          ...(shown.depositAmount !== undefined && { deposit: shown.depositAmount }),
          ...(item?.notes !== undefined && { terms: item.notes }),
        },
    booking,
    closedDays:
      isUndecided(log.status) && days
        ? formatClosedDays(findSubsite(registry, log.subsite), days)
        : undefined,
    promiseWithoutHold: log.hold ? undefined : { days, isVisit: action?.visitField !== undefined },
    unanswered:
      undecidedMessages.length > 0
        ? { messages: undecidedMessages, allowsOtherDays: canOffer && log.hold !== undefined }
        : undefined,
    heldUntil,
    isAnswered: wasAnswered(log.entries),
    closesQuestion: purpose === 'question' && !agreed && !open,
    agreement,
    unsettledDetail:
      findUnsettledTime(action, log, agreement) ??
      (log.status === 'confirmed' && action?.effect?.kind === 'storefront'
        ? 'agreementOpen'
        : undefined),
    isCallDue,
    warnings: listOpenWarnings(registry, {
      ...log,
      fields: logWithOfferedHold.fields,
      promise: log,
      promiseAfterAcceptance: findPromiseAfterAcceptance(log, registry),
      heldUntil,
    }),
  };
}
