import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { compactVerify, createLocalJWKSet } from 'jose';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listDocuments } from '../../src/artifacts/index.ts';
import { createReceipt } from '../../src/capabilities/end-task.ts';
import { digestCanonicalJson } from '../../src/operation/canonical-digest.ts';
import { createDocumentSigner } from '../../src/capabilities/receipt-signature.ts';
import {
  createOperationRequest,
  groupOperationsByTag,
  type OpenApiDocument,
} from '../../src/components/agent-area/openapi-document.ts';
import { verifySignedDocument } from '../../src/components/agent-area/verify-signed.ts';
import { postSignedMessage } from '../../src/leads/deliveries/webhook.ts';
import {
  createDeveloperGuides,
  type DeveloperGuide,
} from '../../src/site/developer/developer-guides.ts';
import { createMcpClientSamples } from '../../src/site/developer/mcp-clients.ts';
import { publicKeyOf } from '../../src/site/developer/public-key.ts';
import {
  createRequestSamples,
  type SampleRequest,
} from '../../src/site/developer/request-samples.ts';
import { createSandboxRequests } from '../../src/site/developer/sandbox-requests.ts';
import { TEST_SIGNING_KEY } from '../../src/site/developer/test-vectors.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';

/** A request that a sample program sends. */
type SentRequest = Pick<SampleRequest, 'method' | 'url' | 'headers' | 'body'>;

const pythonPath = '/usr/bin/python3';
const hasPython = spawnSync(pythonPath, ['--version']).status === 0;

/** Replacement for Python’s requests library that prints each request. */
const PYTHON_REQUESTS_STUB = `
import json, sys, types
def send(method):
    def asked(url, headers={}, json=None):
        print(dumps({'method': method, 'url': url, 'headers': headers, 'body': json}))
        return types.SimpleNamespace(status_code=200, text='')
    return asked
dumps = json.dumps
requests = types.ModuleType('requests')
for name in ('get', 'post', 'delete', 'put'):
    setattr(requests, name, send(name.upper()))
sys.modules['requests'] = requests
for program in json.load(sys.stdin):
    exec(program, {})
`;

/** The requests that Python programs send. */
function runPythonPrograms(programs: readonly string[]): SentRequest[] {
  const { stdout, stderr } = spawnSync(pythonPath, ['-c', PYTHON_REQUESTS_STUB], {
    input: JSON.stringify(programs),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as SentRequest);
}

/** The request that a JavaScript program sends. */
async function runJavaScriptProgram(program: string): Promise<SentRequest> {
  let sentRequest: SentRequest | undefined;
  const fakeFetch = async (url: string, init: RequestInit = {}) => {
    sentRequest = {
      method: init.method ?? 'GET',
      url,
      headers: init.headers as Record<string, string>,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    };
    return new Response('');
  };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
    ...parts: string[]
  ) => (fakeFetch: unknown, console: unknown) => Promise<void>;
  await new AsyncFunction('fetch', 'console', program)(fakeFetch, { log() {} });
  return sentRequest!;
}

