import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { createKey } from '../../src/keys/keys.ts';
import { createContext } from '../../src/server/create-context.ts';
import { createProofGuide } from '../../src/site/developer/proof-guide.ts';
import { guidePath } from '../../src/site/pages-of-site.ts';
import { silentLog } from '../capabilities/fixture.ts';
import { serveBuild } from '../server/serve-build.ts';
import { buildNetwork, copyBuild } from '../setup/built-networks.ts';
import { createBuildSettings, startServer } from '../setup/started-server.ts';
import { describeImage, createTestImage } from '../setup/test-image.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { findAttributeValues } from './built-html.ts';

// One build of the network with a photograph and a key that signs receipts, which the builds that
// all tests share do not have.

const folder = mkdtempSync(join(tmpdir(), 'frontage-optional-'));
const registry = join(folder, 'registry');
const outDir = '.build/test-optional';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signingKey = join(folder, 'receipts.pem');
let build: string;

beforeAll(async () => {
  cpSync('test/fixtures/network-of-four', registry, { recursive: true });
  mkdirSync(join(registry, 'images'));
  writeFileSync(join(registry, 'images/shelves.jpg'), await createTestImage(2000, 2000));
  const record = join(registry, 'subsites/archive.yaml');
  writeFileSync(
    record,
    `${readFileSync(record, 'utf8').trimEnd()}\nimage:\n  file: images/shelves.jpg\n  alt: Shelves full of boxes\n  credit: A. Person\n  license: CC-BY-4.0\n`,
  );
  writeFileSync(signingKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  copyBuild(inject('fourBuild'), outDir);
  build = await buildNetwork(registry, outDir, { RECEIPT_SIGNING_KEY_FILE: signingKey });
});
afterAll(() => {
  for (const path of [folder, outDir]) rmSync(path, { recursive: true, force: true });
});

const readPage = () => {
  const { registry: built, base } = readBuiltSite(build);
  const { url } = built.subsites.find(({ image }) => image)!;
  return { html: readFileSync(join(build, 'client', `${url}.html`), 'utf8'), url, base };
};

describe('the image files of a record', () => {
  it('have the sizes and formats that the page names', async () => {
    const { html } = readPage();
    const srcsetEntries = findAttributeValues(html, 'srcset').flatMap((set) => set.split(', '));
    expect(srcsetEntries).toHaveLength(4);
    for (const image of srcsetEntries) {
      const [path, width] = image.split(' ');
      const found = await describeImage(readFileSync(join(build, 'client', path!)));
      expect(found).toEqual({
        format: path!.endsWith('.avif') ? 'heif' : 'webp',
        width: Number.parseInt(width!),
        height: (Number.parseInt(width!) * 3) / 4,
      });
    }
    const fallbackPath = findAttributeValues(html, 'src').find((path) =>
      path.startsWith('/pictures/'),
    )!;
    expect(await describeImage(readFileSync(join(build, 'client', fallbackPath)))).toEqual({
      format: 'jpeg',
      width: 960,
      height: 720,
    });
  });

  it('have their alt text, credit, and license on the page', () => {
    const { html } = readPage();
    expect(html).toContain('alt="Shelves full of boxes"');
    expect(html).toContain('Photo: A. Person, CC-BY-4.0');
  });

  it('are named in structured data and in link previews', async () => {
    const { html, base } = readPage();
    expect(html).toContain(`"image":"${base}/pictures/shelves-jpg-960x720.jpg"`);
    const sharedImageUrl = /<meta property="og:image" content="([^"]*)"/.exec(html)![1]!;
    expect(
      await describeImage(readFileSync(join(build, 'client', sharedImageUrl.slice(base.length)))),
    ).toEqual({ format: 'jpeg', width: 1200, height: 630 });
  });

  it('are served with the right type, and no other images are generated on request', async () => {
    const running = await serveBuild(build);
    try {
      const avif = await running.ask('/pictures/shelves-jpg-480x360.avif');
      expect([avif.status, avif.headers['content-type']]).toEqual([200, 'image/avif']);
      expect((await running.ask('/pictures/shelves-jpg-481x360.avif')).status).toBe(404);
      expect(
        (await running.ask('/_image?href=/pictures/shelves-jpg-480x360.avif&w=9')).status,
      ).toBe(404);
    } finally {
      await running.stop();
    }
    expect(existsSync(join(build, 'client/images'))).toBe(false);
  });
});

it('a receipt can be verified by anyone with the published key', async () => {
  const settings = {
    ...createBuildSettings(build, registry),
    DATABASE_URL: `file:${join(folder, 'receipts.db')}`,
    RECEIPT_SIGNING_KEY_FILE: signingKey,
  };
  const server = startServer(settings);
  const origin = await server.origin();
  const site = readBuiltSite(build);
  const database = await openDatabase({ url: settings.DATABASE_URL });
  const { key } = await createKey(
    { name: 'Agent', scopes: ['*'], expiresAt: null },
    createContext({ isCustomerEmailEnabled: false, site, database, log: silentLog }),
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
  await server.end('SIGTERM');
});
