import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { backUpDatabase } from '../../db/backup.ts';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import { createShareLink } from '../../src/links/create-share-link.ts';
import type { Context } from '../../src/operation/context.ts';
import type { ActiveKey, CallChannel } from '../../src/operation/operation.ts';
import {
  eraseLead,
  countLeadsPastRetention,
  purgeLeads,
} from '../../src/leads/erase/erase-lead.ts';
import { redeliverLead } from '../../src/leads/deliveries/redeliver-leads.ts';
import { leadStatuses, type Actor } from '../../src/leads/lead-states.ts';
import { readLeadStatus } from '../../src/leads/status/read-lead-status.ts';
import { readStorefront } from '../../src/leads/storefronts/read-storefront.ts';
import { eraseOldResults } from '../../src/capabilities/advance-tasks.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { sweep } from '../../src/leads/erase/sweep.ts';
import { authenticateKey } from '../../src/keys/authenticate-key.ts';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { createKey } from '../../src/keys/keys.ts';
import { addDaysToTime } from '../../src/operation/time-arithmetic.ts';
import type { Action, Effect } from '../../src/registry/schemas/action.ts';
import { addDays, endOfDay, toDateInTimeZone } from '../../src/site/calendar/days.ts';
import { type Field, exampleValuesOf, listFutureDateFields } from '../../src/fields/fields.ts';
import type { Channel } from '../../src/leads/deliveries/channel.ts';
import { readStoredBytes } from '../db/setup/stored-bytes.ts';
import { capture, drain, submitLead } from '../deliveries/setup/drain.ts';
import { captureStatements } from '../setup/query-plans.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { listActions } from '../operations/setup/actions.ts';
import { chooseCases, openFixture, sites, type Fixture } from '../operations/setup/fixture.ts';
import { submitByEachChannel } from './setup/submit-by-channel.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const folder = mkdtempSync(join(tmpdir(), 'frontage-erase-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CANARY = 'Zq7canary';
const PHONE = '+17275550187';
const ZIP = '90210-7431';

/** A personal value for each field type that can contain personal data; otherwise undefined. */
const personalValues: Record<Field['type'], ((name: string) => string) | undefined> = {
  string: (name) => `${CANARY} ${name}`,
  phone: () => PHONE,
  email: () => `${CANARY}@example.com`,
  zip: () => ZIP,
  enum: undefined,
  number: undefined,
  date: undefined,
};

/** Example fields of an action with personal values wherever possible. */
const createPersonalFields = (action: Action) =>
  Object.fromEntries(
    Object.entries(exampleValuesOf(action.fields)).map(([name, value]) => [
      name,
      ((action.fields[name]!.content?.kind ?? 'name') !== 'name' || action.fields[name]!.item
        ? undefined
        : personalValues[action.fields[name]!.type]?.(name)) ?? value,
    ]),
  );

/** An active key for all capabilities. */
const createActiveKey = async (context: Context): Promise<ActiveKey> =>
  authenticateKey(
    `Bearer ${(await createKey({ name: 'Agent', scopes: ['*'], expiresAt: null }, context)).key}`,
    context,
  );

/**
 * Submits every kind of lead through every channel with personal data wherever text is accepted,
 * delivers the leads, quotes them and resubmits them as tasks.
 */
