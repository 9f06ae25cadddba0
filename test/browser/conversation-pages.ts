import { sql } from 'drizzle-orm';
import { nameStorefront } from '../../src/leads/storefronts/manage-storefront.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { listSiteActions } from '../../src/leads/submit/submit-action.ts';
import type { RunningService } from '../server/serve-build.ts';
import { submitExample } from '../server/submit-example.ts';

type SiteAction = ReturnType<typeof listSiteActions>[number];

/** Body of a provider's answer. */
const providerAnswers: Partial<Record<ProviderAction, Record<string, string>>> = {
  acknowledge: {},
  ask: { text: 'Is there a gate, and can we park a truck at the door?' },
  offer: {
    amount: '145',
    currency: 'USD',
    expires: '48h',
    description: 'Two people and a truck, on the day you asked for.',
  },
  confirm: { text: 'See you then. We will call when we are on our way.' },
  decline: { text: 'We are fully booked that week.' },
};

/** What each side does, in order, to bring a request into a state. */
const conversations: Readonly<
  Record<string, readonly (keyof typeof providerAnswers | 'accept' | 'withdraw')[]>
> = {
  acknowledged: ['acknowledge'],
  question: ['ask'],
  offer: ['offer'],
  accepted: ['offer', 'accept'],
  confirmed: ['offer', 'accept', 'confirm'],
  declined: ['decline'],
  withdrawn: ['withdraw'],
};

const json = { 'content-type': 'application/json' };

/** Path of the link with which the provider answers a new request. */
export async function findAnswerPath(
  { context }: RunningService,
  receipt: string,
  answer: ProviderAction,
) {
  const [{ id }] = (await context.database.writer.all(
    sql`select id from outbox where lead = ${receipt} and kind = 'lead.created'`,
  )) as [{ id: string }];
  const { links } = (await readLeadEvent(id, context))!;
  return new URL(links[answer]!).pathname;
}

/** Sends a provider's or a customer's message about a lead. */
async function send(running: RunningService, receipt: string, step: string): Promise<void> {
  const { ask } = running;
  const body = providerAnswers[step as ProviderAction];
  if (body) {
    const path = await findAnswerPath(running, receipt, step as ProviderAction);
    const { status, body: answered } = await ask(path, {
      method: 'POST',
      headers: { ...json, accept: 'application/json' },
      body: JSON.stringify(body),
    });
    if (status !== 200) throw new Error(`${step}: status ${status}, ${answered.toString()}`);
    return;
  }
  const { offer } = JSON.parse((await ask(`/api/lead/${receipt}`)).body.toString()) as {
    offer?: { offerId: string };
  };
  const { status, body: answered } = await ask(`/api/lead/${receipt}/messages`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(step === 'accept' ? { accept: offer!.offerId } : { withdraw: true }),
  });
  if (status !== 200) throw new Error(`${step}: status ${status}, ${answered.toString()}`);
}

/** Paths of receipts for one request in each state of its conversation, by name. */
export async function openConversations(
  running: RunningService,
  action: SiteAction,
): Promise<[name: string, path: string][]> {
  const paths: [string, string][] = [];
  for (const [name, steps] of Object.entries(conversations)) {
    const { receiptToken, receiptUrl } = await submitExample(running, action, {
      contact: { name: 'Dana Reyes', email: `dana.${name}@example.com`, phone: '(727) 555-0142' },
    });
    for (const step of steps) await send(running, receiptToken, step);
    paths.push([`receipt-${name}`, new URL(receiptUrl!).pathname]);
  }
  return paths;
}

/** Path of a storefront whose address is its own name. */
export async function openNamedStorefront(
  running: RunningService,
  action: SiteAction,
  fields: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { receiptToken, previewUrl } = await submitExample(running, action, { fields });
  await send(running, receiptToken, 'acknowledge');
  const slug = new URL(previewUrl!).pathname.split('/').at(-1)!;
  return `/biz/${await nameStorefront(slug, running.context)}`;
}
