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
import { computeCurrentStamp, writeStamp } from '../../src/build/stamp.ts';
import { withContext } from '../../src/cli/with-context.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { runCommand } from '../setup/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-registry-read-'));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const registryDir = join(folder, 'registry');
const out = join(folder, 'out');
const release = join(out, 'releases/one');
const database = `file:${join(folder, 'network.db')}`;
const subsites = () => withContext(async ({ site }) => site.registry.subsites.length);

/** Writes a registry and, as the current release, one with only its first subsite. */
async function writeNetwork(): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  cpSync('test/fixtures/network-of-four', registryDir, { recursive: true });
  vi.stubEnv('REGISTRY_DIR', registryDir);
  vi.stubEnv('OUT_DIR', out);
  vi.stubEnv('DATABASE_URL', database);
  await (await openDatabase({ url: database, usesThread: false })).close();
  const registry = loadRegistry(registryDir);
  mkdirSync(release, { recursive: true });
  symlinkSync('releases/one', join(out, 'current'));
  const built = { ...registry, subsites: registry.subsites.slice(0, 1) };
  writeFileSync(join(release, 'site.json'), JSON.stringify({ registry: built }));
  writeStamp(release, computeCurrentStamp());
  return registry.subsites.length;
}

it('commands read the registry from an up-to-date build, and otherwise from its folder', async () => {
  const count = await writeNetwork();
  expect(await subsites()).toBe(1);
  appendFileSync(join(registryDir, 'network.yaml'), '\n');
  expect(await subsites()).toBe(count);
  rmSync(registryDir, { recursive: true });
  expect(await subsites()).toBe(1);
});

it('commands read the release that the network was rolled back to', async () => {
  await writeNetwork();
  appendFileSync(join(registryDir, 'network.yaml'), '\n');
  writeFileSync(join(out, 'rolled-back'), 'one\n');
  expect(await subsites()).toBe(1);
});

const settings = { REGISTRY_DIR: registryDir, OUT_DIR: out, DATABASE_URL: database };

it.each([
  ['leads', ['list', '--waiting']],
  ['leads', ['stats']],
  ['keys', ['create', 'Desk', '--scope', 'inbox', '--expires', '2031-01-31']],
])('%s %j uses the last release while the registry has faults', async (command, args) => {
  await writeNetwork();
  appendFileSync(join(registryDir, 'network.yaml'), 'tag: <placeholder>\n');
  const { code, stderr } = await runCommand(command, ['--quiet', ...args], settings);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Warning: ${registryDir} has 1 fault. This command uses the records of the last release, one, as npm start does. To list the faults: npm run check\n`,
  });
});

it('without a release, says first why a command was not run', async () => {
  await writeNetwork();
  rmSync(out, { recursive: true });
  appendFileSync(join(registryDir, 'network.yaml'), 'tag: <placeholder>\n');
  const { code, stderr } = await runCommand('leads', ['--quiet', 'list', 'Dana'], settings);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(
      `^The command was not run: it needs the records, but ${registryDir} has 1 fault, and there is no release in ${out} to use instead\\. Correct the following faults and run the command again\\.\n${registryDir}/network\\.yaml:`,
    ),
  );
});
