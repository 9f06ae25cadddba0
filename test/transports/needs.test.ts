import { describe, expect, it } from 'vitest';
import { createBindingClient, dataIn, message } from '../a2a/setup/endpoint.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { findService } from '../../src/leads/find-service.ts';
import { callWithKey } from '../../src/http/keyed-call.ts';
import { capabilitiesOf } from '../../src/site/capability-record.ts';
import { UNCERTAIN_ANSWER_TEXT } from '../../src/search/knowledge.ts';
import { openMcpEndpoints } from './setup/mcp.ts';

const mainNetwork = sites[0]!;
const { registry } = mainNetwork.site;

describe('a need', async () => {
  const { context } = await openFixture(mainNetwork.site);
  const { call, tools } = await openMcpEndpoints(context);
  const client = await createBindingClient(context, 'JSONRPC');

  const find = async (query: string): Promise<Record<string, any>> => {
    const { output } = await callWithKey(
      findService,
      { q: query },
      { address: '192.0.2.7', channel: 'json' },
      context,
    );
    return output as Record<string, any>;
  };
  const askAgent = async (text: string) => {
    const { parts } = (await client.sendMessage(message({ text }))) as any;
    return { text: String(parts[0].content.value), data: dataIn(parts) };
  };
  const ask = async (question: string) =>
    (await call('/api/v1/mcp', 'ask_knowledge', { question })).value;
  const list = async (query: string) => (await call('/api/mcp', 'list_subsites', { query })).value;
  const search = async (query: string) =>
    (await call('/api/v1/mcp', 'search_capabilities', { query })).value;
  const assist = async (question: string) => {
    const run = { capability: 'company.assist', input: { question } };
    return (await call('/api/v1/agent-mcp', 'run_capability', run)).value['result'];
  };

  describe.each([
    ['my AC died at night, baby in the house', 'hvac', 'request_hvac_service'],
    ['book a trailer', 'trailer', 'book_trailer'],
    ['Please book a 5x8 trailer for Saturday', 'trailer', 'book_trailer'],
    ['hold a 6x12 trailer Nov 28 to 29', 'trailer', 'book_trailer'],
    ['reserve an enclosed trailer', 'trailer', 'book_trailer'],
    ['AC repair', 'hvac', 'request_hvac_service'],
  ])('such as “%s”', (need, subsite, verb) => {
    it('leads to the same services, actions and contracts on every channel', async () => {
      const { services } = await find(need);
      expect(services[0]).toMatchObject({
        name: subsite,
        actions: expect.arrayContaining([expect.objectContaining({ verb })]),
      });
      const expected = services.map(({ name, actions }: any) => ({
        subsite: name,
        actions: actions.map((action: any) => action.verb),
      }));
      const { data } = await askAgent(need);
      const places = (await assist(need)).places;
      for (const named of [data.ask, places, (await ask(need))['ask']])
        expect(named).toMatchObject(expected);
      expect(data.next).toMatchObject(expected.filter(({ actions }: any) => actions.length));
      expect(data.next[0].contracts[verb]).toBe(services[0].actions[0].contract);
      expect((await list(need))['subsites'][0].name).toBe(subsite);
      expect((await search(need))['capabilities'][0].id).toMatch(`${subsite}.`);
    });
  });

  it.each([
    ['/api/mcp', 'list_subsites'],
    ['/api/v1/mcp', 'search_capabilities'],
  ])(
    'is not lost by whoever follows the advice for a wrong name over MCP: %s %s',
    async (path, tool) => {
      const adviceFor = async (args: object) =>
        (await call(path, tool, args)).value['errors'].map(({ message }: any) => message);
      for (const name of ['need', 'question', 'search'])
        expect(await adviceFor({ [name]: 'a cast iron pan' })).toEqual([
          'This name is unknown. Did you mean query?',
        ]);
      expect(await adviceFor({ urgency: 'high' })).toEqual([
        expect.stringMatching(/^This name is unknown\. Use one of .*\bquery\b.*, or remove it\.$/),
      ]);
      const unneeded = ['This name is unknown. Remove it.'];
      expect(await adviceFor({ need: 'a pan', query: 'a cast iron pan' })).toEqual(unneeded);
      expect(await adviceFor({ need: 5 })).toEqual(unneeded);
    },
  );

  it('may have 500 characters in a search over MCP, as the schema says', async () => {
    const need = 'I would like to rent a trailer for the weekend, please. '.repeat(9).slice(0, 500);
    for (const [path, name] of [
      ['/api/mcp', 'list_subsites'],
      ['/api/v1/mcp', 'search_capabilities'],
    ] as const) {
      const tool = (await tools(path)).find((one) => one.name === name)!;
      expect(tool.inputSchema.properties['query']).toMatchObject({ maxLength: 500 });
      expect((await call(path, name, { query: need })).isError, name).toBeUndefined();
      expect((await call(path, name, { query: `${need}!` })).isError, name).toBe(true);
    }
  });

  it('that may be an emergency gets the phone number first', async () => {
    const { phone } = registry.subsites.find(({ name }) => name === 'hvac')!;
    const need = 'my AC died at night, baby in the house';
    const { text, data } = await askAgent(need);
    expect(text.split('\n')[0]).toContain(`In an emergency, call ${phone} now.`);
    const [service] = (await find(need))['services'];
    const [serviceToAsk] = (await ask(need))['ask'];
    const [place] = (await assist(need)).places;
    for (const { emergency } of [service, data.ask[0], serviceToAsk, place])
      expect(emergency).toContain(phone);
  });

  describe.each([
    ['do you repair roofs?', 'roofing', []],
    ['repair roofs', 'roofing', []],
    ['lawn mowing', 'lawn and tree care', []],
    ['pizza delivery', 'restaurant meals', ['drive']],
  ])('that the network does not meet, such as “%s”', (need, what, instead) => {
    const notOffered = `We don’t do ${what}.`;

    it('is refused first on every channel, with only its alternatives', async () => {
      const { text, data } = await askAgent(need);
      expect(text.split('\n')[0]).toBe(notOffered);
      const needAnswers = [
        await find(need),
        data,
        await ask(need),
        await list(need),
        await search(need),
      ];
      for (const answer of [...needAnswers, await assist(need)]) {
        expect(Object.entries(answer).slice(0, 2)).toEqual([
          ['notOffered', notOffered],
          ['notOfferedCode', 'not_offered'],
        ]);
        const {
          services,
          ask: servicesToAsk,
          subsites,
          capabilities,
          places,
          passages = [],
        } = answer;
        const namedEntries = [services, servicesToAsk, subsites, capabilities, places].find(
          Array.isArray,
        )!;
        expect(passages).toEqual([]);
        expect([...new Set(namedEntries.map((entry: any) => entry.subsite ?? entry.name))]).toEqual(
          capabilities ? [] : instead,
        );
      }
      expect((await ask(need))['answer']).toBe(notOffered);
      expect((await assist(need)).answer).toMatch(notOffered);
    });
  });

  it.each([
    'haircut',
    'Do you rent kayaks?',
    'Can somebody tune my piano?',
    '¿Tocan mariachis?',
    '我想租一辆拖车',
  ])(
    'that nothing published meets, such as “%s”, is refused in the same way on every channel',
    async (need) => {
      const { notOffered, notOfferedCode } = await find(need);
      expect(notOffered).toMatch(
        {
          nothing_found: /^We found nobody/,
          not_understood: /^We did not understand/,
          uncertain: /^We are not sure/,
        }[notOfferedCode as string]!,
      );
      const { text, data } = await askAgent(need);
      expect(text.split('\n')[0]).toBe(notOffered);
      for (const answer of [data, await ask(need), await list(need), await assist(need)])
        expect(answer).toMatchObject({ notOffered, notOfferedCode });
      expect((await ask(need))['answer']).toBe(notOffered);
      expect(text).not.toContain(UNCERTAIN_ANSWER_TEXT);
    },
  );

  it('that the network answers itself is not recorded as unmet demand', async () => {
    const { answer, notOfferedCode } = await assist('can I pay in cash');
    expect(notOfferedCode).toBe('answered');
    expect(answer).toMatch(/^You pay the service that does the work.*cryptocurrency\.$/);
    expect((await assist('haircut')).answer).toContain('recorded as unmet demand');
  });

  it('that no capability meets is refused in the search for capabilities', async () => {
    const { notOffered } = await find('dog grooming');
    expect(notOffered).toMatch(/^We found nobody/);
    expect(await search('dog grooming')).toEqual({
      notOffered,
      notOfferedCode: 'nothing_found',
      capabilities: [],
      total: 0,
    });
  });

  /** The services that each channel lists for a need, and the text of the agent's answer. */
  const askEverywhere = async (need: string) => {
    const { text, data } = await askAgent(need);
    const lists = [
      (await find(need))['services'],
      data.ask,
      (await ask(need))['ask'],
      (await list(need))['subsites'],
      (await assist(need)).places,
    ];
    return { text, lists };
  };

  it('with a ZIP code or place outside a service area gets a notice on every channel', async () => {
    const listNotices = async (need: string) => {
      const { text, lists } = await askEverywhere(need);
      const notices = lists.map(([first]: any) => first.areaNotice);
      expect(new Set(notices).size).toBe(1);
      expect(text.includes('outside the service area')).toBe(notices[0] !== undefined);
      return notices[0];
    };
    for (const { title, serviceArea, serviceZips } of registry.subsites) {
      if (!serviceZips || !['Bayline Junk Pickup', 'Bayline Generators'].includes(title)) continue;
      expect(await listNotices(`${title} 90210`)).toContain(`outside the service area of ${title}`);
      expect(await listNotices(`${title} ${serviceZips[0]!.padEnd(5, '0')}`)).toBeUndefined();
      expect(serviceArea).toBeDefined();
    }
    expect(await listNotices('washer rental in Tampa')).toContain('Tampa is outside');
    expect(await listNotices('AC repair in Miami')).toContain('Miami is outside the service area');
    expect(await listNotices('reparar aire acondicionado en Orlando')).toContain('Orlando is');
    for (const need of [
      'estate sale in Ocala',
      'wedding in 34236',
      'clean out a garage in Lakeland',
      'AC repair in Spring Hill',
      'estate sale in Ft Myers',
      'estate sale in Dade City',
      'estate sale in Wesley Chapel, Pasco County',
      'clean out house in Largo, Maryland',
      'AC repair in Atlanta',
      'junk pickup in Ybor City',
    ])
      expect(await listNotices(need), need).toContain('outside the service area');
    for (const need of [
      'AC repair in Tampa',
      'washer rental near Tampa Bay',
      'washer in St. Pete',
      'estate sale in Brandon',
    ])
      expect(((await find(need)) as any).services[0].areaNotice, need).toBeUndefined();
  });

  it.each([
    ['washer for 2 days', 'The shortest rental from Bayline Washers & Dryers is 3 months.'],
    [
      'rent a washer for a weekend',
      'The shortest rental from Bayline Washers & Dryers is 3 months.',
    ],
    ['washer rental, two months', 'The shortest rental from Bayline Washers & Dryers is 3 months.'],
    ['lavadora por dos semanas', 'The shortest rental from Bayline Washers & Dryers is 3 months.'],
    [
      'furniture rental for 3 weeks',
      'The shortest rental from Kerplunk Furniture Rental is 1 month.',
    ],
    ['washer for 1.5 months', 'The shortest rental from Bayline Washers & Dryers is 3 months.'],
    ['washer for 3 months', undefined],
    ['rent a washer, mine broke 2 weeks ago', undefined],
    ['rent a dryer, the old one was 3 weeks old', undefined],
    ['washer for 2 or 3 months', undefined],
    ['washer delivered in 2 days', undefined],
    ['washer for 35 a month', undefined],
    ['how much is a washer a month', undefined],
    ['washer, moving 2 weeks from now', undefined],
    ['2 day delivery of a rented washer', undefined],
    ['2-month washer rental', 'The shortest rental from Bayline Washers & Dryers is 3 months.'],
    ['rent a trailer for 2 days', undefined],
  ])(
    'for a time, such as “%s”, gets a notice on every channel if it is too short',
    async (need, notice) => {
      const { text, lists } = await askEverywhere(need);
      expect(lists.map(([first]: any) => first.termNotice)).toEqual(lists.map(() => notice));
      if (notice !== undefined) expect(text).toContain(notice);
    },
  );

  it.each(['cancel my trailer booking', 'nobody answered my request', 'cancelar mi remolque'])(
    'about an existing request has no new request on any channel: %s',
    async (question) => {
      const { notOffered, notOfferedCode, services } = await find(question);
      expect([notOfferedCode, notOffered]).toEqual([
        'answered',
        expect.stringContaining('open the link in the email'),
      ]);
      expect(JSON.stringify(services)).not.toContain('"body"');
      const { text, data } = await askAgent(question);
      expect([text.startsWith(notOffered), data.next]).toEqual([true, []]);
      expect((await list(question))['notOffered']).toBe(notOffered);
      expect((await ask(question))['notOffered']).toBe(notOffered);
      expect((await search(question))['capabilities']).toEqual([]);
    },
  );

  it('that is only a greeting is not refused', async () => {
    const { data } = await askAgent('What can you do?');
    expect([data.notOffered, Boolean(data.directory)]).toEqual([undefined, true]);
  });

  it.each([
    ['remolque cerrado', 'trailer', 'book_trailer'],
    [
      'I saw a drop-leaf table in your shop, can I see it Saturday?',
      'shop',
      'request_shop_inquiry',
    ],
    ['can I see the drop-leaf table in the shop on Saturday', 'shop', 'request_shop_inquiry'],
  ])('that a service meets, such as “%s”, is not refused', async (need, subsite, verb) => {
    const { notOffered, services } = await find(need);
    expect([notOffered, services[0].name, services[0].actions[0].verb]).toEqual([
      undefined,
      subsite,
      verb,
    ]);
    expect(services[0].actions[0].body).toBeDefined();
  });

  it('for a sold item returns a notice that it is sold', async () => {
    const { services } = await find('can I see the drop-leaf table in the shop on Saturday');
    expect(services[0].items).toContainEqual(
      expect.objectContaining({ title: expect.stringMatching(/drop-leaf/i), state: 'Sold' }),
    );
  });
});

