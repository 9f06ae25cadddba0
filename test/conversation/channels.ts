import { randomUUID } from 'node:crypto';
import type { Task } from '@a2a-js/sdk';
import { DatabaseUnavailableError } from '../../db/index.ts';
import type { LeadView } from '../../src/http/views.ts';
import { createKey } from '../../src/keys/keys.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import type { Context } from '../../src/operation/context.ts';
import { Problem } from '../../src/operation/problem.ts';
import { checkedDaysOf } from '../../src/site/calendar/days.ts';
import { KEY_INPUT } from '../../src/site/forms/form-inputs.ts';
import { createBindingClient, createEndpoint, message, taskOf } from '../a2a/setup/endpoint.ts';
import type { Fixture } from '../operations/setup/fixture.ts';
import { client, inputsOf } from '../transports/setup/send.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { answerPageOf, receiptOf } from './receipt-view.ts';

/**
 * Outcome of an action: written, rejected because of the lead’s state, or unknown because the
 * database was unreachable.
 */
export type Outcome = 'written' | 'refused' | 'unknown';

/** Identifiers of a lead in each channel. */
export interface LeadIds {
  /** Receipt token. */
  token: string;
  reference: string;
  /** A2A task. */
  task: Task;
}

/** A message from the customer. */
export type PersonBody = { text: string } & (
  object | { accept: string } | { decline: string } | { withdraw: true }
);

/** A message from the provider. */
export interface ProviderMessage {
  action: ProviderAction;
  text: string;
  confirmOnAccept: boolean;
}

/** Sends a prepared message. Further calls resend the same message. */
export type MessageSender = () => Promise<Outcome>;

export const personChannels = ['json', 'page', 'mcp', 'a2a'] as const;
export const providerChannels = ['mail link', 'program', 'inbox', 'command'] as const;

function toOutcome(status: number, details: unknown): Outcome {
  if (status < 400) return 'written';
  if (status === 409 || status === 410) return 'refused';
  if (status === 503) return 'unknown';
  throw new Error(`Status ${status}: ${JSON.stringify(details)}`);
}

/** What the offer form fills in, and what the provider confirms if it asks about it. */
const filledInputsOf = ({ offerableHold: hold }: Partial<Pick<LeadView, 'offerableHold'>>) => ({
  checkedAmount: '45.00',
  checkedTime: 'yes',
  ...(hold && {
    item: hold.item,
    from: hold.from,
    to: hold.to,
    checkedDays: checkedDaysOf(hold),
  }),
});

const offerOf = ({ confirmOnAccept }: ProviderMessage) => ({
  amount: '45.00',
  currency: 'USD',
  expires: '48h',
  ...(confirmOnAccept && { confirmOnAccept }),
});

/**
 * All channels of both sides. `scope` limits the provider to one subsite, and `otherContext` is the
 * context of another process.
 */
