import { mkdirSync, mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle } from '../../src/build/program.ts';
import { sharedFolder } from './shared-folder.ts';

/** Programs that functional tests start as separate processes. */
const PROGRAMS = [
  'src/cli/keys.ts',
  'src/cli/leads.ts',
  'test/deliveries/setup/worker.ts',
  'test/leads/setup/lead-server.ts',
  'test/operations/setup/second-process.ts',
] as const;

let bundlesFolder: Promise<string> | undefined;

async function bundlePrograms(): Promise<string> {
  mkdirSync(sharedFolder, { recursive: true });
  const folder = mkdtempSync(join(sharedFolder, 'programs-'));
  await bundle(folder, PROGRAMS);
  return folder;
}

/** Path of a program’s bundle. Loading hundreds of separate modules takes a second of CPU time. */
export async function getBundledProgram(program: (typeof PROGRAMS)[number]): Promise<string> {
  return join(await (bundlesFolder ??= bundlePrograms()), basename(program).replace('.ts', '.js'));
}
