import type { Command } from 'commander';
import { backUpDatabase, restoreDatabase } from '../../../db/backup.ts';
import { databaseOf, readSettings } from '../../settings.ts';
import { type Print, withExamples } from '../output.ts';

/** Commands that keep the database safe. */
export function addSafekeeping(program: Command, print: Print): void {
  withExamples(program.command('backup'), 'npm run leads -- backup backups/monday.db')
    .description(
      'writes a whole copy of the database while the server goes on; it holds personal data',
    )
    .argument('<file>', 'where it is written; there may be no such file yet')
    .action(async (file: string) => {
      await backUpDatabase(databaseOf(readSettings()), file);
      print([`The backup is in ${file}.`], { backup: file });
    });

  withExamples(program.command('restore'), 'npm run leads -- restore backups/monday.db')
    .description('puts a backup in the place of the database; stop the server first')
    .argument('<file>', 'the backup')
    .action(async (file: string) => {
      const replaced = await restoreDatabase(file, databaseOf(readSettings()));
      const stays = replaced ? ` The database that was there is in ${replaced}.` : '';
      print(
        [
          `The backup is in place.${stays} What was erased or revoked since the backup is back: run npm run leads -- purge, erase those leads and revoke those keys again.`,
        ],
        { restored: file, replaced: replaced ?? null },
      );
    });
}
