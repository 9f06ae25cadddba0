import { InvalidArgumentError } from 'commander';
import {
  creditKey,
  createKey,
  KeyError,
  type KeyRecord,
  listKeys,
  revokeKey,
  readKeyDetails,
} from '../keys/keys.ts';
import { INBOX_SCOPE, inboxSubsiteOf } from '../keys/key-scopes.ts';
import { closeAllInboxes } from '../keys/inbox-session.ts';
import { renewLinkSecret } from '../operation/link-secret.ts';
import { readSettings } from '../settings.ts';
import type { Context } from '../operation/context.ts';
import { DATE_RULE, formatTimestamp, isDateTime, toInstant } from './dates.ts';
import { printDatabaseUrlBeforeCommands } from './database-name.ts';
import { createPrinter, withExamples } from './output.ts';
import { verifyReceiptInput } from './verify-receipt.ts';
import { describeUserError, withContext } from './with-context.ts';
import { createCommandLine } from './command-line.ts';
import { exitCodeOf } from './exit-code-of.ts';
import { exitCodes, USAGE_ERROR_TEXT } from './exit-codes.ts';
import { DAY_MS } from '../site/calendar/durations.ts';

/** Describes a key in lines of text, with times in the network’s time zone. */
function describeKey(key: KeyRecord, { site }: Context): string[] {
  const formatLocalTime = (time: string | null) =>
    time ? formatTimestamp(time, site.registry.network.timeZone) : 'never';
  return [
    `${key.id}  ${key.status}  ${key.name}`,
    `  scopes    ${key.scopes.join(' ')}`,
    `  created   ${formatLocalTime(key.createdAt)}`,
    `  expires   ${formatLocalTime(key.expiresAt)}`,
    ...(key.revokedAt ? [`  revoked   ${formatLocalTime(key.revokedAt)}`] : []),
    `  last used ${formatLocalTime(key.lastUsedAt)}`,
  ];
}

/** Checks an expiry time, and converts a number of days; `toInstant` converts a date. */
function parseExpiry(text: string): string {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  if (days) return new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  if (!isDateTime(text))
    throw new InvalidArgumentError(`Use a number of days such as 90d, ${DATE_RULE}.`);
  return text;
}

function parseAmount(text: string): string {
  if (!/^-?\d{1,9}(?:\.\d{1,2})?$/.test(text))
    throw new InvalidArgumentError('Use an amount such as 25 or 12.50.');
  return text;
}

const opensInbox = (scope: string): boolean =>
  scope === INBOX_SCOPE || inboxSubsiteOf(scope) !== undefined;

const program = createCommandLine('keys')
  .description(
    'Manages the bearer keys of agents and their credits, renews the secret for answer links, and verifies receipts.',
  )
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
To replace a key, create a new one with the same scopes, hand it over, and revoke the old one.

Exit codes: 0 done, ${exitCodes.refused} refused or invalid, ${USAGE_ERROR_TEXT}.

