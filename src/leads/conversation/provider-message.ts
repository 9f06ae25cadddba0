import type { Context } from '../../operation/context.ts';
import { normalizeTexts } from '../../operation/normalize-text.ts';
import { type InputFault, Problem } from '../../operation/problem.ts';
import { actionOf, findSubsite } from '../../site/registry.ts';
import { isObject } from '../../site/json-object.ts';
import {
  createInputProblem,
  createMissingNameFault,
  throwIfAnyFaults,
} from '../../operation/validate.ts';
import { storedNoteOf, writeEntry } from '../write-entry.ts';
import type { EntryOrigin } from '../entry-origin.ts';
import { createLeadChangedProblem } from '../lead-changed.ts';
import {
  findStateAfterProviderAction,
  findOfferedHold,
  findOpenOffer,
  type Offer,
  type ProviderAction,
} from './conversation.ts';
import { createOffer } from './create-offer.ts';
import {
  canSetVisit,
  type EnteredVisit,
  findVisitStart,
  listVisitFaults,
  listClosedDayFaults,
  listMissingTimeFaults,
  withVisitTime,
} from './visit-time.ts';
import { checkContent, findTextRule, type ProviderContent } from './provider-content.ts';
import { findLatestExpiry, parseOfferedHold } from '../holds/offered-hold.ts';
import { createRefusedActionProblem } from './refused-action.ts';
import { listPriceFaults, describeOpenOffer } from './offered-price.ts';
import { digestCanonicalJson } from '../../operation/canonical-digest.ts';
import { type LeadLog, type LogEntry, readLog, conversationOf } from '../lead-log.ts';
import { isCancellation, type LeadStatus } from '../lead-states.ts';
import type { AppliedPrice } from '../status/receipt.ts';
import { findReplaceableText } from '../status/agreement.ts';
import { shownTermsOf } from '../status/shown-terms.ts';
import { describeSentConfirmation, describeUndecidedMessages } from '../status/describe-terms.ts';
import { acceptedOffer, answer as answerTexts, cancellation, change } from '../../text/index.ts';
import { fill } from '../../text/fill.ts';

/**
 * Error for a confirmation that does not say whether it accepts an open offer that differs from the
 * request.
 */
const OFFER_DIFFERS_FAULT: InputFault = {
  pointer: '/accepted',
  message:
    'The open offer is for a different item or different days. If the person accepted it, send accepted: true. To confirm what they requested instead, send accepted: false.',
  instruction: fill(acceptedOffer.offersOther, acceptedOffer),
};

export interface ProviderMessage {
  receiptToken: string;
  action: ProviderAction;
  actor: 'provider' | 'operator';
  /**
   * Number of history entries that the caller has read; the action is rejected if there are more.
   */
  revision?: number | undefined;
  origin?: EntryOrigin | undefined;
  /** Where the caller read the lead: in a message with a link (the default) or on a page. */
  from?: 'link' | 'page' | undefined;
  /** `form` if the action comes from a form, so that rejections are worded for people. */
  channel?: 'form' | undefined;
  /** Whether the sender of a form checked the box to cancel a confirmed request. */
  isSure?: boolean | undefined;
  /**
   * The visit's day and time, as entered in a form; the text of an offer or confirmation begins
   * with them.
   */
  visit?: EnteredVisit | undefined;
  /** Closed days of an offer or a visit that the provider confirmed in the form. */
  checkedDays?: string | undefined;
  /** Idempotency key of the form. Repeats of the same body with the same key are ignored. */
  key?: string | undefined;
}

/** The item and days in the body of an offer, except malformed values. */
function extractHoldInputs(body: unknown, errors: readonly InputFault[]) {
  const days: Partial<Record<'item' | 'from' | 'to', string>> = {};
  for (const name of ['item', 'from', 'to'] as const) {
    const value = isObject(body) && body[name];
    if (typeof value === 'string' && !errors.some(({ pointer }) => pointer === `/${name}`))
      days[name] = value;
  }
  return days;
}

/**
 * Whether the latest entry already has this text, which the Back button may have restored in a
 * form.
 */
