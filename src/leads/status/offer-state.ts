import type { Offer } from '../conversation/conversation.ts';
import type { LogEntry } from '../lead-log.ts';
import { isEnded } from '../lead-states.ts';

/** Whether an offer can be accepted, was accepted, or neither. */
export const offerStates = ['open', 'accepted', 'ended'] as const;

/**
 * How an offer ended without being accepted: declined by the person, replaced by another offer, not
 * accepted in time, ended when the request was confirmed without it, or ended along with the
 * request.
 */
export const offerOutcomes = [
  'declined',
  'replaced',
  'expired',
  'confirmed_without',
  'request_ended',
] as const;

/** State of an offer, for every page and document that shows it. */
export interface OfferState {
  state: (typeof offerStates)[number];
  /** How the offer ended; present only if it ended. */
  ending?: (typeof offerOutcomes)[number];
}

/** The offers of a lead that determine the states of all its offers. */
interface DecisiveOffers {
  open?: Pick<Offer, 'offerId'> | undefined;
  agreed?: Pick<Offer, 'offerId'> | undefined;
  /** The offer that was accepted before the lead ended, if any. */
  previousAgreement?: { offerId?: string | undefined } | undefined;
}

type Entry = Pick<LogEntry, 'offer' | 'status' | 'at' | 'actor'>;

function endingOf({ offer, status, actor }: Entry): OfferState['ending'] {
  if (offer) return 'replaced';
  if (isEnded(status)) return 'request_ended';
  if (status === 'confirmed' && actor !== 'person') return 'confirmed_without';
  return status === 'acknowledged' ? 'declined' : undefined;
}

/** State of the offer in the entry at `index`; undefined if it has none. */
export function offerStateOf(
  entries: readonly Entry[],
  index: number,
  { open, agreed, previousAgreement }: DecisiveOffers,
): OfferState | undefined {
  const offer = entries[index]?.offer;
  if (!offer) return undefined;
  if (offer.offerId === open?.offerId) return { state: 'open' };
  if (offer.offerId === (agreed ?? previousAgreement)?.offerId) return { state: 'accepted' };
  const end = entries.slice(index + 1).find((entry) => endingOf(entry) !== undefined);
  return {
    state: 'ended',
    ending: end && end.at < offer.expiresAt ? endingOf(end)! : 'expired',
  };
}

/** The offer that the one in the entry at `index` replaced; undefined if none was open. */
export function findReplacedOffer(
  entries: readonly Entry[],
  index: number,
): Entry['offer'] | undefined {
  if (!entries[index]?.offer) return undefined;
  const before = entries.slice(0, index).findLastIndex(({ offer }) => offer);
  const state = offerStateOf(entries.slice(0, index + 1), before, {});
  return state?.ending === 'replaced' ? entries[before]!.offer : undefined;
}

/** States of a lead's offers, by offer ID. */
export const offerStatesOf = (
  entries: readonly Entry[],
  terms: DecisiveOffers,
): Readonly<Record<string, OfferState>> =>
  Object.fromEntries(
    entries.flatMap(({ offer }, index) =>
      offer ? [[offer.offerId, offerStateOf(entries, index, terms)!] as const] : [],
    ),
  );
