import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runHere } from '../../setup/command.ts';

/** What a program said, and how it ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a Node program that is a development dependency; it is ended after `timeoutMs`. */
export function run(file: string, args: readonly string[], timeoutMs = 240_000): Promise<Ended> {
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

const inspectorClient = (name: string) =>
  inProject(`@modelcontextprotocol/inspector/clients/${name}/build/index.js`);

/** Runs the Inspector on the command line as a process of its own. */
export const inspectorProcess = (args: readonly string[]): Promise<Ended> =>
  run(inspectorClient('launcher'), ['--cli', ...args]);

/** Runs the Inspector on the command line as its launcher does, in this process. */
export async function inspector(args: readonly string[]): Promise<Ended> {
  const { runCli, handleError } = (await import(
    /* @vite-ignore */ inspectorClient('cli')
  )) as Record<'runCli' | 'handleError', (of: unknown) => Promise<void>>;
  const argv = [process.execPath, 'mcp-inspector', ...args];
  const { code, stdout, stderr } = await runHere(argv, { NO_COLOR: '1' }, () =>
    runCli!(argv).catch(handleError),
  );
  return { code, stdout, stderr };
}
const CONFORMANCE = inProject('@modelcontextprotocol/conformance/dist/index.js');

/** One check of a scenario, as the suite reports it. */
export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** What scenarios of the conformance suite found, by their names. */
export interface Outcome {
  ended: Ended;
  checks: Readonly<Record<string, readonly Check[]>>;
}

/**
 * Runs the conformance suite against a server in one process: every scenario of a revision of the
 * protocol, with `required` exactly those that the revision requires, or with `scenario` one that
 * belongs to no revision, such as an extension’s.
 */
export async function conformance(
  url: string,
  revision: string,
  { required = false, scenario = '' } = {},
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const ended = await run(CONFORMANCE, [
      ...['server', '--url', url, '--output-dir', folder],
      ...(scenario
        ? ['--scenario', scenario, '--spec-version', revision, '--force']
        : required
          ? ['--requirements', revision]
          : ['--suite', 'all', '--spec-version', revision]),
    ]);
    const checks = readdirSync(folder).map((name) => [
      // A folder is named server-{scenario}-{time}.
      name.replace(/^server-|-\d{4}-\d\d-\d\dT[\d-]+Z$/g, ''),
      JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    ]);
    return { ended, checks: Object.fromEntries(checks) as Outcome['checks'] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
