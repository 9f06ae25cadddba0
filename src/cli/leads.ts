import { BackupError } from '../../db/backup.ts';
import { createCommandLine } from './command-line.ts';
import { Problem } from '../operation/problem.ts';
import { exitCodeOf } from './exit-code-of.ts';
import { exitCodes, USAGE_ERROR_TEXT } from './exit-codes.ts';
import { addChangeCommands } from './leads/change.ts';
import { addDeliveryCommands } from './leads/redeliver.ts';
import { addDeleteCommands } from './leads/delete.ts';
import { addReadCommands } from './leads/read.ts';
import { addBackupCommands } from './leads/backup.ts';
import { addTableCommands } from './leads/tables.ts';
import { addTestMailCommand } from './leads/test-mail.ts';
import { printDatabaseUrlBeforeCommands } from './database-name.ts';
import { createPrinter } from './output.ts';
import { describeUserError } from './with-context.ts';

const program = createCommandLine('leads')
  .description('Lists, changes, exports and backs up leads. The server may run at the same time.')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
The provider sees each answer to a customer in its inbox, and the history shows the operator as the actor.

Identify a lead by its reference (shown in emails and the inbox), its receipt token, or the event in a line of the server’s log. Use npm run -s if a program reads the output, so that npm prints nothing else.

Exit codes: 0 done, ${exitCodes.refused} refused or not found, or rows of an import were refused, ${USAGE_ERROR_TEXT}.

Examples:
  npm run leads -- list --state new --older 2h
  npm run -s leads -- list --json | jq
  npm run leads -- show 7QCW-BNA8-E7EL-AFVP
  npm run leads -- offer 7QCW-BNA8-E7EL-AFVP --amount 450 --expires 48h
  npm run leads -- export --since 2027-01-01 --out leads.csv
  npm run leads -- import partner.csv
  npm run leads -- stats --export registry/responsiveness.json
  npm run leads -- backup /var/backups/monday.db`,
  );

printDatabaseUrlBeforeCommands(program, ['test-mail']);
const print = createPrinter(program);
addReadCommands(program, print);
addChangeCommands(program, print);
addDeliveryCommands(program, print);
addDeleteCommands(program, print);
addTableCommands(program, print);
addBackupCommands(program, print);
addTestMailCommand(program, print);

await program.parseAsync().catch((error: unknown) => {
  const isUnknownLead = error instanceof Problem && error.code === 'unknown_receipt';
  process.stderr.write(
    `${error instanceof BackupError ? error.message : describeUserError(error)}${isUnknownLead ? ' To find a lead by part of its reference or contact: npm run leads -- list <part>' : ''}\n`,
  );
  process.exitCode = exitCodeOf(error);
});
