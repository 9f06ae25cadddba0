import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { probe } from '../../src/cli/probe/index.ts';
import { type Entry, openArena } from '../../src/server/arena.ts';
import { runCommand } from '../setup/command.ts';
import { type Answer, ask, type RunningService, serveBuild } from './serve-build.ts';

const outDir = inject('fourBuild');
const arena = openArena(outDir);
let service: RunningService;
beforeAll(async () => void (service = await serveBuild(outDir)));
afterAll(() => service.stop());

const createWrongOriginFault = (base: string) => ({
  path: '/',
  problem: `absolute links begin with ${arena.index.base}, which is not the probed origin. Build with SITE_URL=${base}.`,
});

/** A proxy in front of the service that alters responses. */
async function startDeployment(
  change: (path: string, answer: Answer, method: string) => void,
): Promise<{ base: string; server: Server }> {
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = await ask(service.port, request.url!, {
      method: request.method!,
      headers: request.headers as Record<string, string>,
      body: await text(request),
    });
    change(request.url!, answer, request.method!);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer((request, response) => void forward(request, response)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const faultsOf = async (change: (path: string, answer: Answer, method: string) => void) => {
  const { base, server } = await startDeployment(change);
  const { faults } = await probe(arena, base, { concurrency: 4 });
  server.close();
  server.closeAllConnections();
  return faults.filter(({ problem }) => problem !== createWrongOriginFault(base).problem);
};

const paths = [...arena.paths()].filter((path) => !path.startsWith('/404'));
const documents = paths.filter((path) => arena.get(path)!.policy.kind === 'document');

describe('the deployment probe', () => {
  it('reports an unreachable deployment once', async () => {
    const { server, base } = await startDeployment(() => undefined);
    server.close();
    await once(server, 'close');
    expect(await runCommand('probe', [base, '--build', outDir])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${base} does not respond. Check the URL and whether the deployment is running.\n`,
    });
  });

  it('says that the certificate of a deployment is not trusted', async () => {
    const certificate = readFileSync('test/fixtures/certificates/localhost.pem');
    const server = createSecureServer({ key: certificate, cert: certificate }).listen(0);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    expect(await runCommand('probe', [origin, '--build', outDir])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `The certificate of ${origin} is not trusted here (DEPTH_ZERO_SELF_SIGNED_CERT). Fix the certificate, or set NODE_EXTRA_CA_CERTS to the file with its authority's certificate.\n`,
    });
  });

  it('reports only the foreign URL in the links when it checks the service itself', async () => {
    const base = `http://127.0.0.1:${service.port}`;
    const { checked, faults } = await probe(arena, base, { concurrency: 4 });
    expect(faults).toEqual([createWrongOriginFault(base)]);
    expect(checked).toBeGreaterThan(paths.length);
  });

  it('lists every .well-known document that is missing from an upload', async () => {
    const faults = await faultsOf(
      (path, answer) => void (path.startsWith('/.well-known/') && (answer.status = 404)),
    );
    const strippedPaths = documents.filter((path) => path.startsWith('/.well-known/'));
    expect(
      faults.filter(({ problem }) => problem.includes('lacks .well-known')).map(({ path }) => path),
    ).toEqual(strippedPaths);
  });

  it.each([
    [
      'media types',
      'wrong media type',
      documents,
      (answer: Answer): unknown => (answer.headers['content-type'] = 'application/octet-stream'),
    ],
    ['ETags', 'no ETag', paths, (answer: Answer): unknown => delete answer.headers.etag],
    [
      'revalidation',
      'Expected 304',
      paths,
      (answer: Answer): unknown => (answer.status = answer.status === 304 ? 200 : answer.status),
    ],
    [
      'the open origin',
      'Access-Control-Allow-Origin',
      documents,
      (answer: Answer): unknown => delete answer.headers['access-control-allow-origin'],
    ],
  ] as const)('lists every file that lost its %s', async (_, sentence, expected, change) => {
    const faults = await faultsOf(
      (path, answer) => (expected as readonly string[]).includes(path) && change(answer),
    );
    expect(
      faults.filter(({ problem }) => problem.includes(sentence)).map(({ path }) => path),
    ).toEqual(expected);
  });

  it('lists files older than the build, and files sent uncompressed', async () => {
    const [path] = documents.filter(
      (each) =>
        arena.get(each)!.length('br') &&
        arena.get(each)!.body('identity').includes('"generatedAt":"'),
    );
    const oldBody = Buffer.from(
      arena
        .get(path!)!
        .body('identity')
        .toString()
        .replace(/"generatedAt":"[^"]+"/, '"generatedAt":"2001-01-01T00:00:00.000Z"'),
    );
    const faults = await faultsOf((requests, answer) => {
      if (requests !== path || answer.status !== 200) return;
      answer.headers = {
        ...answer.headers,
        'content-encoding': undefined,
        'content-length': String(oldBody.length),
      };
      delete answer.headers['content-encoding'];
      answer.body = oldBody;
    });
    expect(faults.map((fault) => fault.path)).toEqual([path, path]);
    expect(faults[0]!.problem).toContain('uncompressed');
    expect(faults[1]!.problem).toContain('older than the build: it is from 2001-01-01');
  });

  it('lists unknown addresses that answer, wrong short links, and ignored include parameters', async () => {
    const faults = await faultsOf((path, answer) => {
      if (path.includes('probe-of-nothing') || path.includes('include=probe')) answer.status = 200;
      if (path.startsWith('/go/')) answer.headers.location = '/elsewhere';
    });
    expect(faults.map(({ path }) => path)).toEqual([
      '/api/probe-of-nothing',
      '/probe-of-nothing',
      expect.stringContaining('?include=probe'),
      ...arena.redirects.keys(),
    ]);
  });

  it('reports a deployment that sends no dynamic requests to the server, and stores nothing', async () => {
    const replaceWithHtml = (answer: Answer, status: number) =>
      Object.assign(answer, {
        status,
        headers: { 'content-type': 'text/html' },
        body: Buffer.from('<p>No.</p>'),
      });
    expect(
      (
        await faultsOf(
          (_, answer, method) => void (method === 'POST' && replaceWithHtml(answer, 405)),
        )
      ).map(({ path }) => path),
    ).toEqual(['/api/lead/action']);
    expect(
      (
        await faultsOf((path, answer) => void (path === '/healthz' && replaceWithHtml(answer, 200)))
      ).map(({ path }) => path),
    ).toEqual(['/healthz']);
    const posts: [string, number][] = [];
    await faultsOf(
      (path, { status }, method) => void (method === 'POST' && posts.push([path, status])),
    );
    expect(posts).toEqual([['/api/lead/action', 400]]);
  });

  it('requests nothing from a server if only documents are deployed', async () => {
    const requests: string[] = [];
    const { base, server } = await startDeployment(
      (path, _, method) => void requests.push(`${method} ${path}`),
    );
    const getStaticEntry = (path: string): Entry | undefined => {
      const entry = arena.get(path);
      return entry && path === '/api/v1/capabilities'
        ? {
            ...entry,
            body: (coding) =>
              coding === 'identity'
                ? Buffer.from(
                    entry
                      .body(coding)
                      .toString()
                      .replace('"dynamicAvailable":true', '"dynamicAvailable":false'),
                  )
                : entry.body(coding),
          }
        : entry;
    };
    await probe({ ...arena, get: getStaticEntry }, base, { concurrency: 4 });
    server.close();
    server.closeAllConnections();
    expect(requests.filter((line) => line.startsWith('POST') || line.endsWith('/healthz'))).toEqual(
      [],
    );
    expect(requests.length).toBeGreaterThan(paths.length);
  });

  it('reports that a missing deployment does not respond', async () => {
    const { base, server } = await startDeployment(() => undefined);
    server.close();
    await once(server, 'close');
    const { checked, faults } = await probe(arena, base, { concurrency: 8 });
    expect(faults.filter(({ problem }) => problem.startsWith('does not respond')).length).toBe(
      checked,
    );
  });

  it('prints one line per error or JSON, and exits with 1', async () => {
    for (const options of [[], ['--json']]) {
      const child = spawn(
        process.execPath,
        ['src/cli/probe.ts', `http://127.0.0.1:${service.port}`, '--build', outDir, ...options],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let output = '';
      child.stdout.on('data', (chunk) => (output += chunk));
      const [code] = await once(child, 'close');
      expect(code).toBe(1);
      if (options.length)
        expect(JSON.parse(output)).toEqual([
          createWrongOriginFault(`http://127.0.0.1:${service.port}`),
        ]);
      else expect(output).toMatch(/^\/: absolute links .*\n\d+ addresses checked, 1 fault\.\n$/);
    }
  });
});
