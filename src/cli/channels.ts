import { Option } from 'commander';
import {
  type ConversationReport,
  runConversation,
  type ChannelReport,
  ChannelsError,
  ChannelUsageError,
  type ChannelCheckReport,
  type Intent,
  makeIntent,
  checkChannels,
  type OnWait,
} from './channel-check/index.ts';
import { readValidEnvironment } from '../settings.ts';
import { type DatabaseClient, createDatabaseClient } from './database-client.ts';
import { printDatabaseName } from './database-name.ts';
import { describeUserError, withContext } from './with-context.ts';
import { formatQuantity } from '../site/words/quantity.ts';
import { createCommandLine, createCountParser, createUrlParser } from './command-line.ts';
import { exitCodes, USAGE_ERROR_TEXT, exitWithMessage } from './exit-codes.ts';

const isLoopback = ({ hostname }: URL) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);

const program = createCommandLine('channels')
  .description(
    'Sends the same request through every channel of a network (JSON, form, MCP, A2A, and tasks with a key) with one idempotency key, in random order, concurrently and with interrupted connections. Counts the leads by their receipts.',
  )
  .argument(
    '<url>',
    'origin of the service, for example http://localhost:4321',
    createUrlParser('http://localhost:4321'),
  )
  .option(
    '--action <subsite.verb>',
    'action to submit; default: the first capability without dates',
  )
  .addOption(new Option('--key <key>', 'bearer key for the task channel').env('KEY'))
  .option(
    '--times <n>',
    'number of complete requests, and of interrupted requests, through each channel',
    createCountParser(1_000),
    3,
  )
  .option('--count', 'also count the rows in the database (DATABASE_URL)')
  .option(
    '--conversation',
    'continue with a conversation about the lead: question, reply, offer, acceptance and confirmation. Each message from the person goes through every channel; the provider’s messages are written to the database; implies --count',
  )
  .option('--allow-remote', 'allow a URL on another machine, where a lead will be created')
  .addUsageCheck(({ allowRemote }: { allowRemote?: boolean }, [url]) =>
    allowRemote || !url || !URL.canParse(url) || isLoopback(new URL(url))
      ? []
      : [
          'This URL is on another machine, where a lead would be created. Add --allow-remote to allow that.',
        ],
  )
  .option('--json', 'print the report as JSON')
  .option('--quiet', 'do not print the name of the database on standard error')
  .addHelpText(
    'after',
    `
Exit codes: 0 exactly one lead, ${exitCodes.refused} no lead, more than one lead, a channel that refused the request, or a service or database that does not respond, ${USAGE_ERROR_TEXT}.
Without --count, leads are counted by the receipts that the channels returned, which misses a lead whose receipt was lost with
its connection. With --count, DATABASE_URL must be the database of the service.
In the table, “cut” counts the requests whose connection was interrupted, “receipts” those that returned a receipt, “later”
the responses that asked for a later retry, and “refused” all other responses.
The lead is real: it has the name “Channel check” and is sent to whoever receives leads.
Three rounds through four channels are 28 requests, or 84 with --conversation. The default limit is 30 writes a minute; the
command waits when it is reached. The task channel has no conversation. After a conversation, the lead is confirmed.
Examples:
  npm run channels -- http://localhost:4321
  npm run channels -- http://localhost:4321 --times 20 --count
  npm run channels -- http://localhost:4321 --times 1 --conversation
  KEY=fk_… npm run -s channels -- http://localhost:4321 --action <subsite>.<verb> --json
  npm run channels -- https://example.com --allow-remote`,
  )
  .parse();

function formatTable(header: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...lines.map((line) => line[column]!.length)),
  );
  return [header, ...lines].map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * Table cells for a channel: the numbers of interrupted connections, receipts, delays and
 * rejections.
 */
const toCells = ({ channel, cut, receipts, later, refused }: ChannelReport): string[] => [
  channel,
  String(cut),
  String(receipts),
  String(later),
  Object.entries(refused)
    .map(([outcome, count]) => `${outcome} × ${count}`)
    .join(', ') || '0',
];
const CHANNEL_TABLE_HEADER = ['channel', 'cut', 'receipts', 'later', 'refused'];

