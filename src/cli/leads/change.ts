import { InvalidArgumentError, Option } from 'commander';
import { eraseLead, countLeadsPastRetention, purgeLeads } from '../../leads/erase/erase-lead.ts';
import { type ProviderAction, providerActions } from '../../leads/conversation/conversation.ts';
import { readSentNotification } from '../../leads/conversation/answer-lead.ts';
import { checkContent, requiresText } from '../../leads/conversation/provider-content.ts';
import { answerAsProvider } from '../../leads/conversation/provider-message.ts';
import { changeLead } from '../../leads/change-lead.ts';
import { type LeadLog, readLog } from '../../leads/lead-log.ts';
import { readLead } from '../../leads/lists/lead-records.ts';
import { findReplaceableText } from '../../leads/status/agreement.ts';
import { type ShownTerms, shownTermsOf } from '../../leads/status/shown-terms.ts';
import { describeStateForProvider } from '../../leads/status/timeline.ts';
import { isValidKey, KEY_RULE } from '../../operation/idempotency.ts';
import { normalizeTexts } from '../../operation/normalize-text.ts';
import type { CommandLine } from '../command-line.ts';
import { quoteWord } from '../npm-options.ts';
import { formatInputFault, type Printer, withExamples } from '../output.ts';
import type { Context } from '../../operation/context.ts';
import { currencyOf } from '../../site/prices/prices.ts';
import { formatOfferedPrice } from '../../site/words/offer-words.ts';
import { findSubsite } from '../../site/registry.ts';
import { formatReference } from '../../site/words/words.ts';
import { formatTimestamp } from '../dates.ts';
import { withContext } from '../with-context.ts';
import { findTokensToChange, findTokenToChange } from './leads-to-change.ts';

const actionHelp: Readonly<Record<ProviderAction, string>> = {
  acknowledge:
    'shows on the receipt that the request was read; only --text sends an email about it',
  ask: 'asks the person a question',
  offer:
    'makes the person an offer, which replaces any open offer; a different item or different days are held until the offer ends',
  confirm:
    'confirms a request at the price of the accepted offer or, without one, at the published price, if there is exactly one; an open offer ends, and its price does not apply, unless --accepted says that the person accepted it by phone; a held item becomes booked; for a confirmed request, --text replaces the time and other details that were confirmed',
  decline: 'declines a request, which ends it; cancels a confirmed booking, which requires --text',
  reply: 'writes to the person',
};

const examples: Readonly<Partial<Record<ProviderAction, string>>> = {
  ask: 'Which day works for you?',
  confirm: 'See you on Monday at 9.',
  decline: 'We are booked that week.',
  reply: 'The yard opens at 7.',
};

/** Command-line options for an offer. */
interface ActionOptions {
  key?: string;
  text?: string;
  amount?: string;
  currency?: string;
  payer?: string;
  description?: string;
  expires?: string;
  item?: string;
  from?: string;
  to?: string;
  confirmOnAccept?: boolean;
  free?: boolean;
  accepted?: boolean;
}

/** Parses an idempotency key. */
function parseKey(text: string): string {
  if (!isValidKey(text)) throw new InvalidArgumentError(KEY_RULE);
  return text;
}

/** The faults in an action's option values, each with the accepted form. */
const listContentFaults = (action: ProviderAction, content: ActionOptions): string[] =>
  checkContent(action, normalizeTexts(content))
    .errors.filter(({ pointer }) => Object.hasOwn(content, pointer.slice(1)))
    .map(formatInputFault);

const describeState = (reference: string, log: LeadLog): string =>
  `${reference} is now “${describeStateForProvider(log)}” (${log.status}).`;

/**
 * How to correct a confirmation that ended an open offer, or how to add a time to one. The
 * command's text replaces what was confirmed, so it repeats those details.
 */