describe.each(sites)('the code samples of $name', ({ site }) => {
  const openapi = listDocuments(site).find(({ path }) => path === '/api/openapi.json')!;
  const operationRequests = groupOperationsByTag(
    JSON.parse(String(openapi.body)) as OpenApiDocument,
  ).flatMap(({ operations }) =>
    operations.map((operation) => createOperationRequest(site.base, operation)),
  );
  const requests = operationRequests.map((request) => ({ ...request, headers: { A: 'b' } }));

  it('send the same request in JavaScript and Python as in the reference', async () => {
    expect(requests.filter(({ body }) => body).length).toBeGreaterThan(5);
    const programs = requests.map((request) => createRequestSamples(request));
    const pythonRequests = hasPython
      ? runPythonPrograms(programs.map(([, , sample]) => sample!.text))
      : undefined;
    for (const [index, { method, url, body }] of requests.entries()) {
      const { headers, ...sentRequest } = await runJavaScriptProgram(programs[index]![1]!.text);
      expect(sentRequest).toEqual({ method, url, body });
      expect(headers).toEqual({
        A: 'b',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      });
      if (pythonRequests)
        expect(pythonRequests[index]).toEqual({
          method,
          url,
          headers: { A: 'b' },
          body: body ?? null,
        });
    }
  });

  it('work as they stand if they need neither a key nor a record', async () => {
    const fixture = await openFixture(site);
    const { get } = client(fixture);
    const urls = operationRequests
      .filter(({ method, url, headers }) => method === 'GET' && !headers && !url.includes('{'))
      .map(({ url }) => url.slice(site.base.length))
      .filter((path) => !listDocuments(site).some((document) => document.path === path));
    expect(urls.filter((path) => path.includes('?')).length).toBeGreaterThan(0);
    for (const path of urls) expect((await get(path, {})).status, path).toBeLessThan(400);
  });

  it('get a receipt when they submit an action, and store nothing', async () => {
    const fixture = await openFixture(site);
    const { json } = client(fixture);
    const sandboxRequests = createSandboxRequests(site);
    expect(sandboxRequests.length).toBeGreaterThan(0);
    for (const { endpoint, body } of sandboxRequests) {
      const answer = await json(endpoint, body);
      expect([endpoint, body, answer.status, await answer.json()]).toEqual([
        endpoint,
        body,
        200,
        expect.objectContaining({ receiptToken: 'sandbox', sandbox: true }),
      ]);
    }
    expect(await fixture.rows('leads')).toEqual([]);
  });

  it('configure clients with valid JSON', () => {
    for (const { language, text } of createMcpClientSamples(site))
      if (language === 'json') expect(JSON.parse(text)).toBeTypeOf('object');
  });

  it('are omitted when only documents are served', () => {
    expect(createDeveloperGuides({ ...site, dynamic: false })).toEqual([]);
  });
});

describe('the published callback receiver', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  it('accepts signed callbacks and rejects unsigned callbacks', async () => {
    const guide = createDeveloperGuides(sites[0]!.site).find(({ slug }) => slug === 'callbacks')!;
    const { text } = guide.samples.find(({ language }) => language === 'javascript')!;
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: 'ignore',
    });
    children.push(child);
    const post = async (signingSecret: string) => {
      const { outcome } = await postSignedMessage({
        url: `http://127.0.0.1:${port}/`,
        secret: signingSecret,
        id: 'msg_1',
        body: JSON.stringify({
          type: 'lead.updated',
          timestamp: new Date().toISOString(),
          data: {},
        }),
        allowPrivate: true,
        now: () => new Date(),
      });
      return outcome;
    };
    await vi.waitFor(async () => expect(await post(secret)).toBe('sent'), 60_000);
    expect(await post(`whsec_${randomBytes(32).toString('base64')}`)).toBe('refused');
  });
});