async function submitAllLeads(fixture: Fixture): Promise<string[]> {
  const { context } = fixture;
  const tokens: string[] = [];
  const contact = { name: `${CANARY} Reyes`, email: `${CANARY}@example.com`, phone: PHONE };
  const key = await createActiveKey(context);
  const actions = chooseCases(listActions(site), ({ action }) => action.effect?.kind);
  for (const [index, { subsite, action }] of actions.entries()) {
    const idempotencyKey = `${CANARY}-call-number-${index}`;
    const fields = createPersonalFields(action);
    const input = submitAction.parse(
      { subsite: subsite.name, action: action.verb, fields, contact },
      context,
    );
    const { output } = await submitAction.handle(
      input,
      { channel: 'json', idempotencyKey },
      context,
    );
    tokens.push(output.receiptToken);
    const capability = capabilityCatalogOf(site).get(`${subsite.name}.${action.verb}`);
    if (!capability) continue;
    const run = await runCapability.handle(
      runCapability.parse(
        { capability: capability.id, input: { contact, fields }, idempotencyKey },
        context,
      ),
      { channel: 'json', key },
      context,
    );
    expect(run.output).toMatchObject({ status: 'completed', result: output });
  }
  for (const text of [contact.email.toUpperCase(), '(727) 555-0187', '727.555.0187', PHONE]) {
    const link = createShareLink.parse(
      { subsite: site.registry.subsites[0]!.name, title: `For ${text}`, meta: { note: text } },
      context,
    );
    await createShareLink.handle(link, { channel: 'json' }, context);
    await runCapability.handle(
      runCapability.parse(
        { capability: 'company.assist', input: { question: `${text} xylophone tuning?` } },
        context,
      ),
      { channel: 'json', key },
      context,
    );
  }
  const [firstVerb] = listActions(site) as unknown as [ReturnType<typeof listActions>[number]];
  const inputWithSource = submitAction.parse(
    {
      subsite: firstVerb.subsite.name,
      action: firstVerb.action.verb,
      fields: exampleValuesOf(firstVerb.action.fields),
      source: `from-${CANARY}`,
    },
    context,
  );
  tokens.push(
    (await submitAction.handle(inputWithSource, { channel: 'json' }, context)).output.receiptToken,
  );
  const captureInput = captureLead.parse(
    {
      email: `${CANARY}@example.com`,
      source: site.registry.subsites[0]!.leadSource,
      name: CANARY,
      data: { deep: { text: CANARY }, [CANARY]: PHONE },
    },
    context,
  );
  tokens.push(
    (await captureLead.handle(captureInput, { channel: 'json' }, context)).output.receiptToken,
  );
  tokens.push(
    ...(await submitByEachChannel(fixture, (channel) => ({
      subsite: firstVerb.subsite.name,
      action: firstVerb.action.verb,
      fields: createPersonalFields(firstVerb.action),
      contact: { ...contact, name: `${contact.name} by ${channel}` },
    }))),
  );
  const failingChannel: Channel = {
    name: 'webhook',
    accepts: () => true,
    send: async () => ({ outcome: 'failed' }),
  };
  await drain([failingChannel], context, { rounds: 1 });
  for (const lead of tokens)
    await changeLead(
      { receiptToken: lead, to: 'quoted', actor: 'provider', note: `${CANARY}, 45 dollars` },
      context,
    );
  return tokens;
}

const tables = async (fixture: Fixture) =>
  (
    await fixture.database.writer.all<{ name: string }>(
      sql`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`,
    )
  ).map(({ name }) => name);
const readRows = (fixture: Fixture, table: string) =>
  fixture.database.writer.all<Record<string, unknown>>(sql`select * from ${sql.identifier(table)}`);
const hasPersonalData = (text: string) =>
  new RegExp([CANARY, PHONE.slice(1), ZIP].join('|'), 'i').test(text);

