import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import {
  computeAnswerFigures,
  countLeads,
  selectPublishedFigures,
} from '../../src/leads/lists/lead-statistics.ts';
import { startMetrics } from '../../src/server/metrics.ts';
import { responsiveness } from '../../src/registry/schemas/responsiveness.ts';
import { toDateInTimeZone } from '../../src/site/calendar/days.ts';
import { MIN_LEADS_FOR_FIGURE } from '../../src/site/calendar/responsiveness.ts';
import { capture, submitLead } from '../deliveries/setup/drain.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const [busySubsite, quietSubsite] = site.registry.subsites as unknown as [
  (typeof site.registry.subsites)[number],
  (typeof site.registry.subsites)[number],
];

it('metrics are those that OPERATING lists, and count overdue leads', async () => {
  const fixture = await openFixture(site);
  await capture(fixture.context, busySubsite.leadSource);
  const metrics = await startMetrics(0, fixture.context);
  const readMetrics = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text();
  metrics.onResponse({ method: 'GET', route: 'document', status: 200, ms: 1 });
  metrics.onAttempt({ channel: 'mail', outcome: 'sent' } as Parameters<
    typeof metrics.onAttempt
  >[0]);
  expect(await readMetrics()).toMatch(/^frontage_leads_overdue 0$/m);
  fixture.advanceHours(24 * 10);
  const text = await readMetrics();
  expect(text).toMatch(/^frontage_leads_overdue 1$/m);
  expect(text).toMatch(/^frontage_disk_low 0$/m);
  expect(text).toMatch(/^frontage_writes_failing 0$/m);
  const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  const listedMetrics = [
    ...readFileSync('.github/OPERATING.md', 'utf8').matchAll(/^\| `((?:frontage|http)_\w+)` \|/gm),
  ].map(([, name]) => name);
  expect(names.sort()).toEqual(listedMetrics.sort());
  await metrics.stop();
});

describe('answer statistics', async () => {
  const fixture = await openFixture(site);
  const tokens: string[] = [];
  for (let index = 0; index < MIN_LEADS_FOR_FIGURE; index++)
    tokens.push(await capture(fixture.context, busySubsite.leadSource, `p${index}@example.com`));
  await capture(fixture.context, quietSubsite.leadSource);
  await capture(fixture.context, busySubsite.leadSource, 'spam@mailinator.com');
  // Answered after 1, 2, 3 … 9 minutes. A later state change does not count as a first answer.
  for (const [index, token] of tokens.slice(0, 9).entries()) {
    fixture.advanceHours(1 / 60);
    await changeLead(
      {
        receiptToken: token,
        to: 'acknowledged',
        actor: index % 2 ? 'operator' : 'provider',
        note: 'On Monday.',
      },
      fixture.context,
    );
  }
  // An acknowledgment without a message is not an answer.
  await changeLead(
    { receiptToken: tokens[10]!, to: 'acknowledged', actor: 'provider' },
    fixture.context,
  );
  // Every deadline has passed.
  fixture.advanceHours(24 * 10);
  await changeLead(
    { receiptToken: tokens[0]!, to: 'quoted', actor: 'provider', note: '45' },
    fixture.context,
  );
  await changeLead({ receiptToken: tokens[9]!, to: 'withdrawn', actor: 'person' }, fixture.context);
  await eraseLead(tokens[1]!, 'person', fixture.context);

  it('count each lead once, by its first answer, and exclude suspected spam', async () => {
    const { all, bySubsite } = await computeAnswerFigures({}, fixture.context);
    expect(bySubsite[busySubsite.name]).toMatchObject({ of: MIN_LEADS_FOR_FIGURE, answered: 9 });
    expect(bySubsite[busySubsite.name]!.medianMinutes).toBeGreaterThanOrEqual(5);
    expect(bySubsite[busySubsite.name]!.medianMinutes).toBeLessThan(5.5);
    expect(bySubsite[quietSubsite.name]).toMatchObject({ of: 1, answered: 0, medianMinutes: null });
    expect(all).toMatchObject({ of: MIN_LEADS_FOR_FIGURE + 1, answered: 9 });
  });

  it('are published only for enough leads, in the format that the registry reads', async () => {
    const { bySubsite } = await computeAnswerFigures({}, fixture.context);
    const publishedFigures = selectPublishedFigures(bySubsite);
    expect(Object.keys(publishedFigures)).toEqual([busySubsite.name]);
    expect(responsiveness.parse(publishedFigures)).toEqual(publishedFigures);
    expect(
      selectPublishedFigures({
        [busySubsite.name]: { ...bySubsite[busySubsite.name]!, of: MIN_LEADS_FOR_FIGURE - 1 },
      }),
    ).toEqual({});
  });

  it('are published even if no lead was answered, without a median', async () => {
    const { bySubsite } = await computeAnswerFigures({}, fixture.context);
    const unansweredFigures = { ...bySubsite[quietSubsite.name]!, of: MIN_LEADS_FOR_FIGURE };
    const publishedFigures = selectPublishedFigures({ [quietSubsite.name]: unansweredFigures });
    expect(publishedFigures).toEqual({
      [quietSubsite.name]: {
        answered: 0,
        of: MIN_LEADS_FOR_FIGURE,
        medianMinutes: null,
        since: unansweredFigures.since,
      },
    });
    expect(responsiveness.parse(publishedFigures)).toEqual(publishedFigures);
    for (const wrongFigures of [{ medianMinutes: 5 }, { answered: 3 }])
      expect(
        responsiveness.safeParse({
          [quietSubsite.name]: { ...publishedFigures[quietSubsite.name]!, ...wrongFigures },
        }).success,
      ).toBe(false);
  });

  it('start at the requested time', async () => {
    const since = new Date(fixture.context.now().getTime() + 1_000).toISOString();
    expect((await computeAnswerFigures({ since }, fixture.context)).all).toEqual({
      of: 0,
      answered: 0,
      medianMinutes: null,
      since: null,
    });
  });

  it('are listed with the number of leads by subsite and state, which includes every lead', async () => {
    const counts = await countLeads(fixture.context);
    const [{ total }] = (await fixture.database.writer.all(
      sql`select count(*) as total from leads`,
    )) as [{ total: number }];
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    expect(counts).toContainEqual({ subsite: busySubsite.name, status: 'acknowledged', count: 8 });
  });
});

