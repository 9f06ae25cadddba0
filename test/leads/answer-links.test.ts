import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../db/index.ts';
import { answerLead, readAnswer } from '../../src/leads/answer-lead.ts';
import { type Answer, answerNames, answers, LINK_DAYS } from '../../src/leads/answer-link.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renewLinkSecret } from '../../src/leads/link-secret.ts';
import type { Context } from '../../src/operation/context.ts';
import { eraseLead } from '../../src/leads/erase-lead.ts';
import { capture } from '../deliveries/setup/rounds.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { openWorld, sites, type World } from '../operations/setup/world.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const source = site.registry.subsites[0]!.leadSource;

/** The links that a message about the lead has at this moment, without the address in front. */
async function messageLinks(reference: string, context: Context): Promise<Record<Answer, string>> {
  const { links } = (await readLeadEvent(reference, context))!;
  return Object.fromEntries(
    Object.entries(links).map(([name, url]) => [name, url.slice(`${site.base}/answer/`.length)]),
  ) as Record<Answer, string>;
}

/** A new lead and the links of its first message. */
async function linksOf(world: World, email = 'dana@example.com') {
  const lead = await capture(world.context, source, email);
  const event = (await world.rows('outbox')).find(
    (row) => row['lead'] === lead && row['kind'] === 'lead.created',
  )!;
  const reference = String(event['id']);
  return { lead, reference, links: await messageLinks(reference, world.context) };
}

const everything = async (world: World) =>
  JSON.stringify(
    await Promise.all(
      (['leads', 'lead_history', 'outbox', 'holds', 'storefronts', 'idempotency'] as const).map(
        (table) => world.rows(table),
      ),
    ),
  );

describe('a link of a message', async () => {
  const world = await openWorld(site);

  it.each(answerNames)(
    'that says %s changes nothing when it is opened a hundred times, and acts when it is posted once',
    async (name) => {
      const { lead, links } = await linksOf(world);
      const before = await everything(world);
      for (let time = 0; time < 100; time++)
        expect(await readAnswer(links[name], world.context)).toMatchObject({
          answer: name,
          link: 'open',
          status: 'new',
        });
      expect(await everything(world)).toBe(before);
      expect(await answerLead(links[name], { note: 'Here is why.' }, world.context)).toEqual({
        status: answers[name].to,
      });
      const history = (await world.rows('lead_history')).filter((row) => row['lead'] === lead);
      expect(history.map(({ status, note, actor }) => [status, note, actor])).toEqual([
        ['new', null, 'person'],
        [answers[name].to, 'Here is why.', 'provider'],
      ]);
    },
  );

  it.each(answerNames)(
    'that says %s works once, also after the lead came back to where it was',
    async (name) => {
      const { lead, reference, links } = await linksOf(world);
      await answerLead(links[name], { note: 'x' }, world.context);
      for (const _ of [1, 2])
        expect(
          (await problemOf(() => answerLead(links[name], { note: 'x' }, world.context))).code,
        ).toBe('gone');
      expect(await readAnswer(links[name], world.context)).toMatchObject({
        link: 'used',
        status: answers[name].to,
        changed: { by: 'provider' },
      });
      if (name === 'acknowledge') {
        const { ask } = await messageLinks(reference, world.context);
        await answerLead(ask, { note: 'When?' }, world.context);
        expect(
          (await problemOf(() => answerLead(links.acknowledge, { note: 'x' }, world.context))).code,
        ).toBe('gone');
      }
      expect((await world.rows('lead_history')).filter((row) => row['lead'] === lead).length).toBe(
        name === 'acknowledge' ? 3 : 2,
      );
    },
  );

  it('is used once when it is posted twenty times at once', async () => {
    const { lead, links } = await linksOf(world);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => answerLead(links.confirm, {}, world.context)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect((await world.rows('lead_history')).filter((row) => row['lead'] === lead).length).toBe(2);
  });

  it('says that the lead has changed and what it is, however it changed, and does nothing', async () => {
    for (const actor of ['provider', 'operator', 'person'] as const) {
      const { lead, links } = await linksOf(world);
      if (actor === 'provider') await answerLead(links.acknowledge, {}, world.context);
      else
        await changeLead(
          { lead, to: actor === 'person' ? 'withdrawn' : 'acknowledged', actor },
          world.context,
        );
      const status = actor === 'person' ? 'withdrawn' : 'acknowledged';
      const before = await everything(world);
      for (const name of ['ask', 'quote', 'confirm', 'decline'] as const) {
        expect(await readAnswer(links[name], world.context)).toMatchObject({
          link: 'stale',
          status,
          changed: { by: actor },
        });
        const refusal = await problemOf(() =>
          answerLead(links[name], { note: 'x' }, world.context),
        );
        expect(refusal.code).toBe('gone');
        expect(refusal.message).toContain(`already ${status}`);
      }
      expect(await everything(world)).toBe(before);
    }
  });

  it('stays out of date when the lead comes back to the state that it was made for', async () => {
    const { reference, links } = await linksOf(world);
    await answerLead(links.acknowledge, {}, world.context);
    const first = await messageLinks(reference, world.context);
    await answerLead(first.ask, { note: 'Which size?' }, world.context);
    const second = await messageLinks(reference, world.context);
    expect(Object.keys(second).sort()).toEqual(['acknowledge', 'decline']);
    await answerLead(second.acknowledge, {}, world.context);
    expect(
      (await problemOf(() => answerLead(first.quote, { note: '45' }, world.context))).code,
    ).toBe('gone');
    const third = await messageLinks(reference, world.context);
    expect(await answerLead(third.quote, { note: '45' }, world.context)).toEqual({
      status: 'quoted',
    });
  });

  it('hands out no other link', async () => {
    const { links } = await linksOf(world);
    for (const name of answerNames)
      expect(JSON.stringify(await readAnswer(links[name], world.context))).not.toContain(
        '/answer/',
      );
  });

  it('needs a text where the person must be told something, and takes none that is too long', async () => {
    const { links } = await linksOf(world);
    for (const name of answerNames) {
      for (const body of name === 'acknowledge' || name === 'confirm' ? [] : [{}, { note: '  ' }])
        expect(
          (await problemOf(() => answerLead(links[name], body, world.context))).errors?.[0]
            ?.pointer,
        ).toBe('/note');
      for (const body of [
        { note: 'x'.repeat(4_001) },
        { note: 5 },
        { note: 'x', more: 1 },
        [],
        'x',
        null,
      ])
        expect((await problemOf(() => answerLead(links[name], body, world.context))).code).toBe(
          'invalid_input',
        );
    }
  });

  it('shows nothing about the person', async () => {
    const { lead, links } = await linksOf(world, 'zebedee@example.com');
    const shown = JSON.stringify(await readAnswer(links.quote, world.context));
    expect(shown).not.toContain('zebedee');
    expect(shown).not.toContain(lead);
  });
});