describe('an action that is not a capability', async () => {
  const { context } = await openFixture(mainNetwork.site);
  const { ask, call } = await openMcpEndpoints(context);
  const { base } = mainNetwork.site;
  const catalog = new Set(capabilitiesOf(registry, base).map(({ id }) => id));
  const uncatalogedActions = registry.subsites.flatMap(({ name, actions }) =>
    actions.flatMap(({ verb }) => (catalog.has(`${name}.${verb}`) ? [] : [{ name, verb }])),
  );
  const formatHint = (name: string, verb: string) =>
    `${verb} is an action of the subsite ${name}, not a capability. Submit it without a key: call submit_action at ${base}/api/mcp, or POST to ${base}/api/lead/action. ${base}/api/agent/${name} has its fields.`;

  it.each([
    ['junk pickup', 'junk', 'request_junk_pickup'],
    ['pool chemicals delivery', 'pools', 'request_pool_delivery'],
    ['wedding officiant', 'weddings', 'request_wedding_consult'],
  ])('is named first in a search for “%s”', async (query, subsite, action) => {
    for (const path of ['/api/v1/mcp', '/api/v1/agent-mcp']) {
      const { value } = await call(path, 'search_capabilities', { query });
      expect(Object.keys(value).slice(0, 2)).toEqual(['hint', 'actions']);
      expect(value['hint']).toBe(`The best match: ${formatHint(subsite, action)}`);
      expect(value['actions'][0]).toEqual({
        subsite,
        action,
        manifestUrl: `${base}/api/agent/${subsite}`,
      });
    }
  });

  it.each([
    { query: 'AC repair' },
    { query: 'lawn mowing' },
    { query: 'junk pickup', mode: 'education' },
    {},
  ])('is not named in the search %j', async (args) => {
    const { value } = await call('/api/v1/mcp', 'search_capabilities', args);
    expect([value['hint'], value['actions']]).toEqual([undefined, undefined]);
  });

  it('fits in the response along with the other results', async () => {
    for (const { name } of uncatalogedActions) {
      const { purpose } = registry.subsites.find((subsite) => subsite.name === name)!;
      const { result } = await ask('/api/v1/mcp', 'tools/call', {
        name: 'search_capabilities',
        arguments: { query: purpose.slice(0, 200), limit: 50 },
      });
      expect(result.structuredContent.actions[0].subsite).toBe(name);
      expect(Buffer.byteLength(JSON.stringify(result)), name).toBeLessThan(10_240);
    }
  });

  it('is explained where its id is sent as a capability', async () => {
    expect(uncatalogedActions.length).toBeGreaterThan(10);
    for (const { name, verb } of uncatalogedActions) {
      const capability = `${name}.${verb}`;
      for (const [path, tool, args] of [
        ['/api/v1/mcp', 'get_capability', { id: capability }],
        ['/api/v1/agent-mcp', 'get_capability', { id: capability }],
        ['/api/v1/agent-mcp', 'run_capability', { capability, input: {} }],
        ['/api/v1/agent-mcp', 'request_quote', { capability, input: {} }],
      ] as const) {
        const { value } = await call(path, tool, args);
        expect(value['errors'][0].message, capability).toContain(` ${formatHint(name, verb)}`);
        expect(value['errors'][0].message).not.toContain('Did you mean');
      }
    }
  });

  it.each([
    [
      'request_pool_delivery',
      `Did you mean pools.request_pool_delivery? ${formatHint('pools', 'request_pool_delivery')}`,
    ],
    ['pools.help', `The subsite pools has no capabilities: ${base}/api/agent/pools describes it.`],
    [
      'guide.crypto',
      `The subsite crypto has no capabilities: ${base}/api/agent/crypto describes it.`,
    ],
    ['hvac.request_service', 'Did you mean hvac.request_hvac_service?'],
  ])('is suggested for the id %s only if the id is similar', async (id, advice) => {
    const { value } = await call('/api/v1/mcp', 'get_capability', { id });
    expect(value['errors'][0].message).toBe(
      `Send the ID of a capability from search_capabilities. ${advice}`,
    );
  });
});