describe('erasing every lead', async () => {
  const fixture = await openFixture(site);
  const tokens = await submitAllLeads(fixture);
  const slugs = (await readRows(fixture, 'storefronts')).map(({ slug }) => slug as string);
  const file = fixture.url.slice('file:'.length);

  it('starts with a database full of personal data', async () => {
    const found = [];
    for (const table of await tables(fixture))
      if (hasPersonalData(JSON.stringify(await readRows(fixture, table)))) found.push(table);
    expect(found.sort()).toEqual([
      'demand',
      'idempotency',
      'lead_history',
      'leads',
      'share_links',
      'storefronts',
      'tasks',
    ]);
    expect(hasPersonalData(slugs.join())).toBe(true);
  });

  it('removes all personal data from every table, the file, its log, and the application logs', async () => {
    expect((await fixture.rows('a2a_tasks')).length).toBe(1);
    for (const token of tokens) await eraseLead(token, 'person', fixture.context);
    expect(await fixture.rows('a2a_tasks')).toEqual([]);
    for (const table of await tables(fixture))
      expect(hasPersonalData(JSON.stringify(await readRows(fixture, table))), table).toBe(false);
    for (const suffix of ['', '-wal', '-shm'])
      if (existsSync(file + suffix))
        expect(hasPersonalData(readStoredBytes(file + suffix).toString('latin1')), suffix).toBe(
          false,
        );
    expect(hasPersonalData(JSON.stringify(fixture.logged))).toBe(false);
  });

  // libsql-server has its own backups.
  if (fixture.url.startsWith('file:'))
    it('leaves no personal data in a later backup', async () => {
      const backup = join(folder, 'after.db');
      await backUpDatabase({ url: fixture.url }, backup);
      expect(hasPersonalData(readFileSync(backup, 'latin1'))).toBe(false);
      const client = createClient({ url: `file:${backup}` });
      expect(Number((await client.execute('select count(*) from leads')).rows[0]![0])).toBe(
        tokens.length,
      );
      client.close();
    });

  it('keeps states and times, and reports that the leads and their storefronts are gone', async () => {
    for (const receipt of tokens) {
      expect(
        (
          await problemOf(() =>
            readLeadStatus.handle({ receiptToken: receipt }, { channel: 'json' }, fixture.context),
          )
        ).code,
      ).toBe('gone');
      for (const to of leadStatuses)
        expect(
          (
            await problemOf(() =>
              changeLead(
                { receiptToken: receipt, to, actor: 'provider', note: 'x' },
                fixture.context,
              ),
            )
          ).code,
        ).toBe('gone');
    }
    for (const slug of slugs)
      expect((await problemOf(() => readStorefront(slug, fixture.context))).code).toBe('gone');
    const history = await readRows(fixture, 'lead_history');
    expect(
      history.filter(({ lead }) => lead === tokens[0]).map(({ status, actor }) => [status, actor]),
    ).toEqual([
      ['new', 'person'],
      ['quoted', 'provider'],
      ['erased', 'person'],
    ]);
  });

  it('sends only an erasure notice, and only to recipients who may have seen the lead', async () => {
    const notifiedLeads = new Set(
      (await readRows(fixture, 'deliveries'))
        .filter(({ attempts }) => Number(attempts) > 0)
        .map(({ lead }) => lead),
    );
    expect(notifiedLeads.size).toBeGreaterThan(0);
    const announcedEvents = (await readRows(fixture, 'outbox')).filter(
      ({ payload }) => (JSON.parse(String(payload)) as { to?: string }).to === 'erased',
    );
    expect(new Set(announcedEvents.map(({ lead }) => lead))).toEqual(notifiedLeads);
    const sentEvents: unknown[] = [];
    const channel: Channel = {
      name: 'webhook',
      accepts: () => true,
      send: async (event) => (sentEvents.push(event), { outcome: 'sent' }),
    };
    await drain([channel], fixture.context);
    expect(sentEvents.length).toBe(notifiedLeads.size);
    expect(
      sentEvents.every((event) => (event as { change: { to: string } }).change.to === 'erased'),
    ).toBe(true);
    expect(hasPersonalData(JSON.stringify(sentEvents))).toBe(false);
  });
});

