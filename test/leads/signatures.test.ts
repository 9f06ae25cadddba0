import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import canonicalize from 'canonicalize';
import { createLocalJWKSet, errors, flattenedVerify, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDocuments } from '../../src/artifacts/index.ts';
import { createDocumentSigner } from '../../src/capabilities/receipt-signature.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { verifyReceiptInput } from '../../src/cli/verify-receipt.ts';
import { KeyError } from '../../src/keys/keys.ts';
import { guidePath } from '../../src/site/pages-of-site.ts';
import { createProofGuide } from '../../src/site/developer/proof-guide.ts';
import { publicKeyOf } from '../../src/site/developer/public-key.ts';
import type { Site } from '../../src/site/site.ts';
import { createBindingClient, message, receiptOf, taskOf } from '../a2a/setup/endpoint.ts';
import { makeKey, performOperation } from '../capabilities/fixture.ts';
import { makeOffer } from '../conversation/leads-in-states.ts';
import { openFixture, sites, type Fixture } from '../operations/setup/fixture.ts';
import { findProgram } from '../setup/programs.ts';
import { openMcpEndpoints } from '../transports/setup/mcp.ts';
import { client, type RequestOptions } from '../transports/setup/send.ts';

type Json = Record<string, any>;

const createKeyPem = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const pem = createKeyPem();