describe('the published test vectors', () => {
  const { site } = sites[0]!;
  const guides = createDeveloperGuides(site);
  /** Test vectors of a guide, as they appear in its samples. */
  const vectorsOf = (name: DeveloperGuide['slug']) =>
    guides
      .find(({ slug }) => slug === name)!
      .samples.filter(({ title }) => title.startsWith('Test vector'))
      .map(({ text }) => JSON.parse(text));

  it('have a signed callback that Standard Webhooks verifies, signed as callbacks are', () => {
    const [{ secret, headers, body }] = vectorsOf('callbacks');
    const webhook = new Webhook(secret);
    const id = headers['webhook-id'];
    const time = new Date(Number(headers['webhook-timestamp']) * 1000);
    vi.useFakeTimers({ now: time, toFake: ['Date'] });
    try {
      expect(webhook.verify(body, headers)).toEqual(JSON.parse(body));
      expect(() => webhook.verify(body.replace('quoted', 'confirmed'), headers)).toThrow();
    } finally {
      vi.useRealTimers();
    }
    expect(headers['webhook-signature']).toBe(webhook.sign(id, time, body));
  });

  it('have a status and a receipt that jose verifies, signed as the service signs', async () => {
    const [signedStatus, signedReceipt] = vectorsOf('verify');
    const { proof, ...document } = signedStatus.document;
    const { jws, ...claims } = signedReceipt.receipt;
    const signer = await createDocumentSigner(TEST_SIGNING_KEY);
    expect(await signer.signDocument(document)).toBe(proof);
    expect(await signer.signReceipt(claims)).toBe(jws);
    const [header, , signature] = proof.split('.');
    const payload = Buffer.from(signedStatus.canonical).toString('base64url');
    const verifiedJws = await compactVerify(
      `${header}.${payload}.${signature}`,
      createLocalJWKSet(signedStatus),
    );
    expect(JSON.parse(new TextDecoder().decode(verifiedJws.payload))).toEqual(document);
    const receipt = await compactVerify(jws, createLocalJWKSet(signedReceipt));
    expect(JSON.parse(new TextDecoder().decode(receipt.payload))).toEqual(claims);
    const text = JSON.stringify(signedStatus.document);
    expect(await verifySignedDocument(text, signedStatus.keys)).toMatchObject({ valid: true });
  });

  it('are named where a service that signs nothing is asked for its keys', () => {
    const jwks = listDocuments(site).find(({ path }) => path === '/.well-known/jwks.json')!;
    const { keys, note } = JSON.parse(String(jwks.body)) as { keys: unknown[]; note: string };
    expect(keys).toEqual([]);
    const [, path] = /test vectors in \S*?(\/\S+\.md)\./.exec(note.replace(site.base, ''))!;
    const guide = listDocuments(site).find((document) => document.path === path)!;
    expect(String(guide.body)).toContain('signs nothing at present');
    expect(String(guide.body)).toContain(vectorsOf('verify')[0].keys[0].kid);
  });
});

it('the guides explain every digest that a program receives, in its format', async () => {
  const { site } = sites[0]!;
  const { context } = await openFixture(site);
  const openapi = String(
    listDocuments(site).find(({ path }) => path === '/api/openapi.json')!.body,
  );
  const task = {
    id: 'task',
    capability: 'hvac.help',
    inputDigest: digestCanonicalJson({ question: 'How much?' }),
    quote: null,
    amount: 0,
    currency: 'USD',
  };
  const receipt = await createReceipt(task, { answer: 'Free.' }, '2027-01-31T15:00:00Z', context);
  const { body } = createDeveloperGuides(site).find(({ slug }) => slug === 'verify')!;
  const names = new Set(
    [...`${openapi}${JSON.stringify(receipt)}`.matchAll(/"(\w+Digest|contract)":/g)].map(
      ([, name]) => name,
    ),
  );
  expect([...names].sort()).toEqual(['contract', 'inputDigest', 'resultDigest']);
  for (const name of names) expect(body).toContain(`| \`${name}\` of `);
  expect(receipt['resultDigest']).toMatch(/^[0-9a-f]{64}$/);
});

describe('the receipt check in the browser', () => {
  const pem = () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const key = pem();
  const keys = [publicKeyOf(pem()), publicKeyOf(key)];
  const document = {
    receiptToken: 'sandbox',
    notice: 'Façade, “blue” channel 😀',
    nested: { b: 1, a: [null, true] },
  };

  it('accepts a signed document, whatever the order of its members', async () => {
    const { signDocument } = await createDocumentSigner(key);
    const proof = await signDocument(document);
    const { nested, ...rest } = document;
    const reorderedDocument = JSON.stringify(
      { proof, nested: { a: nested.a, b: nested.b }, ...rest },
      null,
      4,
    );
    expect(await verifySignedDocument(reorderedDocument, keys)).toMatchObject({ valid: true });
    expect(
      await verifySignedDocument(reorderedDocument.replace('blue', 'red'), keys),
    ).toMatchObject({
      valid: false,
    });
    expect(await verifySignedDocument(reorderedDocument, [keys[0]!])).toMatchObject({
      valid: false,
      text: expect.stringContaining('does not publish') as string,
    });
  });

  it.each(['', 'null', '[]', '{}', '{"proof": "..."}', '{"proof": "e30..e30"}', '{"proof": 1}'])(
    'reports %s',
    async (text) => {
      expect(await verifySignedDocument(text, keys)).toMatchObject({ valid: false });
    },
  );
});
