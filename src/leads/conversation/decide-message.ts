import type { Call } from '../../operation/operation.ts';
import { Problem } from '../../operation/problem.ts';
import { createInputProblem } from '../../operation/validate.ts';
import { phoneOf } from '../../site/phone.ts';
import { findSubsite, type Registry } from '../../site/registry.ts';
import type { Site } from '../../site/site.ts';
import { isEnded } from '../lead-states.ts';
import {
  ENDED_REQUEST_TEXT,
  findMessageLimit,
  findStateAfterCustomerAction,
  MAX_CUSTOMER_TEXT_LENGTH,
  MAX_ENTRIES,
  MAX_UNANSWERED,
  nextActionsOf,
  findOpenOffer,
} from './conversation.ts';
import { type CustomerMessage, OFFER_RULE } from './customer-message.ts';
import { type LeadLog, conversationOf } from '../lead-log.ts';
import { offerStateOf } from '../status/offer-state.ts';
import { findAgreedOffer } from '../status/agreement.ts';
import { storedNoteOf } from '../write-entry.ts';
import { fill } from '../../text/fill.ts';
import { customerForm, endedOfferReasons, messageLimits, states } from '../../text/index.ts';
import { locale } from '../../language.ts';

const limitValues = {
  entries: MAX_ENTRIES,
  length: MAX_CUSTOMER_TEXT_LENGTH,
  unanswered: MAX_UNANSWERED,
};

/**
 * Explains in one or two sentences why an action is not allowed. For forms, it uses the titles of
 * states instead of their codes.
 */
function explainRejection(
  customerMessage: CustomerMessage,
  log: LeadLog,
  { isFormMessage, registry }: { isFormMessage: boolean; registry: Registry },
): string {
  const state = isFormMessage ? states[log.status].title : log.status;
  const conversation = conversationOf(log);
  const { offer } = conversation;
  const limit = customerMessage.action === 'reply' && findMessageLimit(conversation);
  if (limit && !isEnded(log.status))
    return fill(messageLimits[limit], {
      maximum: limitValues[limit].toLocaleString(locale),
      phone: phoneOf(findSubsite(registry, log.subsite), registry),
    });
  if (customerMessage.action !== 'accept' && customerMessage.action !== 'decline')
    return `The request ${customerMessage.action === 'reply' ? 'accepts no more replies' : isFormMessage ? 'cannot be canceled' : 'cannot be withdrawn'}: its state is ${isFormMessage ? `“${state}”` : state}.`;
  if (customerMessage.offerId === undefined) return 'There is no open offer.';
  const index = log.entries.findIndex((entry) => entry.offer?.offerId === customerMessage.offerId);
  if (index === -1) return 'This request has no such offer.';
  const { ending } = offerStateOf(log.entries, index, { agreed: findAgreedOffer(log) })!;
  if (ending === undefined) return 'This offer is no longer open: it was accepted.';
  if (ending === 'replaced' && offer && !isFormMessage)
    return `A newer offer has replaced this one: ${offer.offerId}.`;
  return fill(endedOfferReasons[ending], { state });
}

/**
 * Whether a message withdraws an already withdrawn request and adds no new text. A caller that
 * missed the response must not conclude that the request is still open.
 */
const isRepeatedWithdrawal = (
  { action, text }: CustomerMessage,
  { status, entries }: LeadLog,
  site: Site,
): boolean =>
  action === 'withdraw' &&
  status === 'withdrawn' &&
  (text === undefined || storedNoteOf(text, { site }) === entries.at(-1)?.note);

/**
 * Whether a person resends the text of their latest message although nothing has happened since,
 * for example from a page that they went back to. Checked only for forms, because other channels
 * use idempotency keys.
 */
const isRepeatedMessage = (
  { action, text }: CustomerMessage,
  { entries }: LeadLog,
  { channel, site }: Pick<Call, 'channel'> & { site: Site },
): boolean => {
  const lastEntry = entries.at(-1);
  return (
    channel === 'form' &&
    action === 'reply' &&
    lastEntry?.actor === 'person' &&
    lastEntry.note === storedNoteOf(text, { site })
  );
};

/**
 * The effect of a message on a lead at `now`; undefined for a repeated withdrawal.
 * @throws {Problem} conflict when its state does not allow it
 */
export function decideMessage(
  customerMessage: CustomerMessage,
  log: LeadLog,
  now: Date,
  { channel, site }: Pick<Call, 'channel'> & { site: Site },
) {
  if (isRepeatedWithdrawal(customerMessage, log, site)) return undefined;
  if (isRepeatedMessage(customerMessage, log, { channel, site }))
    throw new Problem('conflict', customerForm.alreadySent);
  const conversation = conversationOf(log);
  const openOffer = findOpenOffer(conversation, now);
  if ('offerId' in customerMessage && customerMessage.offerId === undefined && openOffer)
    throw createInputProblem(`/${customerMessage.action}`, OFFER_RULE, [openOffer.offerId]);
  const targetsOpenOffer =
    !('offerId' in customerMessage) ||
    (openOffer && openOffer.offerId === customerMessage.offerId) ||
    undefined;
  const to =
    targetsOpenOffer && findStateAfterCustomerAction(customerMessage.action, conversation, now);
  if (to) return { to, note: customerMessage.text };
  const next = nextActionsOf(conversation, now);
  // Pages already show the allowed actions.
  const isFormMessage = channel === 'form';
  const listsNextActions = !isFormMessage && next.length > 0;
  throw new Problem(
    'conflict',
    [
      explainRejection(customerMessage, log, { isFormMessage, registry: site.registry }),
      ...(listsNextActions
        ? [isEnded(log.status) ? ENDED_REQUEST_TEXT : `Allowed actions: ${next.join(', ')}.`]
        : []),
    ].join(' '),
    {
      next,
      ...(listsNextActions &&
        openOffer &&
        !targetsOpenOffer && {
          errors: [
            {
              pointer: `/${customerMessage.action}`,
              message: OFFER_RULE,
              allowed: [openOffer.offerId],
            },
          ],
        }),
    },
  );
}
