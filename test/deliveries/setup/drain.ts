import { setTimeout as wait } from 'node:timers/promises';
import type { Channel } from '../../../src/leads/deliveries/channel.ts';
import {
  deliver,
  type DeliveryPolicy,
  deliveryPolicy,
} from '../../../src/leads/deliveries/deliver.ts';
import { createMailChannel } from '../../../src/leads/deliveries/mail.ts';
import { planDeliveries } from '../../../src/leads/deliveries/plan-deliveries.ts';
import { captureLead } from '../../../src/leads/submit/capture-lead.ts';
import type { Context } from '../../../src/operation/context.ts';
import { exampleValuesOf } from '../../../src/fields/fields.ts';
import { submitAction } from '../../../src/leads/submit/submit-action.ts';
import type { Site } from '../../../src/site/site.ts';
import type { listActions } from '../../operations/setup/actions.ts';
import { startMailReceiver } from './receivers.ts';

/** Delivery options with delays of 1 ms. */
export const fastDeliveryPolicy: DeliveryPolicy = { ...deliveryPolicy, computePauseMs: () => 1 };

/** Plans and delivers until nothing is left, up to the given number of rounds. */
export async function drain(
  channels: readonly Channel[],
  context: Context,
  { terms = fastDeliveryPolicy, rounds = 50, worker = 'test' } = {},
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const count =
      (await planDeliveries(channels, context)) + (await deliver(worker, channels, context, terms));
    if (!count) return;
    await wait(3);
  }
}

/** A mail server, and the channel that sends email to providers through it. */
export async function startMailDesk(site: Site) {
  const receiver = await startMailReceiver();
  const channel = createMailChannel({
    url: receiver.url,
    from: 'leads@network.example',
    to: 'desk@network.example',
    site,
  });
  return { receiver, channel };
}

type Verb = ReturnType<typeof listActions>[number];

/** Submits a lead and returns its token. */
export async function submitLead(
  context: Context,
  { subsite, action }: Pick<Verb, 'subsite' | 'action'>,
  contact: object = { name: 'Dana Reyes', email: 'dana@example.com' },
  fields: object = {},
): Promise<string> {
  const body = {
    subsite: subsite.name,
    action: action.verb,
    fields: { ...exampleValuesOf(action.fields), ...fields },
    contact,
  };
  return (
    await submitAction.handle(submitAction.parse(body, context), { channel: 'json' }, context)
  ).output.receiptToken;
}

/** Captures a lead without an action and returns its token. */
export async function capture(
  context: Context,
  source: string,
  email = 'dana@example.com',
): Promise<string> {
  return (
    await captureLead.handle(
      captureLead.parse({ email, source }, context),
      { channel: 'json' },
      context,
    )
  ).output.receiptToken;
}
