import { expect } from 'vitest';
import { taskStates } from '../../src/a2a/lead-task.ts';
import type {
  CustomerAction,
  Offer,
  ProviderAction,
} from '../../src/leads/conversation/conversation.ts';
import { type LeadLog, readLog } from '../../src/leads/lead-log.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { listEnteredValues } from '../../src/leads/status/lead-request.ts';
import type { LeadStatus } from '../../src/leads/lead-states.ts';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { actionOf } from '../../src/site/registry.ts';
import { dataIn } from '../a2a/setup/endpoint.ts';
import type { Fixture } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';
import type { openChannels, LeadIds } from './channels.ts';

/** A message sent with an action. Every message’s text is unique. */
export type SentMessage = { text: string } & (
  | { actor: 'person'; action: Exclude<CustomerAction, 'erase'> }
  | { actor: 'provider'; action: ProviderAction }
);

const finalStates: readonly LeadStatus[] = ['declined', 'withdrawn', 'expired', 'erased'];
/**
 * Target state of each provider action, followed by the states that allow it. Replying and
 * declining are handled separately.
 */
const transitions: Readonly<
  Partial<Record<ProviderAction, readonly [LeadStatus, ...LeadStatus[]]>>
> = {
  acknowledge: ['acknowledged', 'new', 'needs_info'],
  ask: ['needs_info', 'new', 'acknowledged', 'needs_info'],
  offer: ['quoted', 'new', 'acknowledged', 'quoted'],
  confirm: ['confirmed', 'new', 'acknowledged', 'quoted', 'accepted', 'confirmed'],
};

/**
 * The state after an action, or undefined if the action is not allowed. `offer` is the open offer.
 */
export function stateAfter(
  { actor, action }: Pick<SentMessage, 'actor' | 'action'>,
  from: LeadStatus,
  offer: Pick<Offer, 'confirmOnAccept'> | undefined,
): LeadStatus | undefined {
  if (finalStates.includes(from)) return undefined;
  if (actor === 'provider') {
    if (action === 'reply') return from;
    if (action === 'decline') return 'declined';
    const [to, ...states] = transitions[action as ProviderAction]!;
    return states.includes(from) ? to : undefined;
  }
  switch (action) {
    case 'reply':
      return from === 'needs_info' ? 'acknowledged' : from;
    case 'withdraw':
      return 'withdrawn';
    case 'accept':
      return offer && (offer.confirmOnAccept ? 'confirmed' : 'accepted');
    default:
      return offer && 'acknowledged';
  }
}

/** The open offer after the given entries. */
export function computeOpenOffer(entries: LeadLog['entries'], time: string): Offer | undefined {
  const since = entries.findLastIndex(({ status }) => status !== 'quoted') + 1;
  const offer = entries.slice(since).findLast((entry) => entry.offer)?.offer;
  return offer && offer.expiresAt > time ? offer : undefined;
}

/** Checks that the history contains every message once, in a valid order. */
export function expectHistory({ entries }: LeadLog, sentMessages: readonly SentMessage[]): void {
  expect(entries[0]).toMatchObject({ status: 'new', actor: 'person', note: null });
  expect(
    entries
      .slice(1)
      .flatMap(({ note }) => note ?? [])
      .sort(),
  ).toEqual(sentMessages.map(({ text }) => text).sort());
  for (const [index, { status, at, note, actor }] of entries.entries()) {
    if (index === 0) continue;
    const earlierEntries = entries.slice(0, index);
    if (note === null) {
      expect([earlierEntries.at(-1)!.status, status, actor]).toEqual(['new', 'expired', 'system']);
      continue;
    }
    const message = sentMessages.find(({ text }) => text === note)!;
    expect(status, note).toBe(
      stateAfter(message, earlierEntries.at(-1)!.status, computeOpenOffer(earlierEntries, at)),
    );
    expect(actor === 'person', note).toBe(message.actor === 'person');
  }
}

/**
 * Checks that the tables, the views of all channels and the delivered events agree about a lead.
 */
