import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../db/index.ts';
import { storefronts } from '../../db/schema-effects.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { authenticateKey } from '../../src/keys/authenticate-key.ts';
import { createKey } from '../../src/keys/keys.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { listDemand } from '../../src/leads/lists/list-demand.ts';
import { deleteStorefront } from '../../src/leads/storefronts/manage-storefront.ts';
import { readStorefront } from '../../src/leads/storefronts/read-storefront.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { createShareLink } from '../../src/links/create-share-link.ts';
import type { Context } from '../../src/operation/context.ts';
import { createContext } from '../../src/server/create-context.ts';
import { listActions } from '../operations/setup/actions.ts';
import { sites } from '../operations/setup/fixture.ts';
import { runCommand } from '../setup/command.ts';
import { createTestApp } from '../transports/setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const storefrontAction = listActions(site).find(
  ({ action }) => action.effect?.kind === 'storefront',
)!;
const { nameField } = storefrontAction.action.effect as { nameField: string };

const folder = mkdtempSync(join(tmpdir(), 'frontage-delete-'));
const url = `file:${join(folder, 'leads.db')}`;
let database: Database;
let context: Context;

beforeAll(async () => {
  database = await openDatabase({ url, usesThread: false });
  const discard = () => undefined;
  context = createContext({
    isCustomerEmailEnabled: false,
    site,
    database,
    log: { info: discard, warn: discard, error: discard },
  });
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Runs `npm run leads -- …` while the database is open. */
const leads = (...args: string[]) =>
  runCommand('leads', ['--quiet', ...args], {
    DATABASE_URL: url,
    REGISTRY_DIR: 'registry',
    LOG_LEVEL: 'silent',
  });

const statusOf = async (path: string) =>
  (await createTestApp({ context }).request(path, {}, {})).status;

const TAKEN_TEXT = 'Another storefront has or had the address /biz/harbor-books.\n';

/** Creates a storefront and the lead that requested it. */
async function openStorefront(name: string): Promise<{ lead: string; slug: string }> {
  const fields = { ...exampleValuesOf(storefrontAction.action.fields), [nameField]: name };
  const input = submitAction.parse(
    { subsite: storefrontAction.subsite.name, action: storefrontAction.action.verb, fields },
    context,
  );
  const { output } = await submitAction.handle(input, { channel: 'json' }, context);
  const [row] = await database.writer
    .select()
    .from(storefronts)
    .where(eq(storefronts.lead, output.receiptToken));
  return { lead: output.receiptToken, slug: row!.slug };
}

describe('npm run leads', () => {
  it('delete-link deletes a share link, after which its address returns 404', async () => {
    const input = createShareLink.parse(
      { subsite: site.registry.subsites[0]!.name, title: 'For Dana' },
      context,
    );
    const { output } = await createShareLink.handle(input, { channel: 'json' }, context);
    expect(await statusOf(`/s/${output.token}`)).toBe(302);
    expect(await leads('delete-link', output.token)).toEqual({
      code: 0,
      stdout: `Deleted: /s/${output.token}\n`,
      stderr: '',
    });
    // The server briefly caches a followed link.
    const afterExpiry = performance.now() + 1_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => afterExpiry);
    expect(await statusOf(`/s/${output.token}`)).toBe(404);
    clock.mockRestore();
    expect(await leads('delete-link', output.token)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No share link matches this token.\n',
    });
  });

  it('name-storefront gives an acknowledged business its name, and delete-storefront deletes its content', async () => {
    const { lead, slug } = await openStorefront('Harbor Books');
    expect((await readStorefront(slug, context)).isPublished).toBe(false);
    expect(await leads('name-storefront', slug)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'The request for this storefront is new. First verify that the customer owns the business, and acknowledge the request.\n',
    });
    await changeLead({ receiptToken: lead, to: 'acknowledged', actor: 'operator' }, context);
    expect(await leads('name-storefront', slug)).toEqual({
      code: 0,
      stdout: `/biz/${slug} is now also at /biz/harbor-books.\n`,
      stderr: '',
    });
    for (const path of [`/biz/${slug}`, '/biz/harbor-books'])
      expect(await statusOf(path)).toBe(200);
    expect((await readStorefront(slug, context)).isPublished).toBe(true);

    const other = await openStorefront('Harbor Books');
    await changeLead({ receiptToken: other.lead, to: 'acknowledged', actor: 'operator' }, context);
    expect(await leads('name-storefront', other.slug)).toMatchObject({
      code: 1,
      stderr: TAKEN_TEXT,
    });

    expect(await leads('delete-storefront', 'harbor-books')).toEqual({
      code: 0,
      stdout: 'Deleted: /biz/harbor-books\n',
      stderr: '',
    });
    for (const path of [`/biz/${slug}`, '/biz/harbor-books'])
      expect(await statusOf(path)).toBe(410);
    expect(await statusOf(`/biz/${other.slug}`)).toBe(200);
    expect(await leads('name-storefront', other.slug)).toMatchObject({ stderr: TAKEN_TEXT });
    expect(await leads('delete-storefront', slug)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no storefront at this address.\n',
    });
  });

  it('delete-question deletes an unanswered question', async () => {
    const { key } = await createKey({ name: 'Agent', scopes: ['*'], expiresAt: null }, context);
    const input = runCapability.parse(
      { capability: 'company.assist', input: { question: 'Who tunes a xylophone on Sunday?' } },
      context,
    );
    const call = { channel: 'json' as const, key: await authenticateKey(`Bearer ${key}`, context) };
    await runCapability.handle(input, call, context);
    const [question] = await listDemand(database);
    expect(question).toMatchObject({ count: 1, question: 'Who tunes a xylophone on Sunday?' });
    const stats = await leads('stats');
    expect(stats.stdout).toContain('Unmet demand: 1 question about 1 topic;');
    expect(await leads('delete-question', question!.topic)).toEqual({
      code: 0,
      stdout: 'Deleted: 1 question.\n',
      stderr: '',
    });
    expect(await listDemand(database)).toEqual([]);
    expect(await leads('delete-question', question!.topic)).toMatchObject({
      code: 1,
      stderr: 'No questions match this topic. npm run leads -- demand lists them.\n',
    });
  });
});

describe('a storefront page', () => {
  it.each([
    ['declined', 'operator'],
    ['withdrawn', 'person'],
    ['expired', 'system'],
  ] as const)('returns 410 once its request is %s', async (to, actor) => {
    const { lead, slug } = await openStorefront(`Bakery ${to}`);
    expect(await statusOf(`/biz/${slug}`)).toBe(200);
    await changeLead({ receiptToken: lead, to, actor }, context);
    expect(await statusOf(`/biz/${slug}`)).toBe(410);
  });

  it('returns 410 after its content was deleted and its request was then erased', async () => {
    const { lead, slug } = await openStorefront('Corner Deli');
    await deleteStorefront(slug, context);
    expect(await statusOf(`/biz/${slug}`)).toBe(410);
    await eraseLead(lead, 'person', context);
    expect(await statusOf(`/biz/${slug}`)).toBe(410);
  });
});