function isRepeatedText(text: string | undefined, { entries }: LeadLog, context: Context): boolean {
  const newestEntry = entries.at(-1);
  return newestEntry?.actor !== 'person' && newestEntry?.note === storedNoteOf(text, context);
}

const formatErrors = (channel: 'form' | undefined, errors: readonly InputFault[]): InputFault[] =>
  errors.map((error) =>
    channel === 'form' ? { ...error, message: error.instruction ?? error.message } : error,
  );

/**
 * Whether a confirmation accepts the open offer. If the offer is for a different item or different
 * days than requested, the caller must say which to confirm.
 * @throws {Problem} invalid_input
 */
function classifyConfirmation(
  { accepted }: ProviderContent,
  open: Offer | undefined,
  isConfirmed: boolean,
  channel: 'form' | undefined,
): LogEntry['kind'] {
  if (accepted && !open)
    throw createInputProblem(
      '/accepted',
      isConfirmed ? acceptedOffer.alreadyConfirmed : acceptedOffer.noOpenOffer,
    );
  if (accepted === undefined && open && findOfferedHold(open))
    throwIfAnyFaults(formatErrors(channel, [OFFER_DIFFERS_FAULT]));
  return accepted ? 'phone_acceptance' : undefined;
}

/** Adds the visit's day and time to the text in a body if the action can set them. */
const addVisitTime = (body: unknown, action: ProviderAction, visit: EnteredVisit): unknown => {
  if (!isObject(body) || !canSetVisit(action)) return body;
  const text = withVisitTime(typeof body['text'] === 'string' ? body['text'] : undefined, visit);
  return text === undefined ? body : { ...body, text };
};

/**
 * The error for canceling a confirmed request in a form without checking the box; empty if it is
 * checked.
 */
export const listCheckboxErrors = (isSure: boolean | undefined): InputFault[] =>
  isSure ? [] : [{ pointer: '/sure', message: cancellation.unchecked }];

/**
 * Carries out an action of the provider, or of the operator acting for the provider. Returns the
 * resulting state, or the current state if the action was already carried out with the same key.
 * @throws {Problem} unknown_receipt; gone when the lead was erased or has changed since `revision`;
 * conflict when its state does not allow the action or another request holds the item;
 * invalid_input
 */
