import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import { findLeads, listLeadsByReference } from '../../src/leads/lists/find-leads.ts';
import {
  countDueLeads,
  listAnsweredEmergencies,
  listHeldLeads,
  listLeadsToCall,
  listNewCancellations,
  listUrgentLeads,
} from '../../src/leads/lists/next-leads.ts';
import {
  type LeadSummary,
  readLeadsInBatches,
  listLeads,
} from '../../src/leads/lists/list-leads.ts';
import { searchLeads } from '../../src/leads/lists/search-leads.ts';
import type { LeadFilter } from '../../src/leads/lists/select-leads.ts';
import type { LeadAccess } from '../../src/keys/key-scopes.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { readOutboxState } from '../../src/leads/deliveries/outbox-state.ts';
import { type InboxCursor, readInbox } from '../../src/leads/lists/read-inbox.ts';
import { capture } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { captureStatements, explainStatements } from '../setup/query-plans.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const [firstSubsite, secondSubsite, emptySubsite] = site.registry.subsites as unknown as [
  (typeof site.registry.subsites)[number],
  (typeof site.registry.subsites)[number],
  (typeof site.registry.subsites)[number],
];

describe('a search for part of a contact', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const token = await capture(context, secondSubsite.leadSource, 'jose.garcia@example.com');
  await capture(context, firstSubsite.leadSource, 'pat@example.com');
  await fixture.database.writer.run(
    sql`update leads set contact_name = 'José GARCÍA [Gulf*]', contact_phone = '+17275550142' where token = ${token}`,
  );
  const find = async (part: string, access: LeadAccess = 'all') =>
    (await searchLeads(part, 50, access, context)).map(({ email }) => email);

  it.each(['Garcia', 'garcía', 'jose  ga', 'Í', '[gulf*]', 'garcia@ex', '555-0142', '(727) 555'])(
    'finds %s, regardless of case and accents, in the name, address or number',
    async (part) => {
      expect(await find(part)).toEqual(part === 'Í' ? [] : ['jose.garcia@example.com']);
    },
  );

  it('finds a name with any apostrophe, and a number from abroad as it is dialed there', async () => {
    const rename = (name: string) =>
      fixture.database.writer.run(
        sql`update leads set contact_name = ${name}, contact_phone = '+442079460958' where contact_email = 'pat@example.com'`,
      );
    for (const name of ["Renée O'Donnell", 'Pat O’Donnell', "Pat O'Donnell", 'Pat O`Donnell']) {
      await rename(name);
      for (const part of ["O'Donnell", 'o’donnell', '‘donn', '020 7946 0958', '0958'])
        expect(await find(part), `${part} in ${name}`).toEqual(['pat@example.com']);
    }
  });

  it('finds names by their words in any order', async () => {
    for (const part of ['García José', 'garcia, jose', 'garc jo'])
      expect(await find(part), part).toEqual(['jose.garcia@example.com']);
    expect(await find('garcia pat')).toEqual([]);
  });

  it('finds a lead by each group of its reference and by successive groups', async () => {
    const [{ reference }] = (await searchLeads('garcia', 1, 'all', context)) as [LeadSummary];
    const groups = reference.match(/.{4}/g)!;
    for (const part of [
      ...groups.slice(1),
      ...groups.slice(1).map((group) => group.toLowerCase()),
      groups.slice(0, 2).join('-'),
      groups.slice(1, 3).join(' – '),
      groups.slice(1).join(''),
    ]) {
      const foundLeads = await searchLeads(part, 50, [secondSubsite.name], context);
      expect(
        foundLeads.map((lead) => lead.reference),
        part,
      ).toEqual([reference]);
      expect(await searchLeads(part, 50, [emptySubsite.name], context), part).toEqual([]);
    }
    // Leads from the same hours share the first group, which encodes part of the time.
    expect(await find(groups[0]!)).toEqual(['pat@example.com', 'jose.garcia@example.com']);
    for (const part of [reference.slice(2, 6), reference.slice(9), `${groups[3]}${groups[1]}`])
      expect(await find(part), part).toEqual([]);
  });

  it('finds a group in an index of the references, without reading the events', async () => {
    const [statement] = (
      await captureStatements(() => searchLeads('QU4U', 50, 'all', context))
    ).filter((sent) => sent.includes('materialized'));
    const outboxSteps = explainStatements([statement!])[0]!.filter((step) =>
      step.includes('outbox'),
    );
    expect(outboxSteps.slice(0, 2)).toEqual([
      'SCAN outbox USING COVERING INDEX sqlite_autoindex_outbox_1',
      'SEARCH outbox USING INDEX sqlite_autoindex_outbox_1 (id=?)',
    ]);
    expect(outboxSteps.slice(2).filter((step) => step.startsWith('SCAN'))).toEqual([]);
  });

  it('finds nothing for a part that is too short, for other text, or for a lead of another subsite', async () => {
    for (const part of ['', 'g', '142', 'Garciaz', '[a-z]arcia', '%', 'ja '.repeat(3_000)])
      expect(await find(part), part).toEqual([]);
    expect(await find('garcia', [firstSubsite.name])).toEqual([]);
    expect(await find('garcia', [secondSubsite.name])).toHaveLength(1);
    expect(await find('example.com')).toEqual(['pat@example.com', 'jose.garcia@example.com']);
  });
});

