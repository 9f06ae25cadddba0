import { mkdirSync, mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle } from '../../src/build/program.ts';
import { leftovers } from './leftovers.ts';

/** What tests of functions start as processes of their own, by paths in the project. */
const PROGRAMS = [
  'src/cli/leads.ts',
  'test/deliveries/setup/worker.ts',
  'test/leads/setup/serving.ts',
  'test/operations/setup/second-process.ts',
] as const;

let bundled: Promise<string> | undefined;

async function bundleAll(): Promise<string> {
  mkdirSync(leftovers, { recursive: true });
  const folder = mkdtempSync(join(leftovers, 'programs-'));
  await bundle(folder, PROGRAMS);
  return folder;
}

/**
 * Path of the bundle of a program: a process that loads all sources one by one takes a second of
 * CPU to start.
 */
export async function bundledProgram(program: (typeof PROGRAMS)[number]): Promise<string> {
  return join(await (bundled ??= bundleAll()), basename(program).replace('.ts', '.js'));
}
