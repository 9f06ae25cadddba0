import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../src/site/calendar/days.ts';
import { findSubsite, listInfoTools } from '../../src/site/registry.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { openMcpEndpoints } from './setup/mcp.ts';

/** Words that do not occur in either network. */
const UNKNOWN_WORD = 'qqxxqqxx';

describe.each(sites)('the MCP tools of $name without a match', ({ name: network, site }) => {
  const { registry } = site;
  const tools = listInfoTools(registry).filter(({ shows }) => shows !== 'subsites');
  const itemsOf = (name: string) => registry.catalogs[name]?.items ?? [];
  let call: (name: string, args: object) => Promise<Record<string, any>>;
  beforeAll(async () => {
    const channels = await openMcpEndpoints((await openFixture(site)).context);
    call = async (name, args) =>
      (await channels.call('/api/mcp', name, args as Record<string, unknown>)).value;
  });

  it('for items suggest what to send instead of words that match no item', async () => {
    for (const { name, shows, of: catalogs } of tools) {
      const allItems = catalogs.flatMap(itemsOf);
      const answer = await call(name, { query: UNKNOWN_WORD });
      expect(answer, name).toMatchObject({ items: [], total: 0 });
      expect([name, answer['hint']]).toEqual([
        name,
        expect.stringMatching(
          shows === 'search'
            ? /^No item matches these words\. Send words of an item, such as .+\.$/
            : `^No item matches these words\\. Leave out query for (all ${allItems.length} items|the only item)\\.$`,
        ),
      ]);
      expect(answer['hint']).not.toContain(UNKNOWN_WORD);
    }
  });

  it('for items give no hint if items match the words', async () => {
    for (const { name, of: catalogs } of tools) {
      const [item] = catalogs.flatMap(itemsOf);
      const answer = await call(name, { query: item!.title });
      expect([name, answer['items'].length > 0, answer['hint']]).toEqual([name, true, undefined]);
    }
  });

  it('for items say that no item matches all of the words', async () => {
    for (const { name, of: catalogs } of tools) {
      const item = catalogs
        .flatMap(itemsOf)
        .find(({ title }) => /^[A-Za-z]+ [A-Za-z]+/.test(title));
      if (!item) continue;
      const answer = await call(name, { query: `${item.title} ${UNKNOWN_WORD}` });
      expect([name, answer['items'].length > 0, answer['hint']]).toEqual([
        name,
        true,
        expect.stringMatching(/^No item matches all of these words/),
      ]);
    }
  });

  it('for items find nothing by an attribute that no item has', async () => {
    const found: string[] = [];
    let count = 0;
    for (const { name, of: catalogs } of tools)
      for (const item of catalogs.flatMap(itemsOf))
        for (const [attribute, value] of Object.entries(item.attributes ?? {})) {
          const texts = JSON.stringify([item.title, item.summary, item.tags, item.body]);
          // An item’s text may mention what it lacks.
          if (value !== false || new RegExp(attribute.split('_')[0]!, 'i').test(texts)) continue;
          count++;
          const { items } = await call(name, { query: attribute.replaceAll('_', ' ') });
          const ids = items.map(({ id }: { id: string }) => id);
          if (ids.includes(item.id)) found.push(`${name} ${attribute} ${item.id}`);
        }
    expect(found).toEqual([]);
    expect(count > 0).toBe(network === sites[0]!.name);
  });

  it('for items return all items for a keyword of their subsite, unless they only search', async () => {
    const itemCount = (names: readonly string[]) => names.flatMap(itemsOf).length;
    for (const { name, shows, of: catalogs } of tools)
      for (const subsite of catalogs)
        for (const keyword of findSubsite(registry, subsite)!.keywords ?? []) {
          const { total, hint = '' } = await call(name, { query: keyword });
          const isFound = total > 0 || !itemsOf(subsite).length;
          expect([name, keyword, isFound || hint.startsWith('No item matches')]).toEqual([
            name,
            keyword,
            true,
          ]);
          if (shows === 'search') expect(total, keyword).toBeLessThan(itemCount(catalogs));
          else expect([name, keyword, isFound]).toEqual([name, keyword, true]);
        }
  });

  it('report what the network does not offer in list_subsites, as /api/find does', async () => {
    for (const { what, words, answer } of registry.network.search.notOffered)
      expect((await call('list_subsites', { query: words[0]! }))['notOffered']).toBe(
        answer ?? `We don’t do ${what}.`,
      );
    const unknownResult = await call('list_subsites', { query: UNKNOWN_WORD });
    expect(unknownResult['notOffered']).toBe('We found nobody here who does that.');
    for (const { title } of registry.subsites)
      expect([title, (await call('list_subsites', { query: title }))['notOffered']]).toEqual([
        title,
        undefined,
      ]);
  });
});

