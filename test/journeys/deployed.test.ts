import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeCheckout } from '../setup/checkout.ts';
import { createBuildSettings } from '../setup/started-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-deployed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process and its descendants, as `pid command` lines. */
function listProcessTree(pid: number): string[] {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!.slice(1) as [string, string, string]);
  const listTreeLines = (rootId: string): string[] => [
    ...processes.filter(([id]) => id === rootId).map(([id, , args]) => `${id} ${args}`),
    ...processes.filter(([, parent]) => parent === rootId).flatMap(([id]) => listTreeLines(id)),
  ];
  return listTreeLines(String(pid));
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/status`);

interface StartedProgram {
  child: ChildProcess;
  output(): string;
  ready(): Promise<string>;
}

/** Startup begins with a build, which takes minutes while other programs keep the machine busy. */
const BUILD_POLLING = { timeout: 270_000, interval: 100 };

/** Starts a program in a checkout and collects its output. */
function start(
  [program, ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): StartedProgram {
  const child = spawn(program!, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ready = async () => {
    await expect
      .poll(() => (child.exitCode === null ? output : `ended: ${output}`), BUILD_POLLING)
      .toMatch(/Serving \d+ documents at http:\/\/\S+|^ended/);
    expect(output).toMatch(/ at http/);
    return / at (http:\/\/\S+)/.exec(output)![1]!;
  };
  return { child, output: () => output, ready };
}

describe('the process tree of npm start', () => {
  it.each([
    ['SIGTERM', ['npm', 'run', '-s', 'start']],
    ['SIGINT', ['npm', 'start']],
    ['SIGHUP', ['sh', '-c', 'exec npm start']],
    ['SIGKILL', ['npm', 'start']],
  ] as const)('leaves no process behind after %s to %j', async (signal, command) => {
    const { child, ready, output } = start(command, process.cwd(), {
      ...process.env,
      ...createBuildSettings(inject('fourBuild'), 'test/fixtures/network-of-four'),
      DATABASE_URL: `file:${folder}/tree.db`,
    });
    await ready();
    const pids = listProcessTree(child.pid!).map((line) => Number.parseInt(line, 10));
    expect(pids.length).toBeGreaterThan(1);
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    expect(output()).toContain('Stopping after the requests in progress.');
  });
});

/** The command and the settings of the documented unit. */
function readUnit(): { run: string[]; settings: string } {
  const text = readFileSync('.github/OPERATING.md', 'utf8');
  const [, settings] = /`\/srv\/frontage\/\.env`:\n\n```sh\n([\s\S]*?)```/.exec(text)!;
  const [, unit] = /```ini\n([\s\S]*?)```/.exec(text)!;
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit!)![1]!;
  expect(valueOf('WorkingDirectory')).toBe('/srv/frontage');
  expect(valueOf('StateDirectory')).toBe('frontage');
  return { run: valueOf('ExecStart').replace('/usr/bin/', '').split(' '), settings: settings! };
}

describe('the documented systemd unit', () => {
  const checkout = join(folder, 'srv');
  const stateDir = join(folder, 'var');
  const { run, settings } = readUnit();
  /**
   * All files of the checkout with their modification times, except packages: `node_modules` is a
   * link to a folder that other tests write to.
   */
  const listFiles = () =>
    readdirSync(checkout, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(checkout, 'node_modules/')))
      .map((path) => `${path} ${statSync(path).mtimeMs}`)
      .sort();
  const { DATABASE_URL: _, OUT_DIR: __, REGISTRY_DIR: ___, ...environment } = process.env;
  /** Runs as the unprivileged user of the unit if the test runs as root. */
  const setprivCommand =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const env = { ...environment, PORT: '0', HOME: stateDir };

  beforeAll(() => {
    makeCheckout(checkout);
    mkdirSync(stateDir);
    writeFileSync(join(checkout, '.env'), settings.replaceAll('/var/lib/frontage', stateDir));
    execFileSync('chmod', ['755', folder]);
    if (setprivCommand.length) execFileSync('chown', ['65534', stateDir]);
  });

  it('builds and serves as its user, writes only to its state directory, and shares its database with commands', async () => {
    const filesBefore = listFiles();
    const service = start([...setprivCommand, ...run], checkout, env);
    const origin = await service.ready();
    const { status } = await fetch(`http://127.0.0.1:${new URL(origin).port}/bus`);
    expect(status).toBe(200);
    const [program, ...args] = [...setprivCommand, 'npm', 'run', 'keys', '--', 'list'];
    const keysCommand = spawn(program!, args, {
      cwd: checkout,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let keysOutput = '';
    for (const stream of [keysCommand.stdout, keysCommand.stderr])
      stream.on('data', (chunk: Buffer) => (keysOutput += chunk.toString()));
    const [code] = (await once(keysCommand, 'close')) as [number];
    expect([code, keysOutput]).toEqual([
      0,
      expect.stringContaining(`Database: ${join(stateDir, 'frontage.db')}\n`),
    ]);
    service.child.kill('SIGTERM');
    if (service.child.exitCode === null && service.child.signalCode === null)
      await once(service.child, 'exit');
    expect(service.output()).not.toMatch(/\n\s+at /);
    expect(listFiles()).toEqual(filesBefore);
    expect(readdirSync(stateDir)).toEqual(expect.arrayContaining(['build', 'frontage.db']));
  });
});
