import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ScanError } from './report.ts';

/** Timeout for a scanner, in ms. */
const TIMEOUT_MS = 180_000;

/**
 * Runs a scanner from node_modules and parses its JSON output.
 * @throws {ScanError} if it prints no JSON or takes longer than three minutes
 */
export async function runTool(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const child = spawn(process.execPath, [join('node_modules/.bin', name), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child, 'close');
  try {
    return JSON.parse(stdout) as unknown;
  } catch {
    throw new ScanError(
      `${name} printed no report. ${stderr.trim().split('\n').at(-1) ?? ''}`.trim(),
    );
  }
}