export async function expectAgreement(
  { token, reference, task }: LeadIds,
  fixture: Fixture,
  channels: Awaited<ReturnType<typeof openChannels>>,
): Promise<void> {
  const log = await readLog(token, fixture.context);
  const { entries, status } = log;
  const now = fixture.context.now().toISOString();
  const open = computeOpenOffer(entries, now);
  const [row] = (await fixture.rows('leads')).filter((lead) => lead['token'] === token);
  expect(row!['status']).toBe(entries.at(-1)!.status);

  const shown = (await (
    await client(fixture).get('/api/lead/{receipt}', { receipt: token })
  ).json()) as any;
  const texts = entries.flatMap(({ note }) => note ?? []);
  expect(shown).toMatchObject({ status, receiptToken: token, updatedAt: entries.at(-1)!.at });
  // The status adds the price's published terms, sales tax, and the deposit unless the offer's
  // description may change it.
  const { publishedTerms: _, deposit, tax, total, ...shownOffer } = shown.offer ?? {};
  expect(shownOffer).toEqual(open ?? {});
  const action = actionOf(fixture.context.site.registry, log)!;
  const effect = action.effect as HoldEffect;
  const isTaxed = open && open.payer !== 'provider' && Number(open.amount) > 0;
  const expectedTax =
    isTaxed && action.salesTaxPercent !== undefined
      ? Math.round(Number(open.amount) * action.salesTaxPercent) / 100
      : undefined;
  expect([tax, total]).toEqual([
    expectedTax?.toFixed(2),
    expectedTax && (Number(open!.amount) + expectedTax).toFixed(2),
  ]);
  expect(deposit).toBe(
    open && open.description === undefined ? effect.deposit?.toFixed(2) : undefined,
  );
  expect(shown.messages.map(({ text }: { text: string }) => text)).toEqual(texts);
  const customerActions = ['reply', 'accept', 'decline', 'withdraw'] as const;
  expect(shown.next).toEqual([
    ...customerActions.filter((action) => stateAfter({ actor: 'person', action }, status, open)),
    'erase',
  ]);

  const [hold] = (await fixture.rows('holds')).filter(({ lead }) => lead === token);
  expect(hold!['released_at'] !== null, 'a hold ends with its lead').toBe(
    finalStates.includes(status),
  );
  const wasConfirmed = entries.some((entry) => entry.status === 'confirmed');
  if (!finalStates.includes(status)) expect(hold!['expires_at'] === null).toBe(wasConfirmed);
  const isHoldLive =
    hold!['released_at'] === null && (hold!['expires_at'] === null || hold!['expires_at'] > now);
  expect(shown.hold?.item).toBe(isHoldLive ? hold!['item'] : undefined);
  expect(shown.hold?.expiresAt).toBe(isHoldLive ? (hold!['expires_at'] ?? undefined) : undefined);
  if (open)
    expect(shown.hold.expiresAt >= open.expiresAt, 'held while the offer is open').toBe(true);
  if (status === 'expired')
    expect(entries.at(-1)!.at >= hold!['expires_at'], 'held until it expired').toBe(true);

  const views = await channels.viewsOf({ token, reference, task });
  expect(views.receipt.lead).toEqual(shown);
  expect(views.mcp).toEqual(shown);
  expect(views.a2a.status?.state).toBe(taskStates[status]);
  const { next, notice, offer } = shown;
  expect(dataIn(views.a2a.status?.message?.parts)).toMatchObject({
    ...{ status, next, notice },
    ...(offer && { offer }),
  });
  expect(
    views.a2a.history
      .slice(1)
      .flatMap(({ parts }) =>
        parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])),
      ),
  ).toEqual(texts);
  const lead = await readLead(reference, 'all', fixture.context);
  expect(lead).toMatchObject({ status, token });
  expect(lead.history).toEqual(entries);
  expect(views.inbox.lead).toEqual(JSON.parse(JSON.stringify(lead)));
  expect(views.inbox.shownTerms.price).toEqual(shown.price);
  expect(views.inbox.shownTerms.open).toEqual(
    open && {
      ...open,
      ...(deposit !== undefined && { deposit }),
      ...(tax !== undefined && { tax, total }),
    },
  );
  const written = listEnteredValues(
    fixture.context.site,
    { ...lead, contact: lead },
    views.inbox.shownTerms,
  );
  expect(views.inbox.enteredValues).toEqual(written);
  expect(views.inbox.nextAnswerDue).toBe(shown.respondBy);
  for (const link of views.links) {
    expect(link.lead.enteredValues).toEqual(written);
    expect(link.lead.nextAnswerDue).toBe(shown.respondBy);
    expect(link.lead.terms.price).toEqual(shown.price);
    expect(link.lead).toMatchObject({ status, link: 'open', messages: shown.messages });
  }
}