describe('capabilities of the operator', async () => {
  const { context } = await openFixture(mainNetwork.site);
  const { call } = await openMcpEndpoints(context);
  const imports = registry.subsites.flatMap(({ name, actions }) =>
    actions.filter(({ effect }) => effect?.kind === 'import').map(({ verb }) => `${name}.${verb}`),
  );

  it.each(['/api/v1/mcp', '/api/v1/agent-mcp'])(
    'are in the catalog but not found by words at %s',
    async (path) => {
      expect(imports.length).toBeGreaterThan(0);
      const listIds = async (query: object) => {
        const { value } = await call(path, 'search_capabilities', { ...query, limit: 50 });
        return value['capabilities'].map(({ id }: { id: string }) => id) as string[];
      };
      for (const query of ['my AC died at night', 'partner lead import', 'nightly import'])
        expect((await listIds({ query })).filter((id) => imports.includes(id))).toEqual([]);
      expect(await listIds({ mode: 'intake' })).toEqual(expect.arrayContaining(imports));
      expect(capabilitiesOf(registry, mainNetwork.site.base)).toHaveLength(57);
    },
  );
});

describe('a question with a published answer', async () => {
  const { context } = await openFixture(mainNetwork.site);
  const { call } = await openMcpEndpoints(context);

  it.each([
    ['How much is the diagnostic visit?', '89 USD'],
    ['Can I tow the trailer to Georgia?', 'within Florida only'],
    ['6x12 price', '6x12 enclosed'],
    ['How late can I return the trailer on Sunday?', 'Return the trailer by 7 pm'],
  ])('such as “%s” is answered with confidence', async (question, words) => {
    const { value } = await call('/api/v1/mcp', 'ask_knowledge', { question });
    expect([value['published'], value['passages'][0].text]).toEqual([
      true,
      expect.stringContaining(words),
    ]);
  });
});