describe('an erasure of a person who chose their own contact details', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const key = await createActiveKey(context);
  const verb = listActions(site).find(({ action }) => !action.effect)!;
  /** Stores a link and a question with the text, erases a lead, and returns what remains. */
  const eraseLeadBeside = async (
    text: string,
    contact: Record<string, string>,
    actor: Actor = 'person',
  ) => {
    for (const table of ['share_links', 'demand'])
      await fixture.database.writer.run(sql`delete from ${sql.identifier(table)}`);
    const subsite = site.registry.subsites[0]!.name;
    const title = 'Free AC Tune Up this spring';
    const link = createShareLink.parse({ subsite, title, meta: { note: text } }, context);
    await createShareLink.handle(link, { channel: 'json' }, context);
    await runCapability.handle(
      runCapability.parse(
        { capability: 'company.assist', input: { question: `Xylophone tuning: ${text}` } },
        context,
      ),
      { channel: 'json', key },
      context,
    );
    const body = {
      subsite: verb.subsite.name,
      action: verb.action.verb,
      fields: exampleValuesOf(verb.action.fields),
      contact,
    };
    const { output } = await submitAction.handle(
      submitAction.parse(body, context),
      { channel: 'json' },
      context,
    );
    await eraseLead(output.receiptToken, actor, context);
    const [stored] = await fixture.rows('share_links');
    return [
      stored!['title'] !== null,
      stored!['meta'] !== null,
      (await fixture.database.writer.all(sql`select id from demand`)).length,
    ];
  };
  const keptRows = [true, true, 1];
  const clearedRows = [false, false, 0];

  it.each(
    chooseCases<[text: string, contact: Record<string, string>]>([
      ['free AC', { name: 'e a' }],
      ['own work', { name: 'n w' }],
      ['Tune Up', { name: 'Tune Up' }],
      ['order 20261127028', { phone: '+1 202 611 2702' }],
      ['at 2026-11-27 02:40', { phone: '+1 202 611 2702' }],
      ['first.dana@example.com', { email: 'dana@example.com' }],
      ['dana@example.community', { email: 'dana@example.com' }],
    ]),
  )('keeps other people’s rows with “%s” for %o', async (text, contact) => {
    expect(await eraseLeadBeside(text, contact)).toEqual(keptRows);
  });

  it.each(
    chooseCases<[text: string, contact: Record<string, string>]>([
      ['e a', { name: 'e a' }],
      ['Dana Reyesberg', { name: 'Dana Reyes' }],
      ['Jordana Reyes', { name: 'Dana Reyes' }],
    ]),
  )('keeps rows with “%s” for %o, even if the operator erases', async (text, contact) => {
    expect(await eraseLeadBeside(text, contact, 'operator')).toEqual(keptRows);
  });

  it('clears rows with the full name if the operator erases', async () => {
    for (const text of ['for\nDANA REYES.', '“Dana Reyes”', 'Dana Reyes'])
      expect(await eraseLeadBeside(text, { name: ' Dana Reyes' }, 'operator'), text).toEqual(
        clearedRows,
      );
    expect(
      await eraseLeadBeside('José [Pepe] Núñez', { name: 'José [Pepe] Núñez' }, 'operator'),
    ).toEqual(clearedRows);
  });

  it.each(
    chooseCases<[text: string, contact: Record<string, string>]>([
      ['<DANA@example.com>.', { email: 'dana@example.com' }],
      ['call 7275550187, room 2', { phone: '727-555-0187' }],
      ['5 times 1 (727) 555-0187 2', { phone: '727-555-0187' }],
      ['17275550187', { phone: '727-555-0187' }],
      ['727 555 0187', { phone: '727-555-0187' }],
      ['(727) 5550187', { phone: '727-555-0187' }],
      ['727-5550187', { phone: '727-555-0187' }],
      ['(727)-555-0187', { phone: '727-555-0187' }],
      ['727 - 555 - 0187', { phone: '727-555-0187' }],
      ['+45 32 12 34 56', { phone: '+4532123456' }],
    ]),
  )('clears rows with “%s” for %o', async (text, contact) => {
    expect(await eraseLeadBeside(text, contact)).toEqual(clearedRows);
  });
});

