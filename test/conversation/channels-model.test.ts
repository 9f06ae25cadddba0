import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { type ProviderAction, providerActions } from '../../src/leads/conversation/conversation.ts';
import type { Channel } from '../../src/leads/deliveries/channel.ts';
import { expireLeads } from '../../src/leads/expire-leads.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { listUnsentMessages } from '../../src/leads/deliveries/unsent-messages.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { statusOf } from '../../src/leads/status/lead-status.ts';
import { Problem } from '../../src/operation/problem.ts';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { itemsOf } from '../../src/site/registry.ts';
import { dataIn } from '../a2a/setup/endpoint.ts';
import { drain, submitLead } from '../deliveries/setup/drain.ts';
import { runCommand } from '../setup/command.ts';
import { listActions } from '../operations/setup/actions.ts';
import { chooseRepeatCount, createPropertyParameters } from '../setup/seeds.ts';
import {
  type Outcome,
  openChannels,
  personChannels,
  providerChannels,
  type MessageSender,
  type LeadIds,
} from './channels.ts';
import {
  expectAgreement,
  expectHistory,
  computeOpenOffer,
  type SentMessage,
  stateAfter,
} from './state-model.ts';
import { site } from './leads-in-states.ts';
import { openFailingFixture } from './failing-fixture.ts';

const { subsite, action } = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
const effect = action.effect as HoldEffect;
const contact = { name: 'Dana Reyes', email: 'dana@example.com' };

type ChannelAction =
  | {
      actor: 'person';
      channel: (typeof personChannels)[number];
      action: 'reply' | 'accept' | 'decline' | 'withdraw';
    }
  | {
      actor: 'provider';
      channel: (typeof providerChannels)[number];
      action: ProviderAction;
      confirmOnAccept: boolean;
    };

/** Actions that keep the item, or reserve it again after its hold has lapsed. */
const holdingActions = new Set<ChannelAction['action']>(['offer', 'accept', 'confirm']);

/**
 * Ways in which a write fails: its response is lost, the database fails before or after the write,
 * or the connection drops during it.
 */
const faults = ['none', 'none', 'none', 'lost', 'before', 'after', 'dropped'] as const;
type Fault = (typeof faults)[number];
/** Maximum number of attempts until a retried action is known to be written or rejected. */
const MAX_TRIES = 10;

