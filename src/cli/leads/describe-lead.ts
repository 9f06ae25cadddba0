import { channelLabels, describeDeliveryFault } from '../../leads/deliveries/delivery-faults.ts';
import {
  describeUnsentReason,
  findUnsentReason,
  listUnplannedMessages,
  type UnsentMessage,
  type UnsentReason,
} from '../../leads/deliveries/unsent-messages.ts';
import { describeArrivalChannel } from '../../leads/entry-origin.ts';
import { FIRST_EVENT_KIND } from '../../leads/lead-rows.ts';
import type { LeadRecord } from '../../leads/lists/lead-records.ts';
import type { LeadSummary } from '../../leads/lists/list-leads.ts';
import { describeTerms } from '../../leads/status/describe-terms.ts';
import { describeSuspicions } from '../../leads/submit/suspicion.ts';
import { formatTimestamp } from '../dates.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import { formatReference } from '../../site/words/words.ts';

const CONTROL_CODES_PATTERN = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
/** Removes control codes from user input, because a terminal would interpret them. */
export const withoutControlCodes = (text: string): string =>
  text.replace(CONTROL_CODES_PATTERN, (found) => (found === '\n' ? '\n    ' : '\uFFFD'));

/** A line about a lead; `isAnswered` is true for a question that has been answered. */
export const formatSummary = (lead: LeadSummary, timeZone: string, isAnswered = false): string =>
  withoutControlCodes(
    [
      formatReference(lead.reference),
      lead.status.padEnd(12),
      formatTimestamp(lead.createdAt, timeZone),
      `${lead.subsite}${lead.action ? `.${lead.action}` : ''}`,
      lead.name ?? lead.email ?? lead.phone ?? '-',
      ...(isAnswered ? ['answered'] : []),
      ...(lead.emergency ? ['emergency'] : []),
      ...(lead.undelivered
        ? [
            lead.status === 'erased'
              ? 'erasure not delivered to the provider'
              : 'not delivered to the provider',
          ]
        : []),
      ...(lead.undeliveredToPerson ? ['email to the customer not delivered'] : []),
      ...(lead.suspicions.length ? ['suspected spam'] : []),
    ].join('  '),
  );

type History = LeadRecord['history'];

/** What the entry at a position in the history did: an offer, a message or the new state. */
const describeStep = (history: History, index: number): string =>
  history[index]?.offer
    ? 'offer'
    : history[index]?.status === history[index - 1]?.status
      ? 'message'
      : (history[index]?.status ?? 'change');

/** What an event reports, in words. */
const describeEventKind = (
  { kind, revision }: Pick<LeadRecord['deliveries'][number], 'kind' | 'revision'>,
  history: History,
): string =>
  kind === FIRST_EVENT_KIND
    ? 'new request'
    : history[revision - 1]
      ? `${describeStep(history, revision - 1)} by ${history[revision - 1]!.actor}`
      : 'change';

/** A delivery and, if it was not sent, the reason and what to do. */
function describeDelivery(
  {
    event,
    kind,
    revision,
    channel,
    attempts,
    outcome,
    lastOutcome,
    lastResponse,
    sentAt,
    dueAt,
  }: LeadRecord['deliveries'][number],
  unsentReason: UnsentReason | undefined,
  history: History,
  timeZone: string,
): string[] {
  const fault = lastOutcome ?? outcome;
  const state = sentAt
    ? `arrived ${formatTimestamp(sentAt, timeZone)}`
    : dueAt
      ? `next attempt ${formatTimestamp(dueAt, timeZone)}`
      : outcome
        ? 'not delivered'
        : 'waiting';
  return [
    `  ${event}  ${describeEventKind({ kind, revision }, history)}, ${channelLabels[channel] ?? channel}: ${state}, ${formatQuantity(attempts, 'attempt')}`,
    ...(unsentReason !== undefined
      ? [`    ${describeUnsentReason(unsentReason)}`]
      : sentAt || !fault
        ? []
        : [`    ${describeDeliveryFault(channel, fault, lastResponse)}`]),
  ];
}

export function describeLead(
  lead: LeadRecord,
  terms: ReturnType<typeof describeTerms>,
  nextAnswerDue: string | undefined,
  unsentMessages: readonly UnsentMessage[],
  timeZone: string,
  isAnswered: boolean,
): string[] {
  const formatLocalTime = (iso: string) => formatTimestamp(iso, timeZone);
  const formatValue = (content: unknown) =>
    withoutControlCodes(typeof content === 'string' ? content : JSON.stringify(content));
  const formatPairs = (entries: Record<string, unknown> | null) =>
    Object.entries(entries ?? {}).map(
      ([name, inner]) => `  ${withoutControlCodes(name)}: ${formatValue(inner)}`,
    );
  const contact = formatPairs(
    Object.fromEntries(
      Object.entries({ name: lead.name, email: lead.email, phone: lead.phone }).filter(
        ([, inner]) => inner !== null,
      ),
    ),
  );
  return [
    formatSummary(lead, timeZone, isAnswered),
    `  created ${formatLocalTime(lead.createdAt)}, ${describeArrivalChannel(lead.channel)}, source ${withoutControlCodes(lead.source)}; ${nextAnswerDue === undefined ? 'no answer is due' : `answer due by ${formatLocalTime(nextAnswerDue)}`}; ${lead.status === 'erased' ? 'only its states, times and reference remain' : `kept until ${formatLocalTime(lead.eraseAt)}`}`,
    ...describeSuspicions(lead.suspicions).map((sentence) => `  ${sentence}`),
    ...(lead.repeatOf ? [`  the same person asked before: ${formatReference(lead.repeatOf)}`] : []),
    ...(contact.length ? ['Contact', ...contact] : []),
    ...(Object.keys(lead.fields).length ? ['Fields', ...formatPairs(lead.fields)] : []),
    ...(lead.data ? ['Data', ...formatPairs(lead.data)] : []),
    ...(terms.length ? ['Terms', ...formatPairs(Object.fromEntries(terms))] : []),
    'History',
    ...lead.history.map(({ at, actor, note, offer }, index) => {
      const action = offer
        ? `offered ${offer.amount} ${offer.currency}${offer.per ? ` per ${offer.per}` : ''}${offer.payer ? ' paid by the provider' : ''}${offer.item === undefined ? '' : ` for ${offer.item} from ${offer.from} to ${offer.to}`}${offer.confirmOnAccept ? ', confirmed when accepted,' : ''} until ${formatLocalTime(offer.expiresAt)}`
        : describeStep(lead.history, index);
      const details = [offer?.description, note].filter((text) => text).join(' / ');
      return `  ${formatLocalTime(at)}  ${action} by ${actor}${details ? `: ${withoutControlCodes(details)}` : ''}`;
    }),
    'Deliveries',
    ...lead.deliveries.flatMap((delivery) =>
      describeDelivery(
        delivery,
        findUnsentReason(delivery, unsentMessages),
        lead.history,
        timeZone,
      ),
    ),
    ...listUnplannedMessages(lead, unsentMessages).map(
      ({ event, kind, revision, channel, ...reason }) =>
        `  ${event}  ${describeEventKind({ kind, revision }, lead.history)}, ${reason.isBeingSent ? '' : 'no '}${channelLabels[channel]}: ${describeUnsentReason(reason)}`,
    ),
  ];
}
