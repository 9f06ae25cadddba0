import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { createKey } from '../../src/keys/keys.ts';
import { guidePath } from '../../src/site/pages-of-site.ts';
import { createProofGuide } from '../../src/site/developer/proof-guide.ts';
import { createContext } from '../../src/server/create-context.ts';
import { readBuiltSite } from '../../src/server/built-site.ts';
import { silentLog } from '../capabilities/fixture.ts';
import { buildNetwork, copyBuild } from '../setup/built-networks.ts';
import { createBuildSettings, type StartedServer, startServer } from '../setup/started-server.ts';

const REGISTRY = 'test/fixtures/network-of-four';
const OUT_DIR = '.build/test-receipts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

let folder: string;
let release: string;
let server: StartedServer;
let settings: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-receipt-'));
  const signingKey = join(folder, 'receipts.pem');
  writeFileSync(signingKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  // The build was made without a signing key.
  copyBuild(inject('fourBuild'), OUT_DIR);
  release = await buildNetwork(REGISTRY, OUT_DIR, { RECEIPT_SIGNING_KEY_FILE: signingKey });
  settings = {
    ...createBuildSettings(release, REGISTRY),
    DATABASE_URL: `file:${join(folder, 'receipts.db')}`,
    RECEIPT_SIGNING_KEY_FILE: signingKey,
  };
  server = startServer(settings);
});
afterAll(async () => {
  await server.end('SIGTERM');
  rmSync(folder, { recursive: true });
});

it('a receipt can be verified by anyone with the published key', async () => {
  const origin = await server.origin();
  const site = readBuiltSite(release);
  const database = await openDatabase({ url: settings['DATABASE_URL']! });
  const { key } = await createKey(
    { name: 'Agent', scopes: ['*'], expiresAt: null },
    createContext({ isPersonMailEnabled: false, site, database, log: silentLog }),
  );
  await database.close();
  const capability = site.registry.subsites.find(({ capabilities }) => capabilities)!.name;
  const response = await fetch(`${origin}/api/v1/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ capability: `${capability}.help`, input: {} }),
  });
  const task = (await response.json()) as {
    taskId: string;
    charge: { amount: string };
    receipt: { jws: string };
  };
  const { taskId, receipt } = task;
  const keys = createRemoteJWKSet(new URL(`${origin}/.well-known/jwks.json`));
  const { payload } = await compactVerify(receipt.jws, keys);
  expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({ taskId });
  expect(server.output()).not.toContain('RECEIPT_SIGNING_KEY');

  const file = join(folder, 'task.json');
  writeFileSync(file, JSON.stringify(task));
  const publicKeyFile = join(folder, 'receipts.pub');
  writeFileSync(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const command = ['src/cli/run.js', 'keys', '--json', 'verify-receipt', file];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...command, '--public-key', publicKeyFile],
    { env: { ...process.env, ...settings } },
  );
  const { amount } = task.charge;
  expect(JSON.parse(stdout)).toMatchObject({ valid: true, claims: { taskId, amount } });

  const page = await fetch(`${origin}${guidePath(site.registry, { slug: 'verify' })}.md`);
  const guide = await page.text();
  for (const { text, title } of createProofGuide(site).samples)
    expect([guide.includes(text), guide.includes(title)]).toEqual([true, true]);
});