describe('a conversation across all channels', async () => {
  const fixture = await openFailingFixture(site);
  const { context, url } = fixture;
  const database = await openDatabase({ url });
  afterAll(() => database.close());
  const channels = await openChannels(fixture, `inbox:${subsite.name}`, { ...context, database });

  const dayAfter = (days: number) =>
    new Date(context.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  let requestCount = 0;
  const createRequestBody = (from = 3 + ((2 * requestCount++) % 160)) => ({
    subsite: subsite.name,
    action: action.verb,
    fields: {
      ...exampleValuesOf(action.fields),
      [effect.fromField]: dayAfter(from),
      [effect.toField]: dayAfter(from + 1),
    },
    contact,
  });

  /** Events delivered to the provider. */
  const deliveredEvents: { id: string; lead: string; status: string }[] = [];
  const provider: Channel = {
    name: 'webhook',
    accepts: () => true,
    async send({ id, person: { receiptToken: lead }, change, lead: { status } }) {
      deliveredEvents.push({ id, lead, status: change?.to ?? status });
      return { outcome: 'sent' };
    },
  };
  async function submitRequest(): Promise<LeadIds> {
    const task = await channels.submitByA2a(createRequestBody());
    expect(dataIn(task.status?.message?.parts)).toMatchObject({ status: 'new' });
    const [{ lead: token, id: reference }] = (await fixture.rows('outbox')).slice(-1) as [any];
    // Deliver the first event now, because a request that ends before delivery is not reported.
    await drain([provider], context);
    return { token, reference, task };
  }

  let messageCount = 0;
  /** Sends an action under a fault and retries until its outcome is known. */
  async function sendWithFault(send: MessageSender, fault: Fault): Promise<Outcome> {
    fixture.failNext(fault === 'before' || fault === 'after' ? fault : undefined);
    // The write reaches the writer thread on the next tick.
    const connectionDrop =
      fault === 'dropped' &&
      new Promise((resolve) => setImmediate(() => resolve(fixture.dropConnection())));
    let outcome = await send();
    fixture.failNext(undefined);
    await connectionDrop;
    const first = outcome;
    for (let attemptCount = 0; outcome === 'unknown'; attemptCount++) {
      expect(attemptCount).toBeLessThan(MAX_TRIES);
      outcome = await send();
    }
    if (fault === 'lost') outcome = await send();
    if (first === 'written') expect(outcome, 'a written action stays written').toBe('written');
    return outcome;
  }

  const findOfferId = async ({ token }: LeadIds): Promise<string> =>
    (await readLog(token, context)).entries.findLast(({ offer }) => offer)?.offer?.offerId ??
    'none';

  /** Creates a message and the function that sends it. */
  async function prepareMessage(
    channelAction: ChannelAction,
    lead: LeadIds,
  ): Promise<{ send: MessageSender; sentMessage: SentMessage }> {
    const content = {
      actor: channelAction.actor,
      action: channelAction.action,
      text: `${channelAction.actor} ${channelAction.action} ${++messageCount}`,
    } as SentMessage;
    const { text } = content;
    if (channelAction.actor === 'provider')
      return {
        sentMessage: content,
        send: await channels.prepareProviderMessage(channelAction.channel, lead, {
          action: channelAction.action,
          text,
          confirmOnAccept: channelAction.confirmOnAccept,
        }),
      };
    const offer = await findOfferId(lead);
    const body = {
      reply: { text },
      accept: { accept: offer, text },
      decline: { decline: offer, text },
      withdraw: { withdraw: true as const, text },
    }[channelAction.action];
    return {
      sentMessage: content,
      send: channels.preparePersonMessage(channelAction.channel, lead, body),
    };
  }

  async function expectDelivered({ token }: LeadIds): Promise<void> {
    await drain([provider], context);
    const events = (await fixture.rows('outbox')).filter(({ lead }) => lead === token);
    const { entries } = await readLog(token, context);
    expect(events.length, 'an event for each entry').toBe(entries.length);
    const ids = deliveredEvents.filter(({ lead }) => lead === token).map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set(events.map(({ id }) => id)));
    for (const { id, status } of deliveredEvents.filter(({ lead }) => lead === token).slice(1))
      expect(entries[events.findIndex((event) => event['id'] === id)]!.status).toBe(status);
  }

  /** True if the item that a lead holds has a unit that is free for the lead. */
  async function isItemFree({ token }: LeadIds): Promise<boolean> {
    const holds = await fixture.rows('holds');
    const ownHold = holds.find(({ lead }) => lead === token)!;
    const item = itemsOf(site.registry, effect.catalog).find(({ id }) => id === ownHold['item'])!;
    const now = context.now().toISOString();
    const takenUnits = holds
      .filter(
        (other) =>
          other['lead'] !== token &&
          other['item'] === ownHold['item'] &&
          other['from_day'] <= ownHold['to_day'] &&
          other['to_day'] >= ownHold['from_day'] &&
          other['released_at'] === null &&
          (other['expires_at'] === null || other['expires_at'] > now),
      )
      .map(({ unit }) => unit as number);
    return new Set(takenUnits).size < (item.units ?? 1);
  }

  interface RealSystem {
    lead: LeadIds;
    sentMessages: SentMessage[];
  }
  const command = (
    name: string,
    run: (realSystem: RealSystem) => Promise<void>,
  ): fc.AsyncCommand<object, RealSystem> => ({
    check: () => true,
    toString: () => name,
    async run(_, realSystem) {
      await run(realSystem);
      expectHistory(await readLog(realSystem.lead.token, context), realSystem.sentMessages);
    },
  });

  const anyAction = fc.oneof(
    fc.record({
      actor: fc.constant('person' as const),
      channel: fc.constantFrom(...personChannels),
      action: fc.constantFrom('reply', 'accept', 'accept', 'decline', 'withdraw'),
    }),
    fc.record({
      actor: fc.constant('provider' as const),
      channel: fc.constantFrom(...providerChannels),
      action: fc.constantFrom(...providerActions, 'offer', 'offer'),
      confirmOnAccept: fc.boolean(),
    }),
  );
  const singleAction = fc
    .tuple(anyAction, fc.constantFrom(...faults))
    .map(([channelAction, fault]) =>
      command(
        `${channelAction.actor} ${channelAction.action} by ${channelAction.channel}, ${fault}`,
        async ({ lead, sentMessages }) => {
          const { entries, status } = await readLog(lead.token, context);
          const open = computeOpenOffer(entries, context.now().toISOString());
          const to = stateAfter(channelAction, status, open);
          const free = !holdingActions.has(channelAction.action) || (await isItemFree(lead));
          const sent = await prepareMessage(channelAction, lead);
          // The command is a separate process, to which these faults do not apply.
          const outcome = await sendWithFault(
            sent.send,
            channelAction.channel === 'command' ? 'none' : fault,
          );
          expect(outcome, sent.sentMessage.text).toBe(to && free ? 'written' : 'refused');
          if (outcome === 'written') sentMessages.push(sent.sentMessage);
        },
      ),
    );
  const concurrentActions = fc
    .tuple(fc.array(anyAction, { minLength: 2, maxLength: 4 }), fc.constantFrom(0, 0, 1, 49))
    .map(([actions, hours]) =>
      command(
        `race of ${actions.map((a) => `${a.actor} ${a.action} by ${a.channel}`).join(', ')}, ${hours} h`,
        async ({ lead, sentMessages: writtenMessages }) => {
          const sent = await Promise.all(actions.map((each) => prepareMessage(each, lead)));
          const outcomes = sent.map(async ({ send, sentMessage: words }) =>
            (await sendWithFault(send, 'none')) === 'written' ? [words] : [],
          );
          // Offers expire and holds lapse while the customer accepts.
          fixture.advanceHours(hours);
          writtenMessages.push(...(await Promise.all(outcomes)).flat());
        },
      ),
    );
  const delivery = fc.constant(command('deliver', async () => drain([provider], context)));
  const clock = fc
    .constantFrom(1, 20, 49)
    .map((hours) => command(`${hours} h later`, async () => fixture.advanceHours(hours)));
  const sweep = fc.constant(
    command('expire', async () => {
      await expireLeads(context);
    }),
  );
  const competingRequest = fc.constant(
    command('competing request', async ({ lead }) => {
      const hold = (await fixture.rows('holds')).find((row) => row['lead'] === lead.token)!;
      await submitLead(
        context,
        { subsite, action },
        { email: `competitor${++messageCount}@example.com` },
        {
          [effect.itemField]: hold['item'],
          [effect.fromField]: hold['from_day'],
          [effect.toField]: hold['to_day'],
        },
      ).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      });
    }),
  );

  it.each<ChannelAction>([
    ...personChannels.map((channel) => ({ actor: 'person', channel, action: 'reply' }) as const),
    ...providerChannels
      .filter((channel) => channel !== 'command')
      .map(
        (channel) =>
          ({ actor: 'provider', channel, action: 'reply', confirmOnAccept: false }) as const,
      ),
  ])(
    'accepts a repeated message from the $actor through $channel after the response was lost',
    async (channelAction) => {
      const lead = await submitRequest();
      const sentMessages: SentMessage[] = [];
      for (const fault of ['lost', 'after'] as const) {
        const sent = await prepareMessage(channelAction, lead);
        expect(await sendWithFault(sent.send, fault)).toBe('written');
        sentMessages.push(sent.sentMessage);
      }
      expectHistory(await readLog(lead.token, context), sentMessages);
    },
  );

  it('ends the same for everyone, even with lost responses, failures, and concurrent messages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(
          [
            singleAction,
            singleAction,
            singleAction,
            concurrentActions,
            delivery,
            clock,
            sweep,
            competingRequest,
          ],
          {
            size: 'medium',
            maxCommands: 14,
          },
        ),
        async (commands) => {
          const realSystem: RealSystem = { lead: await submitRequest(), sentMessages: [] };
          try {
            await fc.asyncModelRun(() => ({ model: {}, real: realSystem }), commands);
            await expectAgreement(realSystem.lead, fixture, channels);
            await expectDelivered(realSystem.lead);
          } finally {
            // The next conversation may use the same dates.
            await changeLead(
              { receiptToken: realSystem.lead.token, to: 'withdrawn', actor: 'person' },
              context,
            ).catch(() => undefined);
          }
        },
      ),
      createPropertyParameters(chooseRepeatCount(25, 60), { endOnFailure: true }),
    );
  });

  it('matches what the command shows', async () => {
    const { token, reference } = await submitRequest();
    const { stdout } = await runCommand('leads', ['--quiet', 'show', reference, '--json'], {
      DATABASE_URL: url,
    });
    const log = await readLog(token, context);
    const { price } = statusOf(log, context.now(), context.site);
    expect(price).toBeDefined();
    const lead = await readLead(reference, 'all', context);
    const unsent = await listUnsentMessages(lead, context);
    expect(unsent).toMatchObject([{ channel: 'person', reason: expect.any(String) }]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify({ ...lead, price, unsent })));
  });
});
