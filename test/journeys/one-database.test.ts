import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeCheckout } from '../setup/checkout.ts';
import { createBuildSettings, startServer } from '../setup/started-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-one-database-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The environment without DATABASE_URL, which would override a settings file, and with the bundle,
 * from which commands start faster.
 */
const { DATABASE_URL: _, ...inheritedEnvironment } = process.env;
const environment = { ...inheritedEnvironment, OUT_DIR: resolve(dirname(inject('fourBuild'))) };

const runNpm = (cwd: string, settings: Record<string, string>, ...args: string[]) =>
  spawnSync('npm', ['run', '-s', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...environment, ...settings },
  });

const startNetwork = (url: string) =>
  startServer({
    ...createBuildSettings(inject('fourBuild'), 'test/fixtures/network-of-four'),
    DATABASE_URL: url,
  });

describe('an operator in the wrong folder', () => {
  const commands = [
    ['leads', 'list'],
    ['leads', 'show', '7QCW-BNA8-E7EL-AFVP'],
    ['leads', 'stats'],
    ['leads', 'demand'],
    ['leads', 'export'],
    ['leads', 'backup', join(folder, 'backup.db')],
    ['keys', 'list'],
    ['keys', 'show', 'k3m9p2x7ab'],
    ['keys', 'create', 'Agent', '--scope', '*'],
    ['leads', 'purge'],
  ];

  const checkout = join(folder, 'wrong');
  beforeAll(() => void makeCheckout(checkout));

  it.each(commands)('does not create a database with %s %s', (...command) => {
    const filesBefore = readdirSync(checkout);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/run.js', ...command], {
      cwd: checkout,
      encoding: 'utf8',
      env: environment,
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `Database: ${join(checkout, 'data/frontage.db')}\nThere is no database at DATABASE_URL; set it to the service’s database, or start the service, which creates a database.\n`,
    );
    expect(readdirSync(checkout)).toEqual(filesBefore);
    expect(existsSync(join(folder, 'backup.db'))).toBe(false);
  });
});

describe('an operator who writes settings to .env', () => {
  it('uses the same database in the service and in commands', async () => {
    const checkout = makeCheckout(join(folder, 'checkout'));
    const database = join(folder, 'elsewhere', 'network.db');
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(checkout, '.env'), `DATABASE_URL=file:${database}\nSITE_URL=http://x/\n`);
    const refused = runNpm(checkout, {}, 'leads', '--', 'list');
    expect(refused.stderr).toMatch(
      /^Database: .*network\.db\nSITE_URL: expected an absolute origin/,
    );
    writeFileSync(join(checkout, '.env'), `DATABASE_URL=file:${database}\n`);
    // Without a registry folder, the server uses the existing build.
    const service = startServer(
      createBuildSettings(resolve(inject('fourBuild')), join(folder, 'none')),
      {
        cwd: checkout,
        environment,
      },
    );
    await service.origin();
    const created = runNpm(checkout, {}, 'keys', '--', 'create', 'Agent', '--scope', '*');
    expect(created.stderr).toBe(`Database: ${database}\n`);
    expect(existsSync(database)).toBe(true);
    expect(existsSync(join(checkout, 'data'))).toBe(false);
    const quietListing = runNpm(checkout, {}, 'keys', '--', 'list', '--quiet');
    expect([quietListing.status, quietListing.stderr]).toEqual([0, '']);
    expect(quietListing.stdout).toContain('Agent');
    expect(await service.end('SIGTERM')).toBe(0);
    const otherDatabaseListing = runNpm(
      checkout,
      { DATABASE_URL: 'file:other.db' },
      'keys',
      '--',
      'list',
    );
    expect(otherDatabaseListing.stderr).toContain(`Database: ${join(checkout, 'other.db')}\n`);
  });
});

describe('two servers on one database file', () => {
  it('are not allowed, even with another spelling of the path or after the first server was killed', async () => {
    mkdirSync(join(folder, 'shared'));
    const first = startNetwork(`file:${folder}/shared/one.db`);
    await first.origin();
    const second = startNetwork(`file:${folder}/shared/../shared/one.db`);
    await expect.poll(() => second.process.exitCode).toBe(1);
    expect(second.output()).toBe(
      `Database: ${folder}/shared/one.db\nAnother server (process ${first.process.pid}, started in ${process.cwd()}) is using this database; stop it first, or set DATABASE_URL to another database. Only a libsql-server database can be shared by more than one server.\n`,
    );
    expect(await first.end('SIGKILL')).toBe(null);
    const third = startNetwork(`file:${folder}/shared/one.db`);
    await third.origin();
    expect(await third.end('SIGTERM')).toBe(0);
  });
});