it('an erasure is announced to a provider whose delivery was to be repeated', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const lead = await capture(context, site.registry.subsites[0]!.leadSource);
  const changes: (string | undefined)[] = [];
  const channel: Channel = {
    name: 'webhook',
    accepts: () => true,
    send: async ({ change }) => (changes.push(change?.to), { outcome: 'sent' }),
  };
  await drain([channel], context);
  await redeliverLead(lead, context);
  await eraseLead(lead, 'person', context);
  await drain([channel], context);
  expect(changes).toEqual([undefined, 'erased']);
});

it('an erasure leaves no task key that names the person, even after the task’s result has expired', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const { subsite, action } = listActions(site).find((verb) =>
    capabilityCatalogOf(site).has(`${verb.subsite.name}.${verb.action.verb}`),
  )!;
  const { output } = await runCapability.handle(
    runCapability.parse(
      {
        capability: `${subsite.name}.${action.verb}`,
        input: {
          contact: { name: `${CANARY} Reyes`, phone: PHONE },
          fields: exampleValuesOf(action.fields),
        },
        idempotencyKey: `${CANARY}-reyes-the-first`,
      },
      context,
    ),
    { channel: 'json', key: await createActiveKey(context) },
    context,
  );
  fixture.advanceHours(24 * 31);
  await eraseOldResults(context);
  await eraseLead((output.result as { receiptToken: string }).receiptToken, 'person', context);
  expect(hasPersonalData(JSON.stringify(await fixture.rows('tasks')))).toBe(false);
});

describe('a retry after an erasure', () => {
  it('is refused by every channel for software while its key is kept, with the same body or another body, and the key is deleted afterward', async () => {
    const fixture = await openFixture(site);
    const verb = listActions(site).find(
      ({ action, subsite }) =>
        !action.effect && capabilityCatalogOf(site).has(`${subsite.name}.${action.verb}`),
    )!;
    const capability = `${verb.subsite.name}.${verb.action.verb}`;
    const key = await createActiveKey(fixture.context);
    const body = (name: string) => ({
      fields: exampleValuesOf(verb.action.fields),
      contact: { name },
    });
    const submit = (name: string, channel: CallChannel) =>
      submitAction.handle(
        submitAction.parse(
          { subsite: verb.subsite.name, action: verb.action.verb, ...body(name) },
          fixture.context,
        ),
        { channel, idempotencyKey: 'k-of-sixteen-or-more' },
        fixture.context,
      );
    const run = (name: string) =>
      runCapability.handle(
        runCapability.parse(
          { capability, input: body(name), idempotencyKey: 'k-of-sixteen-or-more' },
          fixture.context,
        ),
        { channel: 'json', key },
        fixture.context,
      );
    const { output } = await submit('Dana', 'json');
    await run('Dana');
    await eraseLead(output.receiptToken, 'person', fixture.context);
    const expectGone = async () => {
      for (const name of ['Dana', 'Pat']) {
        for (const channel of ['json', 'mcp', 'a2a', 'task'] as const)
          expect((await problemOf(() => submit(name, channel))).code, channel).toBe('gone');
        expect((await problemOf(() => run(name))).code).toBe('gone');
      }
      expect((await fixture.rows('leads')).length).toBe(1);
    };
    await expectGone();
    fixture.advanceHours(24);
    await sweep(fixture.context);
    await expectGone();
    fixture.advanceHours(24 * 30);
    expect((await submit('Dana', 'json')).replayed).toBe(false);
  });
});

it('a retry of a request for a share link does not restore an erased title', async () => {
  const { context, rows } = await openFixture(site);
  const [subsite] = site.registry.subsites;
  const input = createShareLink.parse(
    { subsite: subsite!.name, title: `For ${CANARY}@example.com` },
    context,
  );
  const call = { channel: 'json', idempotencyKey: 'k-of-sixteen-or-more' } as const;
  await createShareLink.handle(input, call, context);
  const lead = await capture(context, subsite!.leadSource, `${CANARY}@example.com`);
  await eraseLead(lead, 'person', context);
  expect((await problemOf(() => createShareLink.handle(input, call, context))).code).toBe('gone');
  expect(hasPersonalData(JSON.stringify(await rows('share_links')))).toBe(false);
});

