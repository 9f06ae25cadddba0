import { Option } from 'commander';
import { channelNames, PERSON_CHANNEL } from '../../leads/deliveries/channel.ts';
import {
  redeliverLateMessages,
  redeliverLead,
  redeliverOpenLeads,
} from '../../leads/deliveries/redeliver-leads.ts';
import {
  type DeliverySelection,
  settleDeliveries,
} from '../../leads/deliveries/settle-deliveries.ts';
import { findReceiptTokens, readLead } from '../../leads/lists/lead-records.ts';
import type { Context } from '../../operation/context.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import type { CommandLine } from '../command-line.ts';
import { type Printer, withExamples } from '../output.ts';
import { withContext } from '../with-context.ts';

/** A check that a command got references or one of its options. */
const requireSelection =
  (optionNames: string) => (options: object, references: readonly string[]) =>
    references.length || Object.keys(options).length
      ? []
      : [`Specify leads, or use ${optionNames}.`];

function addRedeliverCommand(program: CommandLine, print: Printer): void {
  withExamples(
    program.command('redeliver'),
    'npm run leads -- redeliver 7QCW-BNA8-E7EL-AFVP',
    'npm run leads -- redeliver --late',
    'npm run leads -- redeliver --open           # after npm run keys -- rotate-links',
  )
    .description(
      'notifies providers of leads again, with the same event IDs, and retries undelivered email to the customers; the running server sends the messages',
    )
    .argument('[leads...]', 'their references')
    .option(
      '--late',
      'all undelivered messages to providers and customers: pending, failed for good, or previously without an address',
    )
    .option(
      '--open',
      'all leads that are neither confirmed nor ended, with new answer links; specify confirmed leads by their references',
    )
    .addUsageCheck(requireSelection('--late or --open'))
    .action((references: string[], { late, open }: { late?: boolean; open?: boolean }) =>
      withContext(async (context) => {
        const tokens = await findReceiptTokens(references, context);
        const lateCount = late ? await redeliverLateMessages(context) : 0;
        const openCount = open ? await redeliverOpenLeads(context) : 0;
        for (const receiptToken of tokens) await redeliverLead(receiptToken, context);
        const counts = [
          ...(late ? [formatQuantity(lateCount, 'delivery', 'deliveries')] : []),
          ...(open ? [formatQuantity(openCount, 'open lead')] : []),
          ...(tokens.length ? [formatQuantity(tokens.length, 'lead')] : []),
        ];
        print(
          [
            [
              `Scheduled for delivery: ${counts.join(' and ')}.`,
              ...(late && !lateCount ? ['No message is undelivered.'] : []),
              ...(open && !openCount ? ['Every lead is confirmed or has ended.'] : []),
            ].join(' '),
          ],
          { again: lateCount + openCount + tokens.length },
        );
      }),
    );
}

/** Why no message was settled, and how to find those that can be. */
async function explainNothingSettled(
  { leads = [], givenUp, unaddressed, channel }: DeliverySelection,
  context: Context,
): Promise<string> {
  const records = await Promise.all(leads.map((token) => readLead(token, 'all', context)));
  const isAnyUnplanned = records.some(({ undelivered }) => undelivered);
  return [
    ...(isAnyUnplanned
      ? ['Not all messages are planned yet: check that the server is running.']
      : leads.length
        ? ['Every message was delivered, settled or not needed.']
        : []),
    ...(givenUp ? ['No message has failed for good.'] : []),
    ...(unaddressed ? ['No lead is without a delivery address.'] : []),
    ...(channel === undefined ? [] : [`No message of the channel ${channel} is undelivered.`]),
    'npm run leads -- list --undelivered lists the leads with undelivered messages.',
  ].join(' ');
}

function addSettleCommand(program: CommandLine, print: Printer): void {
  withExamples(
    program.command('settle'),
    'npm run leads -- settle 7QCW-BNA8-E7EL-AFVP',
    'npm run leads -- settle --given-up',
    'npm run leads -- settle --channel webhook',
  )
    .description(
      'cancels undelivered messages to providers and customers, which are then no longer retried or reported',
    )
    .argument('[leads...]', 'references of leads whose deliveries to cancel')
    .option('--given-up', 'all messages that failed for good')
    .option('--unaddressed', 'all leads without a delivery address')
    .addOption(
      new Option(
        '--channel <name>',
        'all messages of this channel, for example a removed channel; person is email to customers',
      ).choices([...channelNames, PERSON_CHANNEL]),
    )
    .addUsageCheck(requireSelection('--given-up, --unaddressed or --channel'))
    .action(
      (
        references: string[],
        options: { givenUp?: boolean; unaddressed?: boolean; channel?: string },
      ) =>
        withContext(async (context) => {
          const selection = { ...options, leads: await findReceiptTokens(references, context) };
          const count = await settleDeliveries(selection, context);
          const reason = count ? undefined : await explainNothingSettled(selection, context);
          print([[`Settled: ${count}.`, ...(reason === undefined ? [] : [reason])].join(' ')], {
            settled: count,
            reason,
          });
        }),
    );
}

/** Commands for the messages about leads. */
export function addDeliveryCommands(program: CommandLine, print: Printer): void {
  for (const add of [addRedeliverCommand, addSettleCommand]) add(program, print);
}