/** Serves the site’s documents at the site’s URL, where agents fetch them. */
const server = createServer((request, response) => {
  const found = listDocuments(site).find(({ path }) => path === request.url);
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(found?.body);
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const site: Site = {
  ...sites[0]!.site,
  base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  receiptKey: publicKeyOf(pem),
};
const readDocument = (path: string) =>
  String(listDocuments(site).find((each) => each.path === path)!.body);
const keys = createLocalJWKSet(JSON.parse(readDocument('/.well-known/jwks.json')) as JSONWebKeySet);

/** Verifies a detached signature with the payload restored, as in RFC 7515 appendix F. */
async function expectSigned({ proof, ...document }: Json, verificationKeys = keys): Promise<void> {
  const [header, payloadPart, signature] = String(proof).split('.') as [string, string, string];
  expect(payloadPart).toBe('');
  const payload = Buffer.from(canonicalize(document)!).toString('base64url');
  const { protectedHeader } = await flattenedVerify(
    { protected: header, payload, signature },
    verificationKeys,
    { algorithms: ['EdDSA'] },
  );
  expect(protectedHeader).toEqual({
    alg: 'EdDSA',
    typ: 'lead-document',
    kid: publicKeyOf(pem).kid,
  });
}

const subsite = site.registry.subsites.find(({ name }) => name === 'wd')!;
const body = {
  subsite: subsite.name,
  action: subsite.actions[0]!.verb,
  fields: {
    zip: '33701',
    unit_type: 'dryer',
    notes: 'Façade, 2nd floor: “blue” channel\n\t\u007f😀',
  },
  contact: { email: 'dana@example.com' },
};

let fixture: Fixture;
const createClient = () => client(fixture);
const submitLead = async (more: object = {}, options: RequestOptions = {}): Promise<Json> =>
  (await (
    await createClient().json('/api/lead/action', { ...body, ...more }, options)
  ).json()) as Json;
const statusOf = async (receipt: string, options: RequestOptions = {}) =>
  createClient().get('/api/lead/{receipt}', { receipt }, options);

beforeAll(async () => {
  const openedFixture = await openFixture(site);
  fixture = {
    ...openedFixture,
    context: { ...openedFixture.context, ...(await createDocumentSigner(pem)) },
  };
});
afterAll(() => void server.close());

describe('a signed receipt', () => {
  it('is returned by every channel, and is unchanged on a retry', async () => {
    const headers = { 'idempotency-key': 'a-key-that-is-sent-twice' };
    const receipt = await submitLead({}, { headers });
    await expectSigned(receipt);
    expect(await submitLead({}, { headers })).toEqual(receipt);
    await expectSigned(await submitLead({ sandbox: true }));
    await expectSigned(
      (await (
        await createClient().json('/api/email-capture', {
          email: 'dana@example.com',
          source: subsite.leadSource,
        })
      ).json()) as Json,
    );
    const { call } = await openMcpEndpoints(fixture.context);
    await expectSigned((await call('/api/mcp', 'submit_action', body)).value);
    const a2a = await createBindingClient(fixture.context, 'JSONRPC');
    await expectSigned(receiptOf(taskOf(await a2a.sendMessage(message({ data: body })))));
    const key = await makeKey(fixture as never);
    const capability = `${subsite.name}.${body.action}`;
    const { fields, contact } = body;
    const task = await performOperation(
      runCapability,
      { capability, input: { fields, contact } },
      key,
      fixture as never,
    );
    await expectSigned((task.output as Json)['result'] as Json);
  });

  it('is unsigned if the service has no key', async () => {
    const { signDocument: _, signReceipt: __, ...context } = fixture.context;
    const clientWithoutKey = client({ ...fixture, context });
    const receipt = (await (await clientWithoutKey.json('/api/lead/action', body)).json()) as Json;
    expect(receipt['receiptToken']).toHaveLength(21);
    expect(receipt).not.toHaveProperty('proof');
    expect(createProofGuide(sites[0]!.site).body).toContain('signs nothing at present');
  });
});

describe('a signed status', () => {
  it('is returned by the status URL, by messages, and by MCP, with a stable ETag', async () => {
    const { receiptToken: token } = await submitLead();
    const firstResponse = await statusOf(token);
    await expectSigned((await firstResponse.json()) as Json);
    const etag = firstResponse.headers.get('etag')!;
    expect((await statusOf(token, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await expectSigned((await (await statusOf('sandbox')).json()) as Json);

    const offer = await makeOffer(fixture, token);
    const changedResponse = await statusOf(token, { headers: { 'if-none-match': etag } });
    expect(changedResponse.status).toBe(200);
    const quotedStatus = (await changedResponse.json()) as Json;
    expect(quotedStatus['offer']).toMatchObject({ offerId: offer });
    await expectSigned(quotedStatus);

    const acceptance = { accept: offer, text: 'Yes, please.' };
    const requestOptions = {
      params: { receipt: token },
      headers: { 'idempotency-key': 'a-message-that-is-sent-twice' },
    };
    const send = async () =>
      (await (
        await createClient().json('/api/lead/{receipt}/messages', acceptance, requestOptions)
      ).json()) as Json;
    const accepted = await send();
    expect(accepted['status']).toBe('accepted');
    await expectSigned(accepted);
    expect(await send()).toEqual(accepted);
    const { call } = await openMcpEndpoints(fixture.context);
    expect((await call('/api/mcp', 'get_lead_status', { receiptToken: token })).value).toEqual(
      accepted,
    );
  });

  it('is rejected if any value is changed, added, or removed, or if it is verified with another key', async () => {
    const status = (await (await statusOf((await submitLead())['receiptToken'])).json()) as Json;
    const changes = [
      ...Object.keys(status)
        .filter((name) => name !== 'proof')
        .flatMap((name) => [
          { ...status, [name]: undefined },
          { ...status, [name]: [status[name]] },
        ]),
      { ...status, bonus: true },
    ];
    const { JWSSignatureVerificationFailed } = errors;
    for (const changed of changes)
      await expect(expectSigned(changed)).rejects.toThrow(JWSSignatureVerificationFailed);
    await expectSigned(status);
    const { x } = publicKeyOf(createKeyPem());
    const otherKeys = createLocalJWKSet({ keys: [{ ...publicKeyOf(pem), x }] });
    await expect(expectSigned(status, otherKeys)).rejects.toThrow(JWSSignatureVerificationFailed);
  });

  it('is verified by npm run keys -- verify-receipt, like the receipt', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'frontage-proof-'));
    const verifyDocument = (document: object) => {
      writeFileSync(join(folder, 'given.json'), JSON.stringify(document));
      return verifyReceiptInput(join(folder, 'given.json'), { privatePem: pem });
    };
    const receipt = await submitLead();
    const status = (await (await statusOf(receipt['receiptToken'])).json()) as Json;
    for (const { proof, ...document } of [receipt, status]) {
      expect(await verifyDocument({ ...document, proof })).toEqual(document);
      await expect(verifyDocument({ ...document, proof, status: 'confirmed' })).rejects.toThrow(
        KeyError,
      );
      await expect(verifyDocument(document)).rejects.toThrow('neither jws nor proof');
    }
    rmSync(folder, { recursive: true });
  });
});

/** Published verification programs by language. */
const publishedPrograms = new Map(
  [...readDocument('/llms-full.txt').matchAll(/```(javascript|python)\n([\s\S]*?)\n```/g)].map(
    ([, language, code]) => [language!, code!],
  ),
);
const interpreters = { javascript: process.execPath, python: findProgram('python3-cryptography') };

describe.each(['javascript', 'python'] as const)('the published %s sample', (language) => {
  const interpreter = interpreters[language];
  const code = publishedPrograms.get(language)!;
  const name = language === 'python' ? 'verify.py' : 'verify.mjs';
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontage-verify-'));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, name), code);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Output and exit code of the program for a document on standard input. */
  const run = (text: string) =>
    new Promise<{ code: number | null; stdout: string }>((resolve) => {
      const child = execFile(interpreter!, [join(folder, name)], (_, stdout) =>
        resolve({ code: child.exitCode, stdout }),
      );
      child.stdin!.end(text);
    });

  it('is also on the developer page, in about ten lines', () => {
    const page = readDocument(`${guidePath(site.registry, { slug: 'verify' })}.md`);
    expect(page).toContain(code);
    expect(code.split('\n').length).toBeLessThanOrEqual(12);
  });

  it.runIf(interpreter)(
    'accepts a receipt and a status, and rejects both after any byte changes',
    async () => {
      const receipt = await submitLead({ fields: { ...body.fields, zip: '33702-1234' } });
      await makeOffer(fixture, receipt['receiptToken'], {
        description: 'Façade “blue”, 2 × 3 m\nwith 😀 \u2028 \\ / <b>',
      });
      const status = await (await statusOf(receipt['receiptToken'])).text();
      for (const text of [JSON.stringify(receipt), status]) {
        expect(await run(text)).toEqual({
          code: 0,
          stdout: expect.stringContaining(`Valid: ${receipt['receiptToken']}`),
        });
        const changedText = text.replace(/"createdAt":"2/, '"createdAt":"3');
        expect(changedText).not.toBe(text);
        const refused = await run(changedText);
        expect(refused.code).toBeGreaterThan(0);
        expect(refused.stdout).not.toContain('Valid');
      }
    },
  );
});