export async function sendAsProvider(
  {
    receiptToken,
    action,
    actor,
    origin,
    revision,
    from,
    channel,
    isSure,
    visit = {},
    checkedDays,
    key,
  }: ProviderMessage,
  rawBody: unknown,
  context: Context,
): Promise<LeadStatus> {
  const body = addVisitTime(normalizeTexts(rawBody), action, visit);
  const digest = digestCanonicalJson({ lead: receiptToken, action, body });
  const result = await writeEntry(
    {
      receiptToken,
      actor,
      origin,
      // The key includes the body, because a page that the Back button restores still has the
      // previous key.
      intent: key === undefined ? undefined : { scope: 'answer', key: `${key} ${digest}`, digest },
      decide(log, time) {
        if (revision !== undefined && log.entries.length !== revision)
          throw createLeadChangedProblem(log, revision, from);
        const conversation = conversationOf(log);
        const to = findStateAfterProviderAction(action, conversation);
        if (!to) throw createRefusedActionProblem(action, log, from);
        const { content: message, errors } = checkContent(action, body);
        const boxErrors =
          channel === 'form' && isCancellation(log.status, to) ? listCheckboxErrors(isSure) : [];
        const textRule = findTextRule(action, log.status);
        const visitErrors = canSetVisit(action)
          ? listVisitFaults(visit, time, context.site.registry.network.timeZone)
          : [];
        if (textRule && message && !message.text && visitErrors.length === 0)
          throw new Problem('invalid_input', textRule.detail, {
            errors: formatErrors(channel, [
              createMissingNameFault('/text', textRule.rule, { instruction: textRule.rule }),
              ...boxErrors,
            ]),
          });
        const parsedHold =
          action === 'offer'
            ? parseOfferedHold(extractHoldInputs(body, errors), log, { at: time, channel }, context)
            : undefined;
        throwIfAnyFaults(
          formatErrors(channel, [
            ...errors,
            ...boxErrors,
            ...visitErrors,
            ...(parsedHold?.errors ?? []),
          ]),
        );
        const { text: note, ...content } = message!;
        const isConfirmed = log.status === 'confirmed';
        const isRepeatAllowed =
          action === 'reply' ? channel !== 'form' : !isConfirmed || action !== 'confirm';
        if (!isRepeatAllowed && isRepeatedText(note, log, context))
          throw new Problem('conflict', answerTexts.alreadySent);
        if (
          isConfirmed &&
          action === 'confirm' &&
          storedNoteOf(note, context) === findReplaceableText(log)
        )
          throw createInputProblem('/text', change.unchanged);
        const { registry } = context.site;
        const service = findSubsite(registry, log.subsite);
        const { visitDay } = visit;
        const visitDays = visitDay === undefined ? undefined : { from: visitDay, to: visitDay };
        if (action === 'confirm') {
          throwIfAnyFaults(listClosedDayFaults(visitDays, checkedDays, service));
          return {
            to,
            note,
            kind:
              classifyConfirmation(
                content,
                findOpenOffer(conversation, time),
                isConfirmed,
                channel,
              ) ?? (isConfirmed ? 'change' : undefined),
          };
        }
        if (action !== 'offer') return { to, note };
        const hold = parsedHold?.hold;
        const days = hold ?? log.hold;
        const isVisit = actionOf(registry, log)?.visitField !== undefined;
        const { amount, currency } = content as Offer;
        if (channel === 'form')
          throwIfAnyFaults([
            ...listClosedDayFaults(days ?? visitDays, checkedDays, service),
            ...listPriceFaults({ ...content, amount, currency }, log, hold, registry),
            ...(isVisit ? listMissingTimeFaults({ ...content, note }) : []),
          ]);
        const firstDays = days ?? visitDays;
        const latestExpiryTime =
          findVisitStart(visit, registry.network.timeZone) ??
          (firstDays && findLatestExpiry(log, firstDays, time, registry));
        const offer = createOffer(
          content,
          log.subsite,
          { at: time, latest: latestExpiryTime, channel },
          context,
        );
        return { to, note, channel, offer: { ...offer, ...hold } };
      },
    },
    context,
  );
  return (result?.log ?? (await readLog(receiptToken, context))).status;
}

export interface ProviderOutcome {
  status: LeadStatus;
  /** Price of a confirmed request; absent if no total is published. */
  price?: AppliedPrice | undefined;
  /** ID of the open offer that the confirmation ended. */
  endedOffer?: string | undefined;
  /** When an offer expires, ISO 8601. */
  expiresAt?: string | undefined;
  /**
   * Describes the price and the ended offer, or the expiry of an offer, and quotes messages that a
   * confirmation left unresolved.
   */
  says?: string | undefined;
}

/**
 * Carries out a provider's action and describes the outcome, for programs and commands.
 * @throws {Problem} as {@link sendAsProvider}
 */
export async function answerAsProvider(
  message: ProviderMessage,
  body: unknown,
  context: Context,
): Promise<ProviderOutcome> {
  const earlierLog =
    message.action === 'confirm' ? await readLog(message.receiptToken, context) : undefined;
  const status = await sendAsProvider(message, body, context);
  if (message.action !== 'confirm' && message.action !== 'offer') return { status };
  const log = await readLog(message.receiptToken, context);
  const terms = shownTermsOf(log, context.now(), context.site);
  if (message.action === 'offer') {
    const { open } = terms;
    if (!open) return { status };
    const says = describeOpenOffer(log, open, context.site.registry);
    return { status, expiresAt: open.expiresAt, says };
  }
  const { price, ended } = terms;
  const warning =
    earlierLog &&
    describeUndecidedMessages(shownTermsOf(earlierLog, context.now(), context.site), 'confirmed');
  const says = [describeSentConfirmation(terms), warning].filter(Boolean).join(' ');
  return {
    status,
    ...(price && { price }),
    ...(ended && { endedOffer: ended.offerId }),
    ...(says && { says }),
  };
}