Examples:
  npm run keys -- create "Acme agent" --scope '*.help' --scope 'guide.*' --expires 90d
  npm run keys -- create "Front desk" --scope inbox
  npm run keys -- create "Gulf Air Cooling" --scope inbox:hvac    # its leads only
  npm run -s keys -- list --json | jq        # -s keeps npm’s own lines out
  npm run keys -- credit k3m9p2x7ab 25.00
  npm run keys -- revoke k3m9p2x7ab
  echo whsec_$(openssl rand -base64 32)      # for WEBHOOK_SECRET
  npm run keys -- rotate-links               # after a mailbox with answer links was exposed
  openssl genpkey -algorithm ed25519 -out receipts.pem    # for RECEIPT_SIGNING_KEY_FILE
  openssl pkey -in receipts.pem -pubout -out receipts.pub
  npm run keys -- verify-receipt task.json --public-key receipts.pub`,
  );
printDatabaseUrlBeforeCommands(program, ['verify-receipt']);
const print = createPrinter(program);

withExamples(
  program.command('create'),
  `npm run keys -- create "Acme agent" --scope '*.help' --scope 'guide.*' --expires 90d`,
  'npm run keys -- create "Front desk" --scope inbox --expires 2027-06-30',
  'npm run keys -- create "Gulf Air Cooling" --scope inbox:hvac',
  'npm run keys -- create "Bayline" --scope inbox:estate --scope inbox:trailer    # two subsites',
  'npm run keys -- create "Acme agent" --scope callbacks',
)
  .description('creates a key and shows it once')
  .argument('<name>', 'who uses the key')
  .requiredOption(
    '--scope <scope>',
    'capability ID or glob, for example company.assist, guide.* or *.help; inbox opens the whole inbox, inbox:<subsite> the inbox of one provider; callbacks allows callbacks about requests; repeat the option for more scopes',
    // A variadic option would treat the name argument as one more scope.
    (scope, others: readonly string[] | undefined) => [...(others ?? []), scope],
  )
  .option(
    '--expires <when>',
    'a number of days such as 90d, the last day in the network’s time zone, or a time with its offset such as 2027-01-31T10:00-05:00; default: never',
    parseExpiry,
  )
  .action((name: string, { scope, expires }: { scope: string[]; expires?: string }) =>
    withContext(async (context) => {
      const expiresAt = expires === undefined ? null : toInstant(expires, context.site, 'end');
      const key = await createKey({ name, scopes: scope, expiresAt }, context);
      const { callbackSecret: secret } = key;
      print(
        [
          key.key,
          '',
          'The key will not be shown again, because only its hash is stored.',
          ...(scope.includes('*') && !scope.some(opensInbox)
            ? ['The scope * does not open the inbox. Create a key with --scope inbox for that.']
            : []),
          ...(secret ? [`Callback secret, also not shown again: ${secret}`] : []),
          ...describeKey(key, context),
        ],
        key,
      );
    }),
  );

withExamples(program.command('list'), 'npm run keys -- list', 'npm run -s keys -- list --json | jq')
  .description('lists all keys; times are in the network’s time zone, or in UTC with --json')
  .action(() =>
    withContext(async (context) => {
      const keys = await listKeys(context);
      print(
        keys.length ? keys.flatMap((key) => describeKey(key, context)) : ['There are no keys yet.'],
        keys,
      );
    }),
  );

withExamples(program.command('show'), 'npm run keys -- show k3m9p2x7ab')
  .description('shows a key with its credits')
  .argument('<key>', 'key ID')
  .action((id: string) =>
    withContext(async (context) => {
      const key = await readKeyDetails(id, context);
      print(
        [
          ...describeKey(key, context),
          `  credits   ${key.credits.available} available, ${key.credits.reserved} reserved`,
        ],
        key,
      );
    }),
  );

withExamples(program.command('revoke'), 'npm run keys -- revoke k3m9p2x7ab')
  .description('revokes a key, effective with the next request')
  .argument('<key>', 'key ID')
  .action((id: string) =>
    withContext(async (context) => {
      const key = await revokeKey(id, context);
      print([`${key.id} is revoked.`], key);
    }),
  );

withExamples(
  program.command('credit'),
  'npm run keys -- credit k3m9p2x7ab 25.00',
  'npm run keys -- credit k3m9p2x7ab -- -5',
)
  .description('adds credits to a key; a negative amount removes unreserved credits')
  .argument('<key>', 'key ID')
  .argument('<amount>', 'in USD, for example 25.00; a negative amount goes after --', parseAmount)
  .action((id: string, amount: string) =>
    withContext(async (context) => {
      const key = await creditKey(id, amount, context);
      print(
        [`${key.id} has ${key.credits.available} available and ${key.credits.reserved} reserved.`],
        key,
      );
    }),
  );

withExamples(program.command('rotate-links'), 'npm run keys -- rotate-links')
  .description(
    'renews the secret for answer links, which disables all existing links, and ends inbox sessions',
  )
  .action(() =>
    withContext(async (context) => {
      if (context.linkSecret !== undefined)
        throw new KeyError(
          'LINK_SECRET signs the links. Change it and restart the service, or remove it and run this command again.',
        );
      await renewLinkSecret(context);
      const sessionCount = await closeAllInboxes(context);
      print(
        [
          'The link secret was renewed. Existing answer links no longer work.',
          `Inbox sessions ended: ${sessionCount}.`,
          'To send providers new links to all open leads: npm run leads -- redeliver --open',
          'For a confirmed lead: npm run leads -- redeliver <reference>',
        ],
        { rotated: true, sessionsEnded: sessionCount },
      );
    }),
  );

withExamples(
  program.command('verify-receipt'),
  'npm run keys -- verify-receipt task.json --public-key receipts.pub',
)
  .description('checks a signed receipt or status offline')
  .argument(
    '<receipt>',
    'a JWS, or a file that contains a JWS or the JSON of a receipt, status or task; - reads standard input',
  )
  .option(
    '--public-key <file>',
    'public key in PEM (SPKI); default: the public key of RECEIPT_SIGNING_KEY',
  )
  .action(async (receipt: string, { publicKey }: { publicKey?: string }) => {
    const { receiptSigningKey } = publicKey ? {} : readSettings();
    const claims = await verifyReceiptInput(
      receipt,
      publicKey ?? (receiptSigningKey && { privatePem: receiptSigningKey }),
    );
    print(
      [
        'The receipt is valid.',
        ...Object.entries(claims).map(
          ([name, value]) =>
            `  ${name}  ${typeof value === 'string' ? value : JSON.stringify(value)}`,
        ),
      ],
      { valid: true, claims },
    );
  });

await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof KeyError ? error.message : describeUserError(error)}\n`);
  process.exitCode = exitCodeOf(error);
});
