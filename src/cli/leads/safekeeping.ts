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
    .argument('<file>', 'where it is written; nothing may stand there')
    .action(async (file: string) => {
      await backUpDatabase(databaseOf(readSettings()), file);
      print([`The backup stands in ${file}.`], { backup: file });
    });

  withExamples(program.command('restore'), 'npm run leads -- restore backups/monday.db')
    .description('puts a backup in the place of the database; stop the server first')
    .argument('<file>', 'the backup')
    .action(async (file: string) => {
      const replaced = await restoreDatabase(file, databaseOf(readSettings()));
      const stays = replaced ? ` The database that was there stands in ${replaced}.` : '';
      print(
        [
          `The backup is in place.${stays} Leads that were erased since the backup are back: npm run leads -- purge, and erase them again.`,
        ],
        { restored: file, replaced: replaced ?? null },
      );
    });
}