export async function openChannels(fixture: Fixture, scope: string, otherContext: Context) {
  const { context } = fixture;
  const webClient = client(fixture);
  const mcp = await openMcpEndpoints(context);
  const endpoint = createEndpoint(context);
  const key = await createKey({ name: 'Yard', scopes: [scope], expiresAt: null }, context);
  /** Signs in again: sessions expire after hours, and tests move the clock. */
  async function signIn() {
    const answer = await webClient.form('/inbox', { key: key.key });
    if (answer.status === 503) throw new DatabaseUnavailableError('unreachable');
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const read = async (path: string): Promise<any> =>
      (await webClient.get(path, {}, { headers: { cookie } })).json();
    return { cookie, read, form: String((await read('/inbox')).session.formToken) };
  }

  /** Answer links in the newest email to the provider about a lead. */
  async function linksOf({
    token,
  }: LeadIds): Promise<Readonly<Partial<Record<ProviderAction, string>>>> {
    const events = (await fixture.rows('outbox')).filter(({ lead }) => lead === token);
    const event = await readLeadEvent(String(events.at(-1)!['id']), context);
    return Object.fromEntries(
      Object.entries(event!.links).map(([action, url]) => [action, new URL(url).pathname]),
    );
  }

  async function sendByA2a(lead: LeadIds, body: PersonBody, messageId: string): Promise<Outcome> {
    let status = 0;
    const a2a = await createBindingClient(context, 'JSONRPC', async (...call) => {
      const answer = await endpoint(...call);
      ({ status } = answer);
      return answer;
    });
    const more = { taskId: lead.task.id, messageId };
    const content = Object.keys(body).length > 1 ? { data: body } : { text: body.text };
    const failed = await a2a.sendMessage(message(content, more)).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    if (failed && status < 400) throw failed;
    return toOutcome(status, failed?.message);
  }

  const person: Record<
    (typeof personChannels)[number],
    (lead: LeadIds, body: PersonBody, key: string) => Promise<Outcome>
  > = {
    async json({ token }, body, key) {
      const answer = await webClient.json('/api/lead/{receipt}/messages', body, {
        params: { receipt: token },
        headers: { 'idempotency-key': key },
      });
      return toOutcome(answer.status, await answer.json());
    },
    async page({ token }, { text, ...action }, key) {
      const [[name, value] = []] = Object.entries(action) as [string, unknown][];
      const answer = await webClient.form(`/receipt/${token}`, {
        ...(name !== undefined && { [name]: String(value) }),
        text,
        [KEY_INPUT]: key,
      });
      return toOutcome(answer.status, await answer.text());
    },
    async mcp({ token }, body, idempotencyKey) {
      const args = { receiptToken: token, ...body, idempotencyKey };
      const { isError, value } = await mcp.call('/api/mcp', 'reply_to_request', args);
      return isError ? toOutcome(Number(value['status']), value) : 'written';
    },
    a2a: sendByA2a,
  };

  return {
    /** The views of a lead in all channels; `links` are the pages of its answer links. */
    async viewsOf(lead: LeadIds) {
      const receipt = await receiptOf(fixture, lead.token);
      const inbox = await (await signIn()).read(`/inbox/${lead.reference}`);
      const { value } = await mcp.call('/api/mcp', 'get_lead_status', {
        receiptToken: lead.token,
      });
      const a2a = await createBindingClient(context, 'JSONRPC');
      return {
        receipt,
        inbox,
        mcp: value,
        a2a: await a2a.getTask({ tenant: '', id: lead.task.id, historyLength: undefined }),
        links: await Promise.all(
          Object.values(await linksOf(lead))
            .slice(0, 1)
            .map((link) => answerPageOf(fixture, link)),
        ),
      };
    },
    submitByA2a: async (data: unknown) =>
      taskOf(await (await createBindingClient(context, 'JSONRPC')).sendMessage(message({ data }))),

    /** Prepares a customer message for a channel. */
    preparePersonMessage(
      channel: (typeof personChannels)[number],
      lead: LeadIds,
      body: PersonBody,
    ): MessageSender {
      const key = randomUUID();
      return () => person[channel](lead, body, key);
    },

    /** Prepares a provider message from the page or mail that the provider currently sees. */
    async prepareProviderMessage(
      channel: (typeof providerChannels)[number],
      lead: LeadIds,
      providerMessage: ProviderMessage,
    ): Promise<MessageSender> {
      const { action, text } = providerMessage;
      const body = { text, ...(action === 'offer' && offerOf(providerMessage)) };
      if (channel === 'command')
        return () =>
          sendAsProvider(
            { receiptToken: lead.token, action, actor: 'operator' },
            body,
            otherContext,
          ).then(
            () => 'written',
            (error: unknown) => {
              if (error instanceof Problem) return toOutcome(error.status, error.message);
              throw error;
            },
          );
      // Canceling a confirmed request takes a second step on pages.
      const sureInputs = action === 'decline' && { sure: 'yes' };
      if (channel === 'inbox') {
        const path = `/inbox/${lead.reference}`;
        const page = await (await signIn()).read(path);
        if (!page.next.includes(action)) return async () => 'refused';
        const inputs = inputsOf({
          do: action,
          [KEY_INPUT]: page.formKey,
          ...(action === 'offer' && filledInputsOf(page)),
          ...sureInputs,
          ...body,
        });
        return async () => {
          const session = await signIn().catch((error: unknown) => {
            if (error instanceof DatabaseUnavailableError) return undefined;
            throw error;
          });
          if (!session) return 'unknown';
          const { cookie, form } = session;
          const answer = await webClient.form(path, { ...inputs, form }, { headers: { cookie } });
          return toOutcome(answer.status, await answer.text());
        };
      }
      const link = (await linksOf(lead))[action];
      if (link === undefined) return async () => 'refused';
      const filledInputs =
        action === 'offer' && filledInputsOf((await answerPageOf(fixture, link)).lead);
      return async () => {
        const { status } =
          channel === 'program'
            ? await webClient.json(link, body)
            : await webClient.form(link, inputsOf({ ...filledInputs, ...sureInputs, ...body }));
        if (status !== 410) return toOutcome(status, link);
        // A link works once; when it is opened again, its page shows the recorded answer.
        const { lead } = await answerPageOf(fixture, link);
        const wasWritten = lead.messages.some((other) => other.text === text);
        return wasWritten ? 'written' : 'refused';
      };
    },
  };
}