describe('a search for items', async () => {
  const { context } = await openFixture(mainNetwork.site);
  const { call } = await openMcpEndpoints(context);
  const searchItems = async (args: object) =>
    (await call('/api/mcp', 'search_shop_items', args)).value;

  it('lists what is available before what is sold', async () => {
    const { items: found } = await searchItems({
      query: 'oak dining table under $200',
      maxPrice: 200,
    });
    const states = found.map(({ status }: { status: string }) => status);
    expect(states).toEqual([...states].sort());
    expect(new Set(states)).toEqual(new Set(['available', 'sold']));
    expect(found[0].id).toBe('oak-writing-desk');
  });

  it.each([
    'oak desk under $100',
    'an oak desk for less than 100 dollars',
    'oak desk, $100 or less',
  ])('respects the price in “%s”', async (query) => {
    const named = await searchItems({ query });
    expect(named).toEqual({
      ...(await searchItems({ query: 'oak desk', maxPrice: 100 })),
      ...pickHint(named),
    });
  });

  it('of any kind respects a price alone', async () => {
    const { items: found } = await searchItems({ query: 'under $20' });
    expect(found.length).toBeGreaterThan(0);
    for (const { price } of found) expect(price.amount).toBeLessThanOrEqual(20);
  });

  it('suggests titles and not tags', async () => {
    const { hint } = await searchItems({ query: 'zebra' });
    expect(hint).toContain(`“${registry.catalogs['shop']!.items[0]!.title}”`);
  });
});

const pickHint = ({ hint }: Record<string, any>) => (hint === undefined ? {} : { hint });
