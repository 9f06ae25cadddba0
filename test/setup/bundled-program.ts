import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle } from '../../src/build/program.ts';
import { sharedFolder } from './shared-folder.ts';

/** Programs that tests start as separate processes; those in one list share their modules. */
const programLists = {
  programs: [
    'src/cli/check.ts',
    'src/cli/keys.ts',
    'src/cli/leads.ts',
    'src/cli/new.ts',
    'test/deliveries/setup/worker.ts',
    'test/leads/setup/lead-server.ts',
    'test/operations/setup/second-process.ts',
  ],
  databasePrograms: [
    'test/db/setup/copy-program.ts',
    'test/db/setup/exit-program.ts',
    'test/db/setup/lock-program.ts',
    'test/db/setup/open-program.ts',
    'test/db/setup/write-program.ts',
  ],
} as const;

type ListName = keyof typeof programLists;
type Program = (typeof programLists)[ListName][number];

const folders: Partial<Record<ListName, Promise<string>>> = {};

/** The folder with the bundles of a list, which all processes of a run share. */
async function bundlePrograms(name: ListName): Promise<string> {
  const folder = join(sharedFolder, name);
  if (existsSync(folder)) return folder;
  mkdirSync(sharedFolder, { recursive: true });
  const ownFolder = mkdtempSync(`${folder}-`);
  await bundle(ownFolder, programLists[name]);
  // Some tests run programs as another user.
  chmodSync(ownFolder, 0o755);
  try {
    renameSync(ownFolder, folder);
    return folder;
  } catch {
    // Another process was faster.
    return ownFolder;
  }
}

/** Path of a program’s bundle. Loading hundreds of separate modules takes a second of CPU time. */
export async function getBundledProgram(program: Program): Promise<string> {
  const name = program.startsWith('test/db/') ? 'databasePrograms' : 'programs';
  return join(await (folders[name] ??= bundlePrograms(name)), basename(program, '.ts') + '.js');
}