function renderChannelTable(
  { subsite, action, channels, receipts, readable, leftOut }: ChannelCheckReport,
  rows: number | undefined,
): string {
  const rowCountText = rows === undefined ? '' : `, ${formatQuantity(rows, 'row')} in the database`;
  return [
    `${subsite}.${action}`,
    ...formatTable(CHANNEL_TABLE_HEADER, channels.map(toCells)),
    ...leftOut,
    `${receipts.length > 1 ? `${receipts.length} different receipts` : formatQuantity(receipts.length, 'receipt')}, ${readable} readable${rowCountText}.`,
    '',
  ].join('\n');
}

/** Formats the conversation as a table, or explains why it was skipped. */
function renderConversation(report: ConversationReport | undefined): string {
  if (!report) return 'The conversation was skipped, because there is not exactly one lead.\n';
  const { steps, thread, entries } = report;
  const lines = steps.flatMap(({ step, channels, unseen }) => [
    ...channels.map((channel) => [step, ...toCells(channel)]),
    ...(channels.length ? [] : [[step, 'operator', '0', '0', '0', '0']]),
    ...unseen.map((channel) => [step, channel, '', '', '', 'not shown']),
  ]);
  return [
    ...formatTable(['step', ...CHANNEL_TABLE_HEADER], lines),
    `${formatQuantity(thread.length, 'message')} in the thread, ${formatQuantity(entries, 'entry', 'entries')} in the history${report.one ? '' : '; a single thread has 4 and 6'}.`,
    '',
  ].join('\n');
}

async function run(): Promise<number> {
  readValidEnvironment();
  const { action, key, times, count, conversation, json, quiet } = program.opts<{
    action?: string;
    key?: string;
    times: number;
    count?: boolean;
    conversation?: boolean;
    json?: boolean;
    quiet?: boolean;
  }>();
  const [url] = program.processedArgs as [URL];
  const work = async (database?: DatabaseClient) =>
    checkAndPrintChannels(url.origin, await makeIntent(url.origin, action), {
      times,
      key,
      database,
      conversation,
      json,
    });
  if (!count && !conversation) return work();
  if (!quiet) printDatabaseName();
  return withContext((context) => work(createDatabaseClient(context)));
}

interface RunOptions {
  times: number;
  key?: string | undefined;
  database?: DatabaseClient | undefined;
  conversation?: boolean | undefined;
  json?: boolean | undefined;
}

/** Minimum delay to report to the user, in ms. */
const MIN_REPORTED_MS = 2_000;

/**
 * Reports the first long delay that the server requests, so that the command does not seem stuck.
 */
function createWaitReporter(): OnWait {
  let hasReported = false;
  return (pause) => {
    if (hasReported || pause < MIN_REPORTED_MS) return;
    hasReported = true;
    process.stderr.write(
      `Waiting ${Math.ceil(pause / 1000)} s because of the server’s rate limit; there may be more delays. Set RATE_LIMIT_WRITES=0 and RATE_LIMIT_READS=0 on the server to avoid them.\n`,
    );
  };
}

/** Sends the request, prints the outcome and returns the exit code. */
async function checkAndPrintChannels(
  origin: string,
  intent: Intent,
  { times, key, database, conversation, json }: RunOptions,
): Promise<number> {
  const onWait = createWaitReporter();
  const report = await checkChannels(origin, intent, { times, key, onWait });
  const [receiptToken] = report.receipts;
  const conversationReport =
    conversation && database && report.one && receiptToken !== undefined
      ? await runConversation(origin, intent, receiptToken, database, times, onWait)
      : undefined;
  const rows = await database?.countLeads(intent.contact.email);
  const one =
    report.one &&
    (rows === undefined || rows === 1) &&
    (!conversation || conversationReport?.one === true);
  const fullReport = {
    ...report,
    ...(conversationReport && { conversation: conversationReport }),
    ...(rows !== undefined && { rows }),
    one,
  };
  process.stdout.write(
    json
      ? `${JSON.stringify(fullReport, null, 2)}\n`
      : `${renderChannelTable(report, rows)}${conversation ? renderConversation(conversationReport) : ''}`,
  );
  return one ? 0 : exitCodes.refused;
}

await run()
  .then((code) => (process.exitCode = code))
  .catch((error: unknown) =>
    exitWithMessage(
      error instanceof ChannelsError ? error.message : describeUserError(error),
      error instanceof ChannelUsageError ? exitCodes.usageError : exitCodes.refused,
    ),
  );
