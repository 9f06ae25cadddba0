import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInProcess } from '../../setup/command.ts';

/** Output and exit code of a program. */
export interface ProgramResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a Node program from a development dependency, and kills it after `timeoutMs`. */
export function runProgram(
  file: string,
  args: readonly string[],
  timeoutMs = 240_000,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      env: { ...process.env, NO_COLOR: '1' },
    });
    const result: ProgramResult = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (result.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (result.stderr += String(chunk)));
    child.on('close', (code) => resolve({ ...result, code }));
  });
}

const resolvePackagePath = (path: string) =>
  fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url));

const resolveInspectorClientPath = (name: string) =>
  resolvePackagePath(`@modelcontextprotocol/inspector/clients/${name}/build/index.js`);

/** Runs the command-line Inspector in a separate process. */
export const runInspectorProcess = (args: readonly string[]): Promise<ProgramResult> =>
  runProgram(resolveInspectorClientPath('launcher'), ['--cli', ...args]);

/** Runs the command-line Inspector in this process, as its launcher does. */
export async function runInspector(args: readonly string[]): Promise<ProgramResult> {
  const { runCli, handleError } = (await import(
    /* @vite-ignore */ resolveInspectorClientPath('cli')
  )) as Record<'runCli' | 'handleError', (argument: unknown) => Promise<void>>;
  const argv = [process.execPath, 'mcp-inspector', ...args];
  const { code, stdout, stderr } = await runInProcess(argv, { NO_COLOR: '1' }, () =>
    runCli!(argv).catch(handleError),
  );
  return { code, stdout, stderr };
}
const CONFORMANCE_PROGRAM = resolvePackagePath('@modelcontextprotocol/conformance/dist/index.js');

/** A check in a scenario, as the suite reports it. */
export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/** Results of conformance scenarios, by name. */
export interface Outcome {
  result: ProgramResult;
  checks: Readonly<Record<string, readonly Check[]>>;
}

/**
 * Runs the conformance suite against a server. Runs all scenarios of a protocol revision; with
 * `required`, only the required scenarios; with `scenario`, a single scenario, such as an
 * extension’s.
 */
export async function runConformance(
  url: string,
  revision: string,
  { required = false, scenario = '' } = {},
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const result = await runProgram(CONFORMANCE_PROGRAM, [
      ...['server', '--url', url, '--output-dir', folder],
      ...(scenario
        ? ['--scenario', scenario, '--spec-version', revision, '--force']
        : required
          ? ['--requirements', revision]
          : ['--suite', 'all', '--spec-version', revision]),
    ]);
    const checks = readdirSync(folder).map((name) => [
      // Result folders are named server-{scenario}-{time}.
      name.replace(/^server-|-\d{4}-\d\d-\d\dT[\d-]+Z$/g, ''),
      JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    ]);
    return { result, checks: Object.fromEntries(checks) as Outcome['checks'] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
