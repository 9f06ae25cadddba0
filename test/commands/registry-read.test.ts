import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { takeStamp, writeStamp } from '../../src/build/stamp.ts';
import { withContext } from '../../src/cli/with-context.ts';
import { loadRegistry } from '../../src/registry/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-registry-read-'));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it('commands read the registry from an up-to-date build, and otherwise from its folder', async () => {
  const registryDir = join(folder, 'registry');
  const release = join(folder, 'out/releases/one');
  const database = `file:${join(folder, 'network.db')}`;
  cpSync('test/fixtures/network-of-four', registryDir, { recursive: true });
  vi.stubEnv('REGISTRY_DIR', registryDir);
  vi.stubEnv('OUT_DIR', join(folder, 'out'));
  vi.stubEnv('DATABASE_URL', database);
  await (await openDatabase({ url: database })).close();
  const registry = loadRegistry(registryDir);
  mkdirSync(release, { recursive: true });
  symlinkSync('releases/one', join(folder, 'out/current'));
  const built = { ...registry, subsites: registry.subsites.slice(0, 1) };
  writeFileSync(join(release, 'site.json'), JSON.stringify({ registry: built }));
  writeStamp(release, takeStamp());
  const subsites = () => withContext(async ({ site }) => site.registry.subsites.length);
  expect(await subsites()).toBe(1);
  appendFileSync(join(registryDir, 'network.yaml'), '\n');
  expect(await subsites()).toBe(registry.subsites.length);
  rmSync(registryDir, { recursive: true });
  expect(await subsites()).toBe(1);
});
