import { Option } from 'commander';
import { channelNames, PERSON_CHANNEL } from '../../leads/deliveries/channel.ts';
import { channelLabels } from '../../leads/deliveries/delivery-faults.ts';
import { readOutboxState } from '../../leads/deliveries/outbox-state.ts';
import {
  redeliverLateMessages,
  redeliverLead,
  redeliverOpenLeads,
} from '../../leads/deliveries/redeliver-leads.ts';
import {
  type DeliverySelection,
  listMessagesToSettle,
  settleDeliveries,
  type CanceledMessage,
} from '../../leads/deliveries/settle-deliveries.ts';
import { readLead } from '../../leads/lists/lead-records.ts';
import type { Context } from '../../operation/context.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import { formatReference } from '../../site/words/words.ts';
import type { CommandLine } from '../command-line.ts';
import { type Printer, withExamples } from '../output.ts';
import { withContext } from '../with-context.ts';
import { findTokensToChange } from './leads-to-change.ts';

/** Checks that a command was given references or one of its options. */
const requireSelection =
  (optionNames: string) => (options: object, references: readonly string[]) =>
    references.length || Object.keys(options).length
      ? []
      : [`Specify leads, or use ${optionNames}.`];

/** Why no message was retried. */
async function explainNoneRetried(
  leads: readonly string[] | undefined,
  open: boolean | undefined,
  context: Context,
): Promise<string> {
  if (!leads && !open && (await readOutboxState(context, 1)).undelivered)
    return 'Some messages cannot be sent yet: npm run leads -- list --undelivered lists their leads, and show says what is missing.';
  const about = `${open ? ' about an open lead' : ''}${leads ? `${open ? '' : ' about a lead'} that you named` : ''}`;
  const hint = leads ? ' To send canceled messages too, leave out --late.' : '';
  return `There are no undelivered messages${about}.${hint}`;
}

function addRedeliverCommand(program: CommandLine, print: Printer): void {
  withExamples(
    program.command('redeliver'),
    'npm run leads -- redeliver 7QCW-BNA8-E7EL-AFVP',
    'npm run leads -- redeliver --late',
    'npm run leads -- redeliver 7QCW-BNA8-E7EL-AFVP --late',
    'npm run leads -- redeliver --open           # after npm run keys -- rotate-links',
  )
    .description(
      'notifies providers of leads again, with the same event IDs, and retries undelivered email to customers; the running server sends the messages. For leads that you name, it also sends canceled messages, unless you add --late. With leads and options, it redelivers only what matches all of them',
    )
    .argument('[leads...]', 'references of the leads')
    .option(
      '--late',
      'only undelivered messages to providers and customers: pending, failed for good, or previously without an address',
    )
    .option(
      '--open',
      'only leads that are neither confirmed nor ended, with new answer links; specify confirmed leads by their references',
    )
    .addUsageCheck(requireSelection('--late or --open'))
    .action((references: string[], { late, open }: { late?: boolean; open?: boolean }) =>
      withContext(async (context) => {
        const tokens = await findTokensToChange(references, context);
        const leads = tokens.length ? tokens : undefined;
        if (late) {
          const count = await redeliverLateMessages(context, { leads, open });
          const text = `Scheduled for delivery: ${formatQuantity(count, 'delivery', 'deliveries')}.`;
          const reason = count ? undefined : await explainNoneRetried(leads, open, context);
          print([[text, reason].filter(Boolean).join(' ')], { again: count });
          return;
        }
        if (open) {
          const count = await redeliverOpenLeads(context, { leads });
          const text = `Scheduled for delivery: ${formatQuantity(count, 'open lead')}.`;
          const reason = `Every ${leads ? 'lead that you named' : 'lead'} is confirmed or has ended.`;
          print([count ? text : `${text} ${reason}`], { again: count });
          return;
        }
        for (const receiptToken of tokens) await redeliverLead(receiptToken, context);
        print([`Scheduled for delivery: ${formatQuantity(tokens.length, 'lead')}.`], {
          again: tokens.length,
        });
      }),
    );
}

/** Why no message was canceled, and how to find those that can be. */
async function explainNoneCanceled(
  { leads = [], givenUp, unaddressed, channel }: DeliverySelection,
  context: Context,
): Promise<string> {
  const records = await Promise.all(leads.map((token) => readLead(token, 'all', context)));
  const isAnyUnplanned = records.some(({ undelivered }) => undelivered);
  const isNarrowed = [leads.length > 0, givenUp, unaddressed, channel].filter(Boolean).length > 1;
  return [
    isNarrowed
      ? 'No undelivered message matches every option and lead.'
      : givenUp
        ? 'No message has failed for good.'
        : unaddressed
          ? 'Every lead has a delivery address.'
          : channel !== undefined
            ? `There are no undelivered messages for the channel ${channel}.`
            : !isAnyUnplanned && 'Every message was delivered, settled or not needed.',
    isAnyUnplanned && 'Some messages have not been planned yet: check that the server is running.',
    'npm run leads -- list --undelivered lists the leads with undelivered messages.',
  ]
    .filter(Boolean)
    .join(' ');
}

const formatMessage = ({ reference, event, channel }: CanceledMessage): string =>
  `  ${formatReference(reference)}  ${event === reference ? 'new request' : `change ${event}`}, ${channelLabels[channel] ?? channel}`;

type SettleOptions = Omit<DeliverySelection, 'leads'> & { dryRun?: boolean };

function addSettleCommand(program: CommandLine, print: Printer): void {
  withExamples(
    program.command('settle'),
    'npm run leads -- settle 7QCW-BNA8-E7EL-AFVP --dry-run',
    'npm run leads -- settle 7QCW-BNA8-E7EL-AFVP --channel person',
    'npm run leads -- settle --given-up',
    'npm run leads -- settle --channel webhook',
  )
    .description(
      'cancels undelivered messages to providers and customers, which are then no longer retried or reported, and lists them; with leads and options, only those that match all of them. To send them after all, use: npm run leads -- redeliver <lead>',
    )
    .argument('[leads...]', 'only messages about these leads, by reference')
    .option('--given-up', 'only messages that failed for good')
    .option('--unaddressed', 'only messages without a delivery address')
    .addOption(
      new Option(
        '--channel <name>',
        'only messages for this channel, such as a removed channel; person is email to customers',
      ).choices([...channelNames, PERSON_CHANNEL]),
    )
    .option('--dry-run', 'list what would be canceled, and change nothing')
    .addUsageCheck(({ dryRun: _, ...options }: SettleOptions, references) => [
      ...requireSelection('--given-up, --unaddressed or --channel')(options, references),
      ...(options.givenUp && options.unaddressed
        ? ['A message without an address has not failed. Use either --given-up or --unaddressed.']
        : []),
    ])
    .action((references: string[], { dryRun = false, ...options }: SettleOptions) =>
      withContext(async (context) => {
        const selection = { ...options, leads: await findTokensToChange(references, context) };
        const messages = await (dryRun ? listMessagesToSettle : settleDeliveries)(
          selection,
          context,
        );
        const { length: count } = messages;
        const reason = count ? undefined : await explainNoneCanceled(selection, context);
        print(
          [
            `${dryRun ? 'Would be settled' : 'Settled'}: ${[`${count}.`, ...(reason === undefined ? [] : [reason])].join(' ')}`,
            ...messages.map(formatMessage),
          ],
          { settled: dryRun ? 0 : count, messages, reason },
        );
      }),
    );
}

/** Commands for the messages about leads. */
export function addDeliveryCommands(program: CommandLine, print: Printer): void {
  for (const add of [addRedeliverCommand, addSettleCommand]) add(program, print);
}
