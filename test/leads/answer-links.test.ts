import { describe, expect, it } from 'vitest';
import { answerLead, answerNames, answers, eraseLead, readAnswer } from '../../src/operations/index.ts';
import { LINK_DAYS, messageLinks } from '../../src/operations/answer-link.ts';
import { capture } from '../deliveries/setup/rounds.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { openWorld, sites, type World } from '../operations/setup/world.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const source = site.registry.subsites[0]!.leadSource;

/** The links of a new lead, as its mail has them, without the address in front. */
async function linksOf(world: World, email = 'dana@example.com') {
  const lead = await capture(world.context, source, email);
  const event = (await world.rows('outbox')).find((row) => row['lead'] === lead && row['kind'] === 'lead.created')!;
  const links = await messageLinks(event['id'], event['created_at'], world.context);
  return { lead, links: Object.fromEntries(Object.entries(links).map(([name, url]) => [name, url.slice(`${site.base}/answer/`.length)])) as typeof links };
}

const everything = async (world: World) => JSON.stringify(await Promise.all((['leads', 'lead_history', 'outbox', 'holds', 'storefronts', 'idempotency'] as const).map((table) => world.rows(table))));

describe('a link of a message', async () => {
  const world = await openWorld(site);

  it.each(answerNames)('that says %s changes nothing when it is opened a hundred times, and acts when it is posted once', async (name) => {
    const { lead, links } = await linksOf(world);
    const before = await everything(world);
    for (let time = 0; time < 100; time++) expect(await readAnswer(links[name], world.context)).toMatchObject({ answer: name, used: false, possible: true, status: 'new' });
    expect(await everything(world)).toBe(before);
    expect(await answerLead(links[name], { note: 'Here is why.' }, world.context)).toEqual({ status: answers[name].to });
    const history = (await world.rows('lead_history')).filter((row) => row['lead'] === lead);
    expect(history.map(({ status, note, actor }) => [status, note, actor])).toEqual([['new', null, 'person'], [answers[name].to, 'Here is why.', 'provider']]);
  });

  it.each(answerNames)('that says %s works once, also after the lead came back to where it was', async (name) => {
    const { lead, links } = await linksOf(world);
    await answerLead(links[name], { note: 'x' }, world.context);
    for (const _ of [1, 2]) expect((await problemOf(() => answerLead(links[name], { note: 'x' }, world.context))).code).toBe('gone');
    expect(await readAnswer(links[name], world.context)).toMatchObject({ used: true, possible: false });
    if (name === 'acknowledge') {
      await answerLead(links.ask, { note: 'When?' }, world.context);
      expect((await problemOf(() => answerLead(links.acknowledge, { note: 'x' }, world.context))).code).toBe('gone');
    }
    expect((await world.rows('lead_history')).filter((row) => row['lead'] === lead).length).toBe(name === 'acknowledge' ? 3 : 2);
  });

  it('is used once when it is posted twenty times at once', async () => {
    const { lead, links } = await linksOf(world);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => answerLead(links.confirm, {}, world.context)));
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect((await world.rows('lead_history')).filter((row) => row['lead'] === lead).length).toBe(2);
  });

  it('leads on to the answers that are possible then, each with a link that works once', async () => {
    const { links } = await linksOf(world);
    await answerLead(links.acknowledge, {}, world.context);
    await answerLead(links.ask, { note: 'Which size?' }, world.context);
    const { next, status } = await readAnswer(links.ask, world.context);
    expect(status).toBe('needs_info');
    expect(Object.keys(next).sort()).toEqual(['acknowledge', 'decline']);
    const again = next.acknowledge!.slice(`${site.base}/answer/`.length);
    expect(await answerLead(again, {}, world.context)).toEqual({ status: 'acknowledged' });
    expect((await problemOf(() => answerLead(again, {}, world.context))).code).toBe('gone');
  });

  it('gains no time by being opened: no link that it leads to outlasts those of the message', async () => {
    const world = await openWorld(site);
    const { links } = await linksOf(world);
    const short = (url: string) => url.slice(`${site.base}/answer/`.length);
    let chain = links.acknowledge;
    for (let day = 0; day < LINK_DAYS; day += 5) {
      chain = short((await readAnswer(chain, world.context)).next.acknowledge!);
      if (day + 5 < LINK_DAYS) world.later(24 * 5);
    }
    world.later(24 * 5 - 0.01);
    expect(await readAnswer(chain, world.context)).toMatchObject({ possible: true });
    world.later(0.02);
    expect((await problemOf(() => readAnswer(chain, world.context))).code).toBe('gone');
    expect((await problemOf(() => answerLead(chain, {}, world.context))).code).toBe('gone');
  });

  it('needs a text where the person must be told something, and takes none that is too long', async () => {
    const { links } = await linksOf(world);
    for (const name of answerNames) {
      for (const body of name === 'acknowledge' || name === 'confirm' ? [] : [{}, { note: '  ' }]) expect((await problemOf(() => answerLead(links[name], body, world.context))).errors?.[0]?.pointer).toBe('/note');
      for (const body of [{ note: 'x'.repeat(4_001) }, { note: 5 }, { note: 'x', more: 1 }, [], 'x', null]) expect((await problemOf(() => answerLead(links[name], body, world.context))).code).toBe('invalid_input');
    }
  });

  it('that does not fit the state is refused and stays unused', async () => {
    const { links } = await linksOf(world);
    await answerLead(links.quote, { note: '45' }, world.context);
    expect((await problemOf(() => answerLead(links.ask, { note: 'x' }, world.context))).code).toBe('invalid_input');
    expect(await readAnswer(links.ask, world.context)).toMatchObject({ used: false, possible: false });
    expect(await answerLead(links.confirm, {}, world.context)).toEqual({ status: 'confirmed' });
    expect(await answerLead(links.decline, { note: 'The machine broke.' }, world.context)).toEqual({ status: 'declined' });
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
  const refusalOf = async (token: string) => [(await problemOf(() => readAnswer(token, world.context))).code, (await problemOf(() => answerLead(token, { note: 'x' }, world.context))).code];

  it('is refused when any character of it was changed', async () => {
    const { links } = await linksOf(world);
    for (let at = 0; at < links.quote.length; at++) {
      const other = links.quote[at] === 'A' ? 'B' : 'A';
      expect(await refusalOf(links.quote.slice(0, at) + other + links.quote.slice(at + 1)), `changed at ${at}`).toEqual(['not_found', 'not_found']);
    }
    for (const token of ['', '.', 'x', links.quote.slice(0, -1), `${links.quote}A`, links.quote.replace('.quote.', '.confirm.')]) expect(await refusalOf(token)).toEqual(['not_found', 'not_found']);
  });

  it('is refused for another lead, also with parts of that lead’s own links', async () => {
    const [one, other] = [await linksOf(world), await linksOf(world, 'pat@example.com')];
    const [reference] = other.links.quote.split('.') as [string];
    expect(await refusalOf([reference, ...one.links.quote.split('.').slice(1)].join('.'))).toEqual(['not_found', 'not_found']);
    await answerLead(one.links.confirm, {}, world.context);
    expect((await world.rows('leads')).find((row) => row['token'] === other.lead)!['status']).toBe('new');
  });

  it('is refused on another service, whose secret is another one', async () => {
    const other = await openWorld(site);
    const { links } = await linksOf(other);
    expect(await refusalOf(links.quote)).toEqual(['not_found', 'not_found']);
    const shared = { ...world.context, linkSecret: 'a secret that an operator has set, long enough' };
    const event = (await world.rows('outbox'))[0]!;
    const set = (await messageLinks(event['id'], event['created_at'], shared)).quote.slice(`${site.base}/answer/`.length);
    expect(await refusalOf(set)).toEqual(['not_found', 'not_found']);
    expect(await readAnswer(set, shared)).toMatchObject({ answer: 'quote' });
  });

  it('is refused when the lead was erased, and when its days are over', async () => {
    const [erased, late] = [await linksOf(world), await linksOf(world)];
    await eraseLead(erased.lead, 'person', world.context);
    expect(await refusalOf(erased.links.quote)).toEqual(['gone', 'gone']);
    world.later(24 * LINK_DAYS - 1);
    expect(await readAnswer(late.links.quote, world.context)).toMatchObject({ possible: true });
    world.later(1);
    expect(await refusalOf(late.links.quote)).toEqual(['gone', 'gone']);
  });
});
