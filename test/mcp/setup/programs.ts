import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a program said, and how it ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a Node program that is a development dependency; it is ended after `timeoutMs`. */
export function run(file: string, args: readonly string[], timeoutMs = 60_000): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      env: { ...process.env, NO_COLOR: '1' },
    });
    const ended: Ended = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (ended.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (ended.stderr += String(chunk)));
    child.on('close', (code) => resolve({ ...ended, code }));
  });
}

const inProject = (path: string) =>
  fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url));

export const INSPECTOR = inProject(
  '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const CONFORMANCE = inProject('@modelcontextprotocol/conformance/dist/index.js');

/** One check of a scenario, as the suite reports it. */
export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** Runs one scenario of the conformance suite against a server. */
export async function conformance(
  url: string,
  scenario: string,
  revision: string,
): Promise<{ ended: Ended; checks: Check[] }> {
  const ended = await run(CONFORMANCE, [
    'server',
    '--url',
    url,
    '--scenario',
    scenario,
    '--spec-version',
    revision,
    '--verbose',
  ]);
  const start = ended.stdout.indexOf('[\n');
  const end = ended.stdout.lastIndexOf('\n]');
  return {
    ended,
    checks:
      start < 0 || end < start ? [] : (JSON.parse(ended.stdout.slice(start, end + 2)) as Check[]),
  };
}
