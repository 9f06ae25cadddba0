import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { buildFileNames } from '../../src/build/arena.ts';
import { type RunningService, serveBuild } from './serve-build.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-other-address-'));
const otherRelease = join(folder, 'release');
const OTHER_BASE = 'https://typo.example';

let service: RunningService;
let base: string;
beforeAll(async () => {
  const release = inject('fourBuild');
  cpSync(realpathSync(release), otherRelease, { recursive: true });
  const site = join(otherRelease, buildFileNames.site);
  const records = JSON.parse(readFileSync(site, 'utf8')) as { base: string };
  ({ base } = records);
  writeFileSync(
    site,
    JSON.stringify({ ...records, base: OTHER_BASE, receiptKey: { kid: 'other' } }),
  );
  service = await serveBuild(release);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** The address in a response from the running program. */
const readServedBase = async () => {
  const { body } = await service.ask('/api/find?q=book');
  return body.toString().includes(OTHER_BASE) ? OTHER_BASE : base;
};

it('a server keeps its release when the new one was built for another SITE_URL', async () => {
  await service.takeOver(otherRelease);
  expect(await readServedBase()).toBe(base);
  expect(service.log()).toContain(
    `The new release was built for ${OTHER_BASE}, and this server serves ${base}, so it keeps its current release.`,
  );
});

it('a server takes over a release for another SITE_URL if the operator requested it, and warns of another receipt key', async () => {
  await service.takeOver(otherRelease, { allowOtherAddress: true });
  expect(await readServedBase()).toBe(OTHER_BASE);
  expect(service.log()).toContain('Receipts are not signed: set RECEIPT_SIGNING_KEY');
});