function describeNextCommand(
  reference: string,
  log: LeadLog,
  { ended, salesTaxPercent }: ShownTerms,
  accepted: boolean | undefined,
): string[] {
  const isConfirmation = log.status === 'confirmed' && log.entries.at(-2)?.status !== log.status;
  if (!isConfirmation) return [];
  const confirmed = findReplaceableText(log);
  const command = (text: string) =>
    `  npm run leads -- confirm ${reference} --text ${quoteWord(text)}`;
  if (ended && accepted === undefined) {
    const price = formatOfferedPrice(ended, 'person', salesTaxPercent);
    const sentence = `The price is ${price}, as in our offer, which you accepted by phone.`;
    return [
      'The price of the offer does not apply. If the customer accepted it by phone, confirm that to them, with any other details in the same text:',
      command([confirmed, sentence].filter(Boolean).join('\n')),
    ];
  }
  return confirmed ? [] : ['To add a time or other details:', command('<text>')];
}

/** The currency of the published prices for a lead; undefined if none is published. */
async function readPublishedCurrency(
  reference: string,
  context: Context,
): Promise<string | undefined> {
  const { subsite } = await readLead(reference, 'all', context);
  const { subsites } = context.site.registry;
  return currencyOf(findSubsite(context.site.registry, subsite), subsites);
}

/**
 * How the customer was notified of the latest change. A server may have mail settings that a command
 * lacks.
 */
async function describeSentNotification(log: LeadLog, context: Context): Promise<string> {
  const { text: notification } = await readSentNotification(log.reference!, log, context);
  if (context.isCustomerEmailEnabled) return notification;
  const { email } = await readLead(log.reference!, 'all', context);
  return email === null
    ? notification
    : `SMTP_URL and MAIL_FROM are not set for this command. If they are not set for the server either: ${notification}`;
}

function addActionCommands(program: CommandLine, print: Printer): void {
  for (const action of providerActions) {
    const command = withExamples(
      program.command(action),
      action === 'offer'
        ? 'npm run leads -- offer 7QCW-BNA8-E7EL-AFVP --amount 450 --expires 48h'
        : `npm run leads -- ${action} 7QCW-BNA8-E7EL-AFVP${examples[action] ? ` --text '${examples[action]}'` : ''}`,
    )
      .description(
        `${actionHelp[action]}; the provider sees this in its inbox, and the history shows the operator as the actor`,
      )
      .argument('<lead>', 'reference or receipt token')
      .addOption(
        new Option('--text <text>', 'text for the person').makeOptionMandatory(
          requiresText(action, 'new'),
        ),
      )
      .option(
        '--key <key>',
        'idempotency key, such as a UUID: a repeated command with the same key runs once',
        parseKey,
      )
      .addUsageCheck(({ key: _, ...content }: ActionOptions) => listContentFaults(action, content));
    command.summary(actionHelp[action]);
    if (action === 'offer')
      command
        .requiredOption('--amount <number>', 'the price, for example 450 or 450.00 (required)')
        .option(
          '--currency <code>',
          'ISO 4217 code (default: the currency of the published prices)',
        )
        .option('--payer <side>', 'who pays: person (default) or provider')
        .requiredOption(
          '--expires <period>',
          'how long the offer is open, for example 48h or 7d (required)',
        )
        .option('--description <text>', 'what the price includes')
        .option('--item <id>', 'a different item from the one on hold')
        .option('--from <day>', 'a different first day, YYYY-MM-DD')
        .option('--to <day>', 'a different last day, YYYY-MM-DD')
        .option('--free', 'confirms that a price of 0 is intended')
        .option('--confirm-on-accept', 'accepting the offer confirms the request');
    if (action === 'confirm')
      command
        .option(
          '--accepted',
          'the person accepted the open offer by phone: confirms its price, text, item and days; without this option, the offer ends and can be neither accepted nor sent again',
        )
        .option(
          '--no-accepted',
          'the person wants the item and days that they requested, not those of the open offer',
        );
    command.action((reference: string, { key, ...options }: ActionOptions) =>
      withContext(async (context) => {
        const receiptToken = await findTokenToChange(reference, context);
        const { says, ...outcome } = await answerAsProvider(
          { receiptToken, action, actor: 'operator', key },
          action === 'offer'
            ? { currency: await readPublishedCurrency(reference, context), ...options }
            : options,
          context,
        );
        const log = await readLog(receiptToken, context);
        // After a repeated command, the latest entry may be someone else's.
        const notification =
          log.entries.at(-1)?.actor === 'operator'
            ? await describeSentNotification(log, context)
            : undefined;
        print(
          [
            describeState(reference, log),
            ...[says, notification].filter((sentence) => sentence !== undefined),
            ...describeNextCommand(
              reference,
              log,
              shownTermsOf(log, context.now(), context.site),
              options.accepted,
            ),
          ],
          { lead: reference, ...outcome, reach: notification },
        );
      }),
    );
  }
}

