import { backUpDatabase, restoreDatabase, type UndoneChanges } from '../../../db/backup.ts';
import { createDatabaseConfig, readSettings } from '../../settings.ts';
import { formatQuantity } from '../../site/words/quantity.ts';
import { formatReference } from '../../site/words/words.ts';
import type { CommandLine } from '../command-line.ts';
import { type Printer, withExamples } from '../output.ts';

const UNKNOWN_CHANGES_TEXT =
  'Leads erased and keys revoked since the backup are back, but cannot be listed. Run npm run leads -- purge, and repeat the erasures and revocations. If answer links have been rotated since then, run npm run keys -- rotate-links.';

const NO_PREVIOUS_DATABASE_TEXT =
  'There was no database to replace. If you have erased leads, revoked keys or rotated answer links since the backup, do so again before you start the server.';

const LEADS_PER_COMMAND = 50;

/** Maximum number of references to list; --json lists all. */
const MAX_LISTED = 200;

const listReferences = (label: string, references: readonly string[]): string[] =>
  references.length
    ? [
        `${label}:`,
        ...references.slice(0, MAX_LISTED).map((reference) => `  ${formatReference(reference)}`),
        ...(references.length > MAX_LISTED
          ? [`  and ${references.length - MAX_LISTED} more; --json lists all of them`]
          : []),
      ]
    : [];

const describeUndelivered = (count: number): string =>
  `${count === 1 ? '1 message' : `${count} messages`} had not been delivered at the time of the backup. A server with the settings to send ${count === 1 ? 'it' : 'them'} does so when it starts, even if ${count === 1 ? 'it has' : 'they have'} been delivered since.`;

/** Lists the changes that a restore undid, with the commands to redo them. */
function describeUndoneChanges(undoneChanges: UndoneChanges, replacedPath: string): string[] {
  const { erased, revoked, linksRotated, leads, keys, changes } = undoneChanges;
  const referenceBatches = Array.from(
    { length: Math.ceil(erased.length / LEADS_PER_COMMAND) },
    (_, index) =>
      erased
        .slice(index * LEADS_PER_COMMAND, (index + 1) * LEADS_PER_COMMAND)
        .map(formatReference)
        .join(' '),
  );
  const [firstLead] = [...leads, ...changes];
  return [
    ...(leads.length || keys.length || changes.length
      ? [
          `Missing from the backup: ${formatQuantity(leads.length, 'lead')}, ${formatQuantity(keys.length, 'key')}, and the last changes to ${formatQuantity(changes.length, 'other lead')}.`,
        ]
      : []),
    ...listReferences('Missing leads', leads),
    ...(keys.length
      ? [
          'Missing keys, which no longer work. Create new ones with npm run keys -- create:',
          ...keys.map(({ id, name }) => `  ${id}  ${name}`),
        ]
      : []),
    ...listReferences('Leads missing their last changes', changes),
    ...(firstLead === undefined
      ? []
      : [
          'To read one as it was before the restore:',
          `  DATABASE_URL='file:${replacedPath}' npm run leads -- show ${formatReference(firstLead)}`,
        ]),
    `Erased or revoked since the backup, and now back: ${formatQuantity(erased.length, 'lead')}, ${formatQuantity(revoked.length, 'key')}.${erased.length + revoked.length ? ' Erase or revoke them again before you start the server:' : ''}`,
    ...referenceBatches.map((references) => `  npm run leads -- erase ${references}`),
    ...revoked.map((id) => `  npm run keys -- revoke ${id}`),
    ...(linksRotated
      ? [
          'The answer links from before the last rotation work again. If a mailbox was exposed, rotate them again:',
          '  npm run keys -- rotate-links',
        ]
      : []),
  ];
}

export function addBackupCommands(program: CommandLine, print: Printer): void {
  withExamples(program.command('backup'), 'npm run leads -- backup /var/backups/monday.db')
    .description(
      'writes a complete copy of the database, even while the server runs; the copy contains personal data',
    )
    .argument('<file>', 'file to write; must not exist yet')
    .action(async (file: string) => {
      await backUpDatabase(createDatabaseConfig(readSettings()), file);
      print([`The backup is in ${file}.`], { backup: file });
    });

  withExamples(program.command('restore'), 'npm run leads -- restore /var/backups/monday.db')
    .description('replaces the database with a backup; stop the server first')
    .argument('<file>', 'the backup')
    .action(async (file: string) => {
      const { undelivered, replaced, undone } = await restoreDatabase(
        file,
        createDatabaseConfig(readSettings()),
      );
      print(
        [
          `The backup was restored.${replaced ? ` The previous database is in ${replaced}. It contains personal data: delete it when you no longer need it.` : ''}`,
          ...(undone
            ? describeUndoneChanges(undone, replaced!)
            : [replaced ? UNKNOWN_CHANGES_TEXT : NO_PREVIOUS_DATABASE_TEXT]),
          ...(undelivered ? [describeUndelivered(undelivered)] : []),
        ],
        { restored: file, undelivered, replaced: replaced ?? null, undone: undone ?? null },
      );
    });
}