describe('a link that is not good', async () => {
  const world = await openWorld(site);
  const refusalOf = async (token: string) => [
    (await problemOf(() => readAnswer(token, world.context))).code,
    (await problemOf(() => answerLead(token, { note: 'x' }, world.context))).code,
  ];

  it('is refused when any character of it was changed', async () => {
    const { links } = await linksOf(world);
    for (let at = 0; at < links.quote.length; at++) {
      const other = links.quote[at] === 'A' ? 'B' : 'A';
      expect(
        await refusalOf(links.quote.slice(0, at) + other + links.quote.slice(at + 1)),
        `changed at ${at}`,
      ).toEqual(['not_found', 'not_found']);
    }
    for (const token of [
      '',
      '.',
      'x',
      links.quote.slice(0, -1),
      `${links.quote}A`,
      links.quote.replace('.quote.', '.confirm.'),
    ])
      expect(await refusalOf(token)).toEqual(['not_found', 'not_found']);
  });

  it('is refused for another lead, also with parts of that lead’s own links', async () => {
    const [one, other] = [await linksOf(world), await linksOf(world, 'pat@example.com')];
    const [reference] = other.links.quote.split('.') as [string];
    expect(await refusalOf([reference, ...one.links.quote.split('.').slice(1)].join('.'))).toEqual([
      'not_found',
      'not_found',
    ]);
    await answerLead(one.links.confirm, {}, world.context);
    expect((await world.rows('leads')).find((row) => row['token'] === other.lead)!['status']).toBe(
      'new',
    );
  });

  it('is refused on another service, whose secret is another one', async () => {
    const other = await openWorld(site);
    const { links } = await linksOf(other);
    expect(await refusalOf(links.quote)).toEqual(['not_found', 'not_found']);
    const shared = {
      ...world.context,
      linkSecret: 'a secret that an operator has set, long enough',
    };
    const { reference } = await linksOf(world);
    const set = (await messageLinks(reference, shared)).quote;
    expect(await refusalOf(set)).toEqual(['not_found', 'not_found']);
    expect(await readAnswer(set, shared)).toMatchObject({ answer: 'quote' });
  });

  it('is refused once the secret was renewed, also by another process; a new message has good ones', async () => {
    const world = await openWorld(site);
    const { reference, links } = await linksOf(world);
    const second = await openDatabase({ url: world.url });
    await renewLinkSecret({ ...world.context, database: second });
    await second.close();
    for (const link of Object.values(links))
      expect((await problemOf(() => answerLead(link, { note: 'x' }, world.context))).code).toBe(
        'not_found',
      );
    const { quote } = await messageLinks(reference, world.context);
    expect(await answerLead(quote, { note: '45' }, world.context)).toEqual({ status: 'quoted' });
  });

  it('is refused when the lead was erased, and when its days are over', async () => {
    const [erased, late] = [await linksOf(world), await linksOf(world)];
    await eraseLead(erased.lead, 'person', world.context);
    expect(await refusalOf(erased.links.quote)).toEqual(['gone', 'gone']);
    world.later(24 * LINK_DAYS - 1);
    expect(await readAnswer(late.links.quote, world.context)).toMatchObject({ link: 'open' });
    world.later(1);
    expect(await refusalOf(late.links.quote)).toEqual(['gone', 'gone']);
  });
});