describe('an import after an erasure', () => {
  it('does not restore personal data', async () => {
    const fixture = await openFixture(site);
    const found = listActions(site).find(({ action }) => action.effect?.kind === 'import')!;
    const input = submitAction.parse(
      {
        subsite: found.subsite.name,
        action: found.action.verb,
        fields: exampleValuesOf(found.action.fields),
        contact: { name: CANARY },
      },
      fixture.context,
    );
    const { output } = await submitAction.handle(input, { channel: 'import' }, fixture.context);
    await eraseLead(output.receiptToken, 'person', fixture.context);
    expect(
      (await problemOf(() => submitAction.handle(input, { channel: 'import' }, fixture.context)))
        .code,
    ).toBe('gone');
    expect(hasPersonalData(JSON.stringify(await fixture.rows('leads')))).toBe(false);
  });
});

describe('a purge', async () => {
  const fixture = await openFixture(site);
  const found = listActions(site).find(({ action }) => !action.effect)!;
  const submit = async () =>
    (
      await submitAction.handle(
        submitAction.parse(
          {
            subsite: found.subsite.name,
            action: found.action.verb,
            fields: exampleValuesOf(found.action.fields),
            contact: { name: CANARY },
          },
          fixture.context,
        ),
        { channel: 'json', idempotencyKey: crypto.randomUUID() },
        fixture.context,
      )
    ).output.receiptToken;

  it('erases each lead once at the end of its retention period, counted from the last change, and keeps all other leads', async () => {
    const oldLead = await submit();
    const changedLead = await submit();
    fixture.advanceHours(24 * (found.action.retentionDays - 1));
    await changeLead(
      { receiptToken: changedLead, to: 'withdrawn', actor: 'person' },
      fixture.context,
    );
    const newLead = await submit();
    fixture.advanceHours(25);
    expect(await countLeadsPastRetention(fixture.context)).toBe(1);
    const counts = await Promise.all([
      purgeLeads(fixture.context),
      purgeLeads(fixture.context),
      purgeLeads(fixture.context),
    ]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(
      Object.fromEntries((await fixture.rows('leads')).map(({ token, status }) => [token, status])),
    ).toEqual({ [oldLead]: 'erased', [changedLead]: 'withdrawn', [newLead]: 'new' });
    expect(await countLeadsPastRetention(fixture.context)).toBe(0);
  });

  it('sends the same statements for many leads as for one, and each statement covers all of them', async () => {
    const measurePurge = async (count: number) => {
      for (let index = 0; index < count; index++) await submit();
      fixture.advanceHours(24 * (found.action.retentionDays + 1));
      const { commitCount: commits } = fixture.database;
      const statements = await captureStatements(async () =>
        expect(await purgeLeads(fixture.context)).toBe(count),
      );
      return { statements, commits: fixture.database.commitCount - commits };
    };
    fixture.advanceHours(24 * (found.action.retentionDays + 1));
    await purgeLeads(fixture.context);
    const statementsForOne = await measurePurge(1);
    expect(await measurePurge(25)).toEqual(statementsForOne);
    const history = await fixture.rows('lead_history');
    for (const { token } of (await fixture.rows('leads')).slice(-25))
      expect(
        history.filter(({ lead }) => lead === token).map(({ status, actor }) => [status, actor]),
      ).toEqual([
        ['new', 'person'],
        ['erased', 'system'],
      ]);
  });

  it('neither erases a lead that changes before the write nor repeats an erasure', async () => {
    const [erased, changed, due] = [await submit(), await submit(), await submit()];
    fixture.advanceHours(24 * (found.action.retentionDays + 1));
    const { writer } = fixture.database;
    const batch = writer.batch.bind(writer);
    let isFirstBatch = true;
    const batchSpy = vi.spyOn(writer, 'batch').mockImplementation(async (statements) => {
      if (isFirstBatch) {
        isFirstBatch = false;
        await eraseLead(erased, 'person', fixture.context);
        const change = { receiptToken: changed, actor: 'provider', note: CANARY } as const;
        await changeLead({ ...change, to: 'needs_info' }, fixture.context);
      }
      return batch(statements);
    });
    expect(await purgeLeads(fixture.context)).toBe(1);
    batchSpy.mockRestore();
    const [history, rows] = [await fixture.rows('lead_history'), await fixture.rows('leads')];
    const logOf = (token: string) =>
      history
        .filter(({ lead }) => lead === token)
        .map(({ status, actor, note }) => [status, actor, note]);
    expect(logOf(erased)).toEqual([
      ['new', 'person', null],
      ['erased', 'person', null],
    ]);
    expect(logOf(changed)).toEqual([
      ['new', 'person', null],
      ['needs_info', 'provider', CANARY],
    ]);
    expect(logOf(due).at(-1)).toEqual(['erased', 'system', null]);
    expect(rows.find(({ token }) => token === changed)).toMatchObject({ contact_name: CANARY });
  });

  it('is part of the cleanup, which also deletes old idempotency keys', async () => {
    expect((await fixture.rows('idempotency')).length).toBeGreaterThan(0);
    fixture.advanceHours(24 * 3_650);
    await sweep(fixture.context);
    expect(await fixture.rows('idempotency')).toEqual([]);
    expect((await fixture.rows('leads')).every(({ status }) => status === 'erased')).toBe(true);
  });
});

it('an open or confirmed request with days is kept for its retention after the last of them', async () => {
  const fixture = await openFixture(site);
  const holdAction = listActions(site).find(({ action }) => action.effect?.kind === 'hold')!;
  const { retentionDays, effect } = holdAction.action;
  const { fromField, toField } = effect as Extract<Effect, { kind: 'hold' }>;
  const { timeZone } = site.registry.network;
  const first = addDays(toDateInTimeZone(timeZone, fixture.context.now()), 100);
  const submitWithDays = async (from: string) => {
    const to = addDays(from, 2);
    const lead = await submitLead(
      fixture.context,
      holdAction,
      {},
      { [fromField]: from, [toField]: to },
    );
    return { lead, postponed: addDaysToTime(endOfDay(timeZone, to), retentionDays) };
  };
  const open = await submitWithDays(first);
  const confirmed = await submitWithDays(addDays(first, 10));
  const { lead: declined } = await submitWithDays(addDays(first, 20));
  await changeLead(
    { receiptToken: confirmed.lead, to: 'confirmed', actor: 'provider' },
    fixture.context,
  );
  await changeLead({ receiptToken: declined, to: 'declined', actor: 'provider' }, fixture.context);
  const rows = new Map((await fixture.rows('leads')).map((row) => [row['token'], row]));
  for (const { lead, postponed } of [open, confirmed])
    expect(rows.get(lead)!['erase_at']).toBe(postponed);
  const { updated_at: updatedAt, erase_at: eraseAt } = rows.get(declined)!;
  expect(eraseAt).toBe(addDaysToTime(new Date(updatedAt), retentionDays));
});

it('a request is not kept longer for a day that is centuries away', async () => {
  const fixture = await openFixture(site);
  const verb = listActions(site).find(
    ({ action }) =>
      action.effect?.kind !== 'hold' && listFutureDateFields(action.fields).length > 0,
  )!;
  const names = listFutureDateFields(verb.action.fields);
  const days = Object.fromEntries(names.map((name) => [name, '9999-12-31']));
  const lead = await submitLead(fixture.context, verb, undefined, days);
  const row = (await fixture.rows('leads')).find(({ token }) => token === lead)!;
  expect(row['erase_at']).toBe(
    addDaysToTime(new Date(row['created_at']), verb.action.retentionDays),
  );
});
