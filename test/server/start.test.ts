import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createClient } from '@libsql/client';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { close, listen, listOrigins } from '../../src/server/listen.ts';
import { copyProgram } from '../setup/built-networks.ts';
import { runCommand } from '../setup/command.ts';
import { createBuildSettings, startServer } from '../setup/started-server.ts';
import { ask } from './serve-build.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** `npm start`, or another command, with the built network of four and these settings. */
const start = (settings: Readonly<Record<string, string>>, command?: readonly string[]) =>
  startServer(
    {
      ...createBuildSettings(inject('fourBuild'), 'test/fixtures/network-of-four'),
      DATABASE_URL: `file:${folder}/start.db`,
      ...settings,
    },
    { command },
  );

describe('npm start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints a working address, names a database that it creates, rebuilds nothing if sources only have new modification times, and exits cleanly on %s',
    async (signal) => {
      const now = new Date();
      utimesSync('test/fixtures/network-of-four/network.yaml', now, now);
      const file = join(folder, 'start.db');
      const isNewDatabase = !existsSync(file);
      expect(isNewDatabase).toBe(signal === 'SIGTERM');
      const server = start({});
      const { port } = new URL(await server.origin());
      expect((await ask(Number(port), '/healthz')).status).toBe(200);
      expect(server.output()).not.toContain('Building');
      expect(server.output().includes(`Created a new database: ${file}\n`)).toBe(isNewDatabase);
      expect(server.output()).toContain('nobody is notified');
      expect(server.output()).toMatch(
        /^Serving \d+ documents at http:\/\/localhost:\d+ for http:\/\/localhost:4321$/m,
      );
      expect(server.output()).toContain(
        `Documents and receipts refer to http://localhost:4321. Set SITE_URL=http://localhost:${port}`,
      );
      expect(await server.end(signal)).toBe(0);
    },
  );

  it('names the address at which the started service does not answer', async () => {
    const dropConnections = `import { Server } from 'node:http';
      const { emit } = Server.prototype;
      Server.prototype.emit = function (name, ...values) {
        return name === 'connection' ? values[0].destroy() : emit.call(this, name, ...values);
      };`;
    const server = start({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(dropConnections)}`,
    });
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(
      /The service started, but does not respond at http:\/\/127\.0\.0\.1:\d+\/healthz \(ECONNRESET\)\./,
    );
    expect(server.output()).not.toContain('    at ');
  });

  it('serves the last release if the registry has errors, and says so', async () => {
    const registry = join(folder, 'faulty');
    const outDir = join(folder, 'out');
    cpSync('test/fixtures/network-of-four', registry, { recursive: true });
    appendFileSync(join(registry, 'network.yaml'), 'nonsense: 1\n');
    mkdirSync(join(outDir, 'releases'), { recursive: true });
    const current = realpathSync(inject('fourBuild'));
    symlinkSync(current, join(outDir, 'releases', basename(current)));
    symlinkSync(join('releases', basename(current)), join(outDir, 'current'));
    copyProgram(outDir);
    const server = start({ REGISTRY_DIR: registry, OUT_DIR: outDir, ALERT_TO: 'x' });
    const { port } = new URL(await server.origin());
    expect((await ask(Number(port), '/')).status).toBe(200);
    expect(server.output()).toContain('nonsense');
    expect(server.output().split('Did you mean ALERTS_TO?'), 'printed once').toHaveLength(2);
    expect(server.output()).toContain(
      `The build failed for the reason above. Serving ${basename(current)}, the last release,`,
    );
    await server.end('SIGTERM');
  });

  const NO_BUILD = join(folder, 'no-build');
  copyProgram(NO_BUILD);
  it.each([
    [{ PORT: 'http' }, 'PORT: expected a port from 0 to 65535, not "http".'],
    [{ SITE_URL: 'example.com/' }, 'SITE_URL: expected an absolute origin'],
    [{ HOST: 'nosuch host' }, 'HOST: expected an IP address or host name of this machine'],
    [{ HOST: '203.0.113.1' }, 'HOST 203.0.113.1 is not an address of this machine.'],
    [
      { DATABASE_URL: 'file:/dev/null/x.db' },
      'Database: /dev/null/x.db\nThe database cannot be opened: /dev/null is a file, not a folder',
    ],
    [
      { DATABASE_URL: `file:${folder}/missing/a.db` },
      `Database: ${folder}/missing/a.db\nThe database cannot be opened: there is no folder ${folder}/missing; correct DATABASE_URL`,
    ],
    [{ SMTP_URL: 'mail.example.com', MAIL_FROM: 'a@b.example' }, 'SMTP_URL: expected an smtp: or'],
    [
      { OUT_DIR: '/proc/frontage' },
      'OUT_DIR: this user cannot write to /proc/frontage (ENOENT). Grant this user',
    ],
    [
      { REGISTRY_DIR: `${folder}/none`, OUT_DIR: NO_BUILD },
      `REGISTRY_DIR: there is no folder ${folder}/none`,
    ],
    [
      { DATABASE_URL: 'file::memory:' },
      'DATABASE_URL: expected file: followed by the path of a file',
    ],
    [
      { DATABASE_URL: 'libsql:example.com' },
      'DATABASE_URL: expected file: followed by the path of a file',
    ],
  ])('reports the problem with %j and exits with 1', async (settings, sentence) => {
    const server = start(settings as unknown as Record<string, string>);
    expect(await server.ended).toBe(1);
    expect(server.output().toLowerCase()).toContain(sentence.toLowerCase());
    expect(server.output()).not.toMatch(/\n\s+at /);
  });

  it('shows its help, and rejects an unknown option, without starting', async () => {
    const help = await runCommand('start', ['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage: npm start\n/);
    expect(await runCommand('start', ['--port', '8080'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'npm start takes no arguments, but got --port. See npm start -- --help.\n',
    });
  });

  it('names the setting if the database belongs to another program, and leaves it unchanged', async () => {
    const file = join(folder, 'foreign.db');
    const client = createClient({ url: `file:${file}` });
    await client.execute('CREATE TABLE leads (id INTEGER PRIMARY KEY, note TEXT)');
    client.close();
    const bytesBefore = readFileSync(file);
    for (const command of [['start'], ['leads', '--quiet', 'list']]) {
      const server = start({ DATABASE_URL: `file:${file}` }, command);
      expect(await server.ended).toBe(1);
      expect(server.output()).toMatch(
        /^(?:Database: [^\n]+\n)?The database was created by another program or by an unreleased version of this program; set DATABASE_URL to [^\n]+\.\n$/,
      );
    }
    expect(readFileSync(file).equals(bytesBefore)).toBe(true);
  });

  it.each(['PORT', 'METRICS_PORT'])(
    'reports that %s is in use before it creates a database or a release',
    async (setting) => {
      const otherServer = createServer().listen(0, '127.0.0.1');
      await once(otherServer, 'listening');
      const file = join(folder, `${setting}.db`);
      const server = start({
        [setting]: String((otherServer.address() as AddressInfo).port),
        DATABASE_URL: `file:${file}`,
        // No release was built for this address, so starting would build one.
        SITE_URL: 'http://localhost:4322',
      });
      expect(await server.ended).toBe(1);
      expect(server.output()).toMatch(
        new RegExp(`^${setting} \\d+ is in use by another program\\. [^\n]*\\n$`),
      );
      expect(existsSync(file)).toBe(false);
      otherServer.close();
    },
  );
});

it.each([
  ['127.0.0.1', 4399, ['http://localhost:4399', 'http://127.0.0.1:4399']],
  ['0.0.0.0', 80, ['http://localhost', 'http://127.0.0.1']],
  ['::', 4399, ['http://localhost:4399', 'http://[::1]:4399']],
  ['192.0.2.7', 4399, ['http://192.0.2.7:4399']],
])('a server on HOST %s and PORT %i is reached at %j', (host, port, origins) => {
  expect(listOrigins(host, port)).toEqual(origins);
});

describe('stopping the server', () => {
  it('finishes the requests in flight, and accepts no more', async () => {
    let finish = (): void => undefined;
    const server = await listen(
      (_, response) => void (finish = () => response.end('done')),
      '127.0.0.1',
      0,
    );
    const { port } = server.address() as AddressInfo;
    const pending = request({ host: '127.0.0.1', port, path: '/' }).end();
    await expect.poll(() => finish.toString()).toContain('done');
    const closing = close(server, 5_000);
    await expect(ask(port, '/')).rejects.toThrow();
    finish();
    const [response] = await once(pending, 'response');
    let body = '';
    for await (const chunk of response) body += chunk;
    expect(body).toBe('done');
    await closing;
  });

  it('cuts off requests that do not finish in time', async () => {
    let hasStarted = false;
    const server = await listen(() => void (hasStarted = true), '127.0.0.1', 0);
    const pending = ask((server.address() as AddressInfo).port, '/').catch((error: Error) => error);
    await expect.poll(() => hasStarted).toBe(true);
    await close(server, 50);
    expect(await pending).toBeInstanceOf(Error);
  });
});
