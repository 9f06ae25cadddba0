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
import { builtWith } from '../setup/started-server.ts';

/** Each of many programs is started for itself. */
const folder = mkdtempSync(join(tmpdir(), 'frontage-deployed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The processes of this machine below one, itself included, as `pid command`. */
function treeOf(pid: number): string[] {
  const all = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)!.slice(1) as [string, string, string]);
  const below = (id: string): string[] => [
    ...all.filter(([own]) => own === id).map(([own, , args]) => `${own} ${args}`),
    ...all.filter(([, parent]) => parent === id).flatMap(([own]) => below(own)),
  ];
  return below(String(pid));
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}/status`);

interface Started {
  child: ChildProcess;
  said(): string;
  ready(): Promise<string>;
}

/** Starts a program of a checkout, and reads what it says. */
function start(
  [program, ...args]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Started {
  const child = spawn(program!, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ready = async () => {
    await expect
      .poll(() => (child.exitCode === null ? said : `ended: ${said}`))
      .toMatch(/Serving \d+ documents at http:\/\/\S+|^ended/);
    expect(said).toMatch(/ at http/);
    return / at (http:\/\/\S+)/.exec(said)![1]!;
  };
  return { child, said: () => said, ready };
}

describe('npm start as a tree of processes', () => {
  it.each([
    ['SIGTERM', ['npm', 'start']],
    ['SIGINT', ['npm', 'start']],
    ['SIGHUP', ['npm', 'start']],
    ['SIGKILL', ['npm', 'start']],
    ['SIGTERM', ['sh', '-c', 'exec npm start']],
    ['SIGTERM', ['npm', 'run', '-s', 'start']],
  ] as const)('leaves nothing behind at %s to %j', async (signal, command) => {
    const { child, ready, said } = start(command, process.cwd(), {
      ...process.env,
      ...builtWith(inject('fourBuild'), 'test/fixtures/network-of-four'),
      DATABASE_URL: `file:${folder}/tree.db`,
    });
    await ready();
    const pids = treeOf(child.pid!).map((line) => Number.parseInt(line, 10));
    expect(pids.length).toBeGreaterThan(1);
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    expect(said()).toContain('Stopping: finishing the requests in flight.');
  });
});

/** The documented unit: what it runs, and the settings beside it. */
function readUnit(): { run: string[]; settings: string } {
  const text = readFileSync('.github/OPERATING.md', 'utf8');
  const [, settings] = /`\/srv\/frontage\/\.env`:\n\n```sh\n([\s\S]*?)```/.exec(text)!;
  const [, unit] = /```ini\n([\s\S]*?)```/.exec(text)!;
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit!)![1]!;
  expect(value('WorkingDirectory')).toBe('/srv/frontage');
  expect(value('StateDirectory')).toBe('frontage');
  return { run: value('ExecStart').replace('/usr/bin/', '').split(' '), settings: settings! };
}

describe('the documented systemd unit', () => {
  const checkout = join(folder, 'srv');
  const state = join(folder, 'var');
  const { run, settings } = readUnit();
  /** Its own files; the packages are a link to those of all tests, which other tests write into. */
  const everything = () =>
    readdirSync(checkout, { recursive: true, withFileTypes: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(checkout, 'node_modules/')))
      .map((path) => `${path} ${statSync(path).mtimeMs}`)
      .sort();
  const { DATABASE_URL: _, OUT_DIR: __, REGISTRY_DIR: ___, ...environment } = process.env;
  /** As the unit’s user, where the test may become another; the files are root’s then. */
  const asUser =
    process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const env = { ...environment, PORT: '0', HOME: state };

  beforeAll(() => {
    makeCheckout(checkout);
    mkdirSync(state);
    writeFileSync(join(checkout, '.env'), settings.replaceAll('/var/lib/frontage', state));
    execFileSync('chmod', ['755', folder]);
    if (asUser.length) execFileSync('chown', ['65534', state]);
  });

  it('builds and serves as its user, writes only into its state, and leads commands to the same database', async () => {
    const before = everything();
    const service = start([...asUser, ...run], checkout, env);
    const origin = await service.ready();
    const { status } = await fetch(`http://127.0.0.1:${new URL(origin).port}/bus`);
    expect(status).toBe(200);
    const [program, ...args] = [...asUser, 'npm', 'run', 'keys', '--', 'list'];
    const listed = spawn(program!, args, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let told = '';
    for (const stream of [listed.stdout, listed.stderr])
      stream.on('data', (chunk: Buffer) => (told += chunk.toString()));
    const [code] = (await once(listed, 'close')) as [number];
    expect([code, told]).toEqual([
      0,
      expect.stringContaining(`Database: ${join(state, 'frontage.db')}\n`),
    ]);
    service.child.kill('SIGTERM');
    if (service.child.exitCode === null && service.child.signalCode === null)
      await once(service.child, 'exit');
    expect(service.said()).not.toMatch(/\n\s+at /);
    expect(everything()).toEqual(before);
    expect(readdirSync(state)).toEqual(expect.arrayContaining(['build', 'frontage.db']));
  });
});