it('answer statistics begin on the day of the first lead in the network’s time zone', async () => {
  const fixture = await openFixture(site);
  fixture.advanceHours(8);
  const { timeZone } = site.registry.network;
  const now = fixture.context.now();
  const day = toDateInTimeZone(timeZone, now);
  expect(day).not.toBe(now.toISOString().slice(0, 10));
  await capture(fixture.context, busySubsite.leadSource);
  fixture.advanceHours(24 * 10);
  const { all, bySubsite } = await computeAnswerFigures({}, fixture.context);
  expect([all.since, bySubsite[busySubsite.name]!.since]).toEqual([day, day]);
});

it('answer statistics leave out subscriptions, which nobody has to answer', async () => {
  const fixture = await openFixture(site);
  const verb = listActions(site).find(({ action }) => action.purpose === 'subscription')!;
  const lead = await submitLead(fixture.context, verb);
  expect((await computeAnswerFigures({}, fixture.context)).all.of).toBe(0);
  await sendAsProvider(
    { receiptToken: lead, action: 'reply', actor: 'provider' },
    { text: 'Welcome.' },
    fixture.context,
  );
  expect(await computeAnswerFigures({}, fixture.context)).toEqual({
    all: { of: 0, answered: 0, medianMinutes: null, since: null },
    bySubsite: {},
  });
});

it('answer statistics leave out requests that ended or wait before their deadline, but not those that ended after it', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const readFigures = async () => {
    const { all, bySubsite } = await computeAnswerFigures({}, context);
    expect(all).toEqual(bySubsite[busySubsite.name] ?? { ...all, of: 0, answered: 0 });
    return { of: all.of, answered: all.answered };
  };
  const submit = () => capture(context, busySubsite.leadSource);
  const withdraw = (receiptToken: string) =>
    changeLead({ receiptToken, to: 'withdrawn', actor: 'person' }, context);
  const withdrawnEarly = await submit();
  const erasedEarly = await submit();
  const erasedLater = await submit();
  const acknowledged = await submit();
  const answered = await submit();
  await submit();
  await withdraw(withdrawnEarly);
  await withdraw(erasedLater);
  await eraseLead(erasedEarly, 'person', context);
  await changeLead({ receiptToken: acknowledged, to: 'acknowledged', actor: 'provider' }, context);
  expect(await readFigures()).toEqual({ of: 0, answered: 0 });
  await changeLead({ receiptToken: answered, to: 'confirmed', actor: 'provider' }, context);
  expect(await readFigures()).toEqual({ of: 1, answered: 1 });
  fixture.advanceHours(24 * 10);
  expect(await readFigures()).toEqual({ of: 3, answered: 1 });
  await withdraw(acknowledged);
  await eraseLead(erasedLater, 'person', context);
  await eraseLead(withdrawnEarly, 'system', context);
  expect(await readFigures()).toEqual({ of: 3, answered: 1 });
  await eraseLead(acknowledged, 'person', context);
  expect(await readFigures()).toEqual({ of: 3, answered: 1 });
});

it('answer statistics count a message to a new request as an answer', async () => {
  const fixture = await openFixture(site);
  const lead = await capture(fixture.context, busySubsite.leadSource);
  fixture.advanceHours(0.5);
  await sendAsProvider(
    { receiptToken: lead, action: 'reply', actor: 'provider' },
    { text: 'Yes, on Monday.' },
    fixture.context,
  );
  fixture.advanceHours(10);
  await changeLead({ receiptToken: lead, to: 'confirmed', actor: 'provider' }, fixture.context);
  const { all } = await computeAnswerFigures({}, fixture.context);
  expect(all).toMatchObject({ of: 1, answered: 1, medianMinutes: 30 });
});
