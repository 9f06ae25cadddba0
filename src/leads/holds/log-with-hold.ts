import type { HoldEffect } from '../../registry/schemas/action.ts';
import { computePublishedTerms } from '../../site/forms/published-terms.ts';
import { actionOf, type Registry } from '../../site/registry.ts';
import { findOfferedHold, findOpenOffer } from '../conversation/conversation.ts';
import {
  conversationOf,
  type HeldItem,
  isAcceptance,
  rewindLog,
  type LeadLog,
} from '../lead-log.ts';

/** The effect of a lead's action, if it is a hold. */
export function holdEffectOf(log: LeadLog, registry: Registry): HoldEffect | undefined {
  const effect = actionOf(registry, log)?.effect;
  return effect?.kind === 'hold' ? effect : undefined;
}

/**
 * Sets the fields of a lead to an item and days. A different item or different days get the current
 * terms.
 */
function withHeldItemFields(
  log: LeadLog,
  { item, from, to }: HeldItem,
  effect: HoldEffect,
  registry: Registry,
): LeadLog {
  const { itemField, fromField, toField } = effect;
  const { [itemField]: oldItem, [fromField]: oldFrom, [toField]: oldTo } = log.fields;
  if (oldItem === item && oldFrom === from && (oldTo ?? from) === to) return log;
  const fields = {
    ...log.fields,
    [itemField]: item,
    [fromField]: from,
    ...((to !== from || oldTo !== undefined) && { [toField]: to }),
  };
  return { ...log, fields, terms: computePublishedTerms(registry, { ...log, fields }) };
}

/** A lead whose fields specify the item and days of its hold, which an offer may have changed. */
export function withHoldFields(log: LeadLog, registry: Registry): LeadLog {
  const effect = holdEffectOf(log, registry);
  return effect && log.hold ? withHeldItemFields(log, log.hold, effect, registry) : log;
}

/**
 * A lead as it was after its first `revision` entries. Its fields contain what the person had
 * requested by then, even if they later accepted an offer that replaced it.
 */
export function rewindRequest(log: LeadLog, revision: number, registry: Registry): LeadLog {
  const { entries } = log;
  const acceptanceIndex = entries.findIndex(
    (entry, index) =>
      index >= revision && isAcceptance(entry) && entries[index - 1]?.status === 'quoted',
  );
  const held = entries.slice(0, Math.max(acceptanceIndex, 0)).findLast(({ offer }) => offer)?.held;
  const effect = holdEffectOf(log, registry);
  if (!held || !effect) return rewindLog(log, revision, log.hold);
  // The end of the replaced hold is not stored.
  return withHeldItemFields(rewindLog(log, revision, undefined), held, effect, registry);
}

/**
 * A lead as it will be after its open offer is accepted, with the offer's hold. Unchanged if the
 * offer has no hold.
 */
export function withOfferedHold(log: LeadLog, time: Date, registry: Registry): LeadLog {
  const offer = findOpenOffer(conversationOf(log), time);
  const days = offer && findOfferedHold(offer);
  if (!offer || !days) return log;
  const { item, from, to } = days;
  return withHoldFields({ ...log, hold: { item, from, to, expiresAt: offer.expiresAt } }, registry);
}