function addWithdrawCommand(program: CommandLine, print: Printer): void {
  withExamples(program.command('withdraw'), 'npm run leads -- withdraw 7QCW-BNA8-E7EL-AFVP')
    .description(
      'cancels a request, even a confirmed one, when the customer has asked you to by phone or you have decided to; the customer is notified, and the provider sees it in its inbox',
    )
    .argument('<lead>', 'reference or receipt token')
    .option(
      '--text <text>',
      'text for the customer and the provider, under the name of the network’s organization',
    )
    .action((reference: string, { text }: ActionOptions) =>
      withContext(async (context) => {
        const receiptToken = await findTokenToChange(reference, context);
        await changeLead({ receiptToken, to: 'withdrawn', actor: 'operator', note: text }, context);
        const log = await readLog(receiptToken, context);
        const wasConfirmed = log.entries.at(-2)?.status === 'confirmed';
        const notification = await describeSentNotification(log, context);
        print(
          [
            `${describeState(reference, log)} The provider sees it in its inbox.${wasConfirmed ? ' Its confirmation no longer applies.' : ''}`,
            notification,
          ],
          { lead: reference, status: 'withdrawn', reach: notification },
        );
      }),
    );
}

function addEraseCommand(program: CommandLine, print: Printer): void {
  withExamples(
    program.command('erase'),
    'npm run leads -- erase 7QCW-BNA8-E7EL-AFVP',
    'npm run leads -- erase 7QCW-BNA8-E7EL-AFVP Q7C4-7A2D-9FJK-M3XT',
  )
    .description('erases the personal data of leads; their URLs then respond with 410')
    .argument(
      '<leads...>',
      'references of the leads; npm run leads -- list <email> lists a person’s leads',
    )
    .action((references: string[]) =>
      withContext(async (context) => {
        const tokens = await findTokensToChange(references, context);
        const { timeZone } = context.site.registry.network;
        const erasedLeads: string[] = [];
        for (const receiptToken of tokens) {
          const { reference, status, createdAt, subsite, action } = await readLead(
            receiptToken,
            'all',
            context,
          );
          await eraseLead(receiptToken, 'operator', context);
          erasedLeads.push(
            `  ${formatReference(reference)}  ${subsite}${action ? `.${action}` : ''}, created ${formatTimestamp(createdAt, timeZone)}, ${status} until then`,
          );
        }
        print([`Erased: ${tokens.length}.`, ...erasedLeads], { erased: references });
      }),
    );
}

function addPurgeCommand(program: CommandLine, print: Printer): void {
  withExamples(
    program.command('purge'),
    'npm run leads -- purge --dry-run',
    'npm run leads -- purge',
  )
    .description(
      'erases the leads that are past their retention period; the server does this every hour',
    )
    .option('--dry-run', 'only print the number of leads to erase')
    .action(({ dryRun }: { dryRun?: boolean }) =>
      withContext(async (context) => {
        const count = dryRun ? await countLeadsPastRetention(context) : await purgeLeads(context);
        print([dryRun ? `Leads past their retention period: ${count}.` : `Erased: ${count}.`], {
          [dryRun ? 'due' : 'erased']: count,
        });
      }),
    );
}

export function addChangeCommands(program: CommandLine, print: Printer): void {
  for (const add of [addActionCommands, addWithdrawCommand, addEraseCommand, addPurgeCommand])
    add(program, print);
}