it('a tool for items that can be held lists the available units on the given days', async () => {
  const { context } = await openFixture(sites[0]!.site);
  const channels = await openMcpEndpoints(context);
  const toDate = (ahead: number) => addDays(context.now().toISOString().slice(0, 10), ahead);
  const readAvailableUnits = async (days: object) => {
    const { value } = await channels.call('/api/mcp', 'get_trailer_fleet', days);
    const { items } = value as { items: { id: string; free?: number }[] };
    return Object.fromEntries(items.map(({ id, free }) => [id, free]));
  };
  const availableUnits = await readAvailableUnits({ from: toDate(2), to: toDate(3) });
  const singleUnitId = Object.keys(availableUnits).find((id) => availableUnits[id] === 1)!;
  await channels.call('/api/mcp', 'submit_action', {
    subsite: 'trailer',
    action: 'book_trailer',
    fields: { size: singleUnitId, pickup_date: toDate(3), return_date: toDate(3), zip: '33713' },
    contact: { email: 'dana@example.com' },
  });
  expect(await readAvailableUnits({ from: toDate(2), to: toDate(3) })).toEqual({
    ...availableUnits,
    [singleUnitId]: 0,
  });
  expect(await readAvailableUnits({ from: toDate(2) })).toEqual(availableUnits);
  expect(Object.values(await readAvailableUnits({}))).toEqual(
    Object.keys(availableUnits).map(() => undefined),
  );
  const { value } = await channels.call('/api/mcp', 'get_trailer_fleet', { from: toDate(-2) });
  expect(JSON.stringify(value)).toContain('"pointer":"/from"');
  const { value: refusal } = await channels.call('/api/mcp', 'get_trailer_fleet', {
    from: 'tomorrow',
  });
  expect(JSON.stringify(refusal)).toContain('"pointer":"/from"');
  expect(JSON.stringify(refusal)).not.toContain('"pointer":"/to"');
});

it('a tool for items that can be held repeats the days, and names the closed ones', async () => {
  const { context } = await openFixture(sites[0]!.site);
  const channels = await openMcpEndpoints({
    ...context,
    now: () => new Date('2026-12-01T15:00:00Z'),
  });
  const read = async (days: object) =>
    (await channels.call('/api/mcp', 'get_trailer_fleet', days)).value;
  expect(await read({ from: '2026-12-25', to: '2026-12-25' })).toMatchObject({
    period: { from: '2026-12-25', to: '2026-12-25', closedDays: ['2026-12-25'] },
    notice: expect.stringContaining('closedDays'),
  });
  const open = await read({ from: '2026-12-02' });
  expect(open['period']).toEqual({ from: '2026-12-02', to: '2026-12-02' });
  expect(open['notice']).toBeUndefined();
  expect(await read({})).not.toHaveProperty('period');
});

it('a tool for items names the arguments that exclude matching items', async () => {
  const channels = await openMcpEndpoints((await openFixture(sites[0]!.site)).context);
  const [trailer] = sites[0]!.site.registry.catalogs['trailer']!.items;
  const { value } = await channels.call('/api/mcp', 'get_trailer_fleet', {
    query: trailer!.title,
    maxPrice: 0,
  });
  expect(value).toMatchObject({
    total: 0,
    hint: 'Items match these words, but none matches maxPrice as sent. Leave it out.',
  });
});

it('the MCP tool for items says that only related words match', async () => {
  const { context } = await openFixture(sites[0]!.site);
  const channels = await openMcpEndpoints(context);
  const findHint = async (query: string) =>
    ((await channels.call('/api/mcp', 'search_shop_items', { query })).value as { hint?: string })
      .hint;
  expect(await findHint('sofa')).toBe(
    'No item has these words; each of these matches related words. Check that it is the right kind of item.',
  );
  expect(await findHint('dresser')).toBeUndefined();
});