describe('the pages of the inbox', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  for (let index = 0; index < 130; index++) {
    const token = await capture(
      context,
      (index % 3 ? firstSubsite : secondSubsite).leadSource,
      `p${index}@x.com`,
    );
    // Leads with identical times occur within a page and across two pages.
    if (index % 7 === 0) fixture.advanceHours(0.1);
    if (index % 5 === 0)
      await changeLead({ receiptToken: token, to: 'acknowledged', actor: 'provider' }, context);
  }
  await fixture.database.writer.run(sql`update outbox set due_at = null where rowid % 4 = 0`);
  const allLeads = await fixture.rows('leads');
  const events = await fixture.rows('outbox');
  const leadsNewestFirst = allLeads
    .toSorted((a, b) => (a['token'] < b['token'] ? 1 : -1))
    .map((lead) => ({
      reference: events.find(
        (event) => event['lead'] === lead['token'] && event['kind'] === 'lead.created',
      )!['id'],
      ...lead,
    })) as Record<string, string>[];
  const isUndelivered = (token: string) =>
    events.some((event) => event['lead'] === token && event['due_at'] !== null);

  const middleTime = leadsNewestFirst[60]!['created_at']!;
  const cases: [string, LeadFilter, (lead: Record<string, string>) => boolean][] = [
    ['all', {}, () => true],
    ['of a state', { statuses: ['acknowledged'] }, (lead) => lead['status'] === 'acknowledged'],
    ['of several states', { statuses: ['new', 'acknowledged'] }, () => true],
    [
      'of a subsite',
      { subsites: [firstSubsite.name] },
      (lead) => lead['subsite'] === firstSubsite.name,
    ],
    [
      'of a subsite and a state',
      { subsites: [firstSubsite.name], statuses: ['new'] },
      (lead) => lead['subsite'] === firstSubsite.name && lead['status'] === 'new',
    ],
    ['of several subsites', { subsites: [firstSubsite.name, secondSubsite.name] }, () => true],
    [
      'undelivered of several subsites',
      { subsites: [firstSubsite.name, emptySubsite.name], undelivered: true },
      (lead) => lead['subsite'] === firstSubsite.name && isUndelivered(lead['token']!),
    ],
    ['of an action', { action: 'no_such_action' }, () => false],
    ['of a period', { since: middleTime }, (lead) => lead['created_at']! >= middleTime],
    ['before a time', { before: middleTime }, (lead) => lead['created_at']! < middleTime],
    ['undelivered', { undelivered: true }, (lead) => isUndelivered(lead['token']!)],
    [
      'undelivered of a state',
      { undelivered: true, statuses: ['new'] },
      (lead) => isUndelivered(lead['token']!) && lead['status'] === 'new',
    ],
  ];
  it('start with the unanswered leads that are due first', async () => {
    const due = leadsNewestFirst
      .filter((lead) => lead['status'] === 'new')
      .map((lead) => lead['respond_by']!)
      .sort()
      .slice(0, 10);
    expect((await listUrgentLeads('all', context)).map(({ dueAt }) => dueAt)).toEqual(due);
    const firstSubsiteLeads = await listUrgentLeads([firstSubsite.name], context);
    expect(firstSubsiteLeads).toHaveLength(10);
    expect(firstSubsiteLeads.map(({ respondBy }) => respondBy)).toEqual(
      leadsNewestFirst
        .filter((lead) => lead['status'] === 'new' && lead['subsite'] === firstSubsite.name)
        .map((lead) => lead['respond_by']!)
        .sort()
        .slice(0, 10),
    );
    expect(new Set(firstSubsiteLeads.map(({ subsite }) => subsite))).toEqual(
      new Set([firstSubsite.name]),
    );
  });

  it('read only the leads that are due first for a provider', async () => {
    for (const access of [[firstSubsite.name], [secondSubsite.name, firstSubsite.name]]) {
      const statements = await captureStatements(() => listUrgentLeads(access, context));
      expect(statements).toHaveLength(2);
      const [emergencies, plan] = explainStatements(statements);
      expect(emergencies!.find((step) => step.includes(' leads '))).toBe(
        'SEARCH leads USING INDEX leads_emergency (due_at>?)',
      );
      const leadSteps = plan!.filter((step) => step.includes(' leads '));
      expect(leadSteps.slice(0, -1)).toEqual(
        access.map(() => 'SEARCH leads USING INDEX leads_due_subsite (subsite=? AND due_at>?)'),
      );
      expect(leadSteps.at(-1)).toMatch(/^SEARCH leads USING INDEX \w+ \(token=\?\)$/);
      expect(plan!.filter((step) => step.includes('TEMP B-TREE'))).toHaveLength(1);
    }
  });

  it.each([
    ['answered emergencies', listAnsweredEmergencies, 'leads_emergency (due_at=?)'],
    ['calls', listLeadsToCall, 'leads_call (call_due_at>?)'],
    ['cancellations', listNewCancellations, 'leads_withdrawn (updated_at>?)'],
    ['holds', listHeldLeads, 'holds_expires (expires_at>?)'],
  ] as const)('read only %s from their index', async (_name, list, index) => {
    for (const access of ['all', [firstSubsite.name]] as const) {
      const statements = await captureStatements(() => list(access, context));
      expect(explainStatements(statements).flat().join()).toContain(`INDEX ${index}`);
    }
  });

  it('count the leads that are due, up to a limit', async () => {
    expect(await countDueLeads('all', 15, context)).toBe(15);
    expect(await countDueLeads([firstSubsite.name], 1_000, context)).toBe(
      leadsNewestFirst.filter(
        (lead) => lead['due_at'] !== null && lead['subsite'] === firstSubsite.name,
      ).length,
    );
  });

  it('have the same order as an export, which starts each batch where the previous batch ended', async () => {
    const before = context.now().toISOString();
    for (const filter of [
      { before },
      { before, subsites: [firstSubsite.name] },
      { before, statuses: ['new' as const] },
    ]) {
      const lastStatement = (
        await captureStatements(() => Array.fromAsync(readLeadsInBatches(filter, context, 20)))
      ).at(-1)!;
      expect(lastStatement).toContain('"leads"."token") <');
      const [read] = explainStatements([lastStatement])[0]!.filter((step) =>
        step.includes('SEARCH leads'),
      );
      expect(read).toMatch(/\(created_at,token\)<\(\?,\?\)/);
    }
  });

  it('find the leads of one person', async () => {
    const [{ reference, contact_email: email }] = leadsNewestFirst as [Record<string, string>];
    const found = await findLeads(email!.toUpperCase(), 'all', context);
    expect(found.map((lead) => lead.reference)).toEqual([reference]);
    expect(await listLeadsByReference([reference!], 'all', context)).toEqual(found);
  });

  it.each(['all', [secondSubsite.name], [firstSubsite.name], []] as const)(
    'show and find only leads that the reader may access: %s',
    async (access: LeadAccess) => {
      // Leads from the same millisecond have no fixed order, so either may be the newest.
      const newest = leadsNewestFirst.find(({ subsite }) => subsite === secondSubsite.name)!;
      const { reference, token, contact_email: email } = newest;
      const expected = access === 'all' || access.includes(secondSubsite.name) ? [reference] : [];
      for (const query of [reference!, token!, email!])
        expect((await findLeads(query, access, context)).map((lead) => lead.reference)).toEqual(
          expected,
        );
      expect(await listLeadsByReference([reference!], access, context)).toHaveLength(
        expected.length,
      );
      const leadPromise = readLead(reference!, access, context);
      if (expected.length) expect(await leadPromise).toMatchObject({ reference });
      else await expect(leadPromise).rejects.toMatchObject({ code: 'unknown_receipt' });
      const cursor = { olderThan: reference };
      const subsites = access === 'all' ? undefined : [...access];
      if (subsites?.length !== 0)
        expect((await readInbox({ subsites }, cursor, context)).newer !== undefined).toBe(
          expected.length > 0,
        );
    },
  );

  it.each(cases)('show each lead once in both directions: %s', async (_, filter, matches) => {
    const expected = leadsNewestFirst.filter(matches).map(({ reference }) => reference);
    const seenPages: string[][] = [];
    let cursor: InboxCursor | undefined = {};
    let newerCursor: InboxCursor | undefined;
    while (cursor) {
      const page: Awaited<ReturnType<typeof readInbox>> = await readInbox(filter, cursor, context);
      seenPages.push(page.leads.map(({ reference }) => reference));
      [cursor, newerCursor] = [page.older, page.newer];
    }
    expect(seenPages.flat()).toEqual(expected);
    const returnedPages: string[][] = [];
    while (newerCursor) {
      const page: Awaited<ReturnType<typeof readInbox>> = await readInbox(
        filter,
        newerCursor,
        context,
      );
      returnedPages.unshift(page.leads.map(({ reference }) => reference));
      newerCursor = page.newer;
    }
    expect(returnedPages.flat()).toEqual(expected.slice(0, returnedPages.flat().length));
    if (seenPages.length > 1)
      expect(returnedPages.flat().length).toBe(seenPages.slice(0, -1).flat().length);

    const exported: string[] = [];
    for await (const batch of readLeadsInBatches(filter, context, 7))
      exported.push(...batch.map(({ reference }) => reference));
    expect(exported).toEqual(expected);
  });

  it('start with the newest leads for an unknown cursor', async () => {
    const page = await readInbox({}, { olderThan: 'unknown' }, context);
    expect(page.leads[0]!.reference).toBe(leadsNewestFirst[0]!['reference']);
    expect(page.newer).toBeUndefined();
  });

  it('count undelivered leads up to the requested limit', async () => {
    const waiting = events.filter((event) => event['due_at'] !== null).length;
    expect((await readOutboxState(context)).undelivered).toBe(waiting);
    expect((await readOutboxState(context, 3)).undelivered).toBe(3);
    expect(await listLeads({}, { limit: 3 }, context)).toHaveLength(3);
  });
});
