import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import { findLeads, listOfSamePerson, listUrgent } from '../../src/leads/lists/find-leads.ts';
import { leadsInBatches, listLeads } from '../../src/leads/lists/list-leads.ts';
import type { LeadFilter } from '../../src/leads/lists/select-leads.ts';
import type { LeadReach } from '../../src/keys/key-scopes.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { readOutboxState } from '../../src/leads/deliveries/outbox-state.ts';
import { type InboxPlace, readInbox } from '../../src/leads/lists/read-inbox.ts';
import { capture } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { statementsOf, plansOf } from '../setup/query-plans.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const [one, other, unasked] = site.registry.subsites as unknown as [
  (typeof site.registry.subsites)[number],
  (typeof site.registry.subsites)[number],
  (typeof site.registry.subsites)[number],
];

describe('the inbox, page by page', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  for (let index = 0; index < 130; index++) {
    const token = await capture(context, (index % 3 ? one : other).leadSource, `p${index}@x.com`);
    // Leads with equal times occur within a page and across the border of two pages.
    if (index % 7 === 0) fixture.later(0.1);
    if (index % 5 === 0)
      await changeLead({ lead: token, to: 'acknowledged', actor: 'provider' }, context);
  }
  await fixture.database.writer.run(sql`update outbox set due_at = null where rowid % 4 = 0`);
  const all = await fixture.rows('leads');
  const events = await fixture.rows('outbox');
  const newestFirst = all
    .toSorted((a, b) => (a['token'] < b['token'] ? 1 : -1))
    .map((lead) => ({
      reference: events.find((e) => e['lead'] === lead['token'] && e['kind'] === 'lead.created')![
        'id'
      ],
      ...lead,
    })) as Record<string, string>[];
  const waits = (token: string) => events.some((e) => e['lead'] === token && e['due_at'] !== null);

  const half = newestFirst[60]!['created_at']!;
  const cases: [string, LeadFilter, (lead: Record<string, string>) => boolean][] = [
    ['all', {}, () => true],
    ['of a state', { statuses: ['acknowledged'] }, (l) => l['status'] === 'acknowledged'],
    ['of several states', { statuses: ['new', 'acknowledged'] }, () => true],
    ['of a subsite', { subsites: [one.name] }, (l) => l['subsite'] === one.name],
    [
      'of a subsite and a state',
      { subsites: [one.name], statuses: ['new'] },
      (l) => l['subsite'] === one.name && l['status'] === 'new',
    ],
    ['of several subsites', { subsites: [one.name, other.name] }, () => true],
    [
      'undelivered of several subsites',
      { subsites: [one.name, unasked.name], undelivered: true },
      (l) => l['subsite'] === one.name && waits(l['token']!),
    ],
    ['of an action', { action: 'none_has_it' }, () => false],
    ['of a time', { since: half }, (l) => l['created_at']! >= half],
    ['before a time', { before: half }, (l) => l['created_at']! < half],
    ['undelivered', { undelivered: true }, (l) => waits(l['token']!)],
    [
      'undelivered of a state',
      { undelivered: true, statuses: ['new'] },
      (l) => waits(l['token']!) && l['status'] === 'new',
    ],
  ];
  it('starts with the unanswered leads that are due first', async () => {
    const due = newestFirst
      .filter((lead) => lead['status'] === 'new')
      .map((lead) => lead['respond_by']!)
      .sort()
      .slice(0, 10);
    expect((await listUrgent('all', context)).map(({ dueAt }) => dueAt)).toEqual(due);
    const ours = await listUrgent([one.name], context);
    expect(ours).toHaveLength(10);
    expect(ours.map(({ respondBy }) => respondBy)).toEqual(
      newestFirst
        .filter((lead) => lead['status'] === 'new' && lead['subsite'] === one.name)
        .map((lead) => lead['respond_by']!)
        .sort()
        .slice(0, 10),
    );
    expect(new Set(ours.map(({ subsite }) => subsite))).toEqual(new Set([one.name]));
  });

  it('reads only the leads that are due first for a provider', async () => {
    for (const reach of [[one.name], [other.name, one.name]]) {
      const statements = await statementsOf(() => listUrgent(reach, context));
      expect(statements).toHaveLength(1);
      const [plan] = plansOf(statements);
      const reads = plan!.filter((step) => step.includes(' leads '));
      expect(reads.slice(0, -1)).toEqual(
        reach.map(() => 'SEARCH leads USING INDEX leads_due_subsite (subsite=? AND due_at>?)'),
      );
      expect(reads.at(-1)).toMatch(/^SEARCH leads USING INDEX \w+ \(token=\?\)$/);
      expect(plan!.filter((step) => step.includes('TEMP B-TREE'))).toHaveLength(1);
    }
  });

  it('begins each piece of an export where the last one ended, whatever its filter', async () => {
    const before = context.now().toISOString();
    for (const filter of [
      { before },
      { before, subsites: [one.name] },
      { before, statuses: ['new' as const] },
    ]) {
      const last = (
        await statementsOf(() => Array.fromAsync(leadsInBatches(filter, context, 20)))
      ).at(-1)!;
      expect(last).toContain('"leads"."token") <');
      const [read] = plansOf([last])[0]!.filter((step) => step.includes('SEARCH leads'));
      expect(read).toMatch(/\(created_at,token\)<\(\?,\?\)/);
    }
  });

  it('finds the leads of one person', async () => {
    const [{ reference, contact_email: email }] = newestFirst as [Record<string, string>];
    const found = await findLeads(email!.toUpperCase(), 'all', context);
    expect(found.map((lead) => lead.reference)).toEqual([reference]);
    expect(await listOfSamePerson(reference!, 'all', context)).toEqual(found);
  });

  it.each(['all', [other.name], [one.name], []] as const)(
    'shows and finds only leads that the reader may access: %s',
    async (reach: LeadReach) => {
      // Leads of the same millisecond have no fixed order, so either may be the newest.
      const newest = newestFirst.find(({ subsite }) => subsite === other.name)!;
      const { reference, token, contact_email: email } = newest;
      const expected = reach === 'all' || reach.includes(other.name) ? [reference] : [];
      for (const wanted of [reference!, token!, email!])
        expect((await findLeads(wanted, reach, context)).map((lead) => lead.reference)).toEqual(
          expected,
        );
      expect(await listOfSamePerson(reference!, reach, context)).toHaveLength(expected.length);
      const read = readLead(reference!, reach, context);
      if (expected.length) expect(await read).toMatchObject({ reference });
      else await expect(read).rejects.toMatchObject({ code: 'unknown_receipt' });
      const place = { olderThan: reference };
      const subsites = reach === 'all' ? undefined : [...reach];
      if (subsites?.length !== 0)
        expect((await readInbox({ subsites }, place, context)).newer !== undefined).toBe(
          expected.length > 0,
        );
    },
  );

  it.each(cases)('shows each lead once in both directions: %s', async (_, filter, holds) => {
    const expected = newestFirst.filter(holds).map(({ reference }) => reference);
    const seen: string[][] = [];
    let place: InboxPlace | undefined = {};
    let back: InboxPlace | undefined;
    while (place) {
      const page: Awaited<ReturnType<typeof readInbox>> = await readInbox(filter, place, context);
      seen.push(page.leads.map(({ reference }) => reference));
      [place, back] = [page.older, page.newer];
    }
    expect(seen.flat()).toEqual(expected);
    const returned: string[][] = [];
    while (back) {
      const page: Awaited<ReturnType<typeof readInbox>> = await readInbox(filter, back, context);
      returned.unshift(page.leads.map(({ reference }) => reference));
      back = page.newer;
    }
    expect(returned.flat()).toEqual(expected.slice(0, returned.flat().length));
    if (seen.length > 1) expect(returned.flat().length).toBe(seen.slice(0, -1).flat().length);

    const exported: string[] = [];
    for await (const piece of leadsInBatches(filter, context, 7))
      exported.push(...piece.map(({ reference }) => reference));
    expect(exported).toEqual(expected);
  });

  it('shows the newest page for an unknown cursor', async () => {
    const page = await readInbox({}, { olderThan: 'unknown' }, context);
    expect(page.leads[0]!.reference).toBe(newestFirst[0]!['reference']);
    expect(page.newer).toBeUndefined();
  });

  it('counts undelivered leads up to the requested limit', async () => {
    const waiting = events.filter((e) => e['due_at'] !== null).length;
    expect((await readOutboxState(context)).undelivered).toBe(waiting);
    expect((await readOutboxState(context, 3)).undelivered).toBe(3);
    expect(await listLeads({}, { limit: 3 }, context)).toHaveLength(3);
  });
});
