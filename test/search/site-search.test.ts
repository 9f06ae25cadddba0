import { describe, expect, it } from 'vitest';
import { findNeed } from '../../src/search/find-need.ts';
import {
  findServices,
  openServiceIndex,
  type ServiceDocument,
} from '../../src/search/find-services.ts';
import { describeMinimumTerm } from '../../src/site/words/minimum-term.ts';
import { renderResult } from '../../src/components/search/search-result.ts';
import { createServiceDocument } from '../../src/search/services.ts';
import { answersEmergencyCalls } from '../../src/site/emergency.ts';
import { findSubsite, listOfferedActions } from '../../src/site/registry.ts';
import { loadRegistry } from '../../src/registry/index.ts';

/**
 * Queries as people write them, and the expected subsites; at least one must be among the first
 * results.
 */
const queries = `
  ac: hvac
  ac broken: hvac
  my ac stopped: hvac
  air conditioner not cooling: hvac
  the house is too hot: hvac
  a trailer for saturday: trailer
  I want to rent a trailer: trailer
  washing machine: wd
  I need a washer and dryer: wd
  get rid of junk: junk
  someone to take my old couch: junk
  couch: junk kerplunk shop
  mattress pickup: junk
  dumpster: junk cleanouts
  empty my garage: cleanouts
  parents house is full: estate cleanouts
  boxes for moving: moving
  chairs for a party: tables
  picnic tables for a cookout: picnic-table
  who can marry us on the beach: weddings
  power is out: generator
  power for a food truck: generator
  my pool is green: water
  chlorine delivered: pools
  sell my house: homes housing real-estate-agent
  what is my home worth: housing
  furniture for three months: kerplunk
  video from a script: animate video
  start my own business: sales
  deliver a package across town: drive lastmile
  postcards to the neighborhood: post
  weekly dinners for my family: food
  walking group for seniors: fit
  second hand tools: shop
  erase my data: data-retention privacy
  how do I cancel: billing
  phone number: about
  A/C: hvac
  A.C.: hvac
  W/D: wd
  acondicionador roto: hvac
  arreglar el aire: hvac
  tienda: shop
  tienda en línea: sales
  abrir una tienda en línea: sales
  mudanza: moving
  limpieza de casa por herencia: cleanouts
  alquilar remolque: trailer
  lavadora: wd
  generador para huracán: generator
  se fue la luz: generator
  planear mi boda: weddings
  vender muebles de mi abuela: estate
  agente inmobiliario: real-estate-agent
  repartir paquetes: lastmile
  tirar un colchón: junk
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(': ') as [said: string, subsites: string]);

/** Number of first results that must contain the expected subsite. */
const MAX_RANK = 3;

const registry = loadRegistry('registry');
const services = openServiceIndex(
  JSON.parse(JSON.stringify(createServiceDocument(registry))) as ServiceDocument,
);
const searchServices = (query: string) =>
  findServices(services, query, { isTyping: true }).map(({ entry }) => entry);

describe('the search on the front page', () => {
  it.each(queries)('answers “%s”', (query, subsites) => {
    const urls = subsites.split(' ').map((name) => findSubsite(registry, name)!.url);
    const paths = searchServices(query)
      .slice(0, MAX_RANK)
      .map(({ path }) => path);
    expect(
      paths.some((path) =>
        urls.some(
          (url) => path === url || path.startsWith(`${url}/`) || path.startsWith(`${url}#`),
        ),
      ),
      paths.join(' '),
    ).toBe(true);
  });

  it.each([
    ['trailer for saturday price with tax', 'trailer'],
    ['how much is a trailer for saturday with tax', 'trailer'],
    ['total price of a generator with taxes', 'generator'],
    ['washer deposit and sales tax', 'wd'],
    ['remolque con impuestos', 'trailer'],
    ['property tax', 'housing'],
    ['sales tax', 'housing'],
    ['tax on my house', 'housing'],
  ])('ranks the service for the thing, not for the terms, first: %s', (query, subsite) =>
    expect(findNeed(services, query).found[0]?.subsite).toBe(subsite),
  );

  it.each(registry.subsites)(
    'finds $name by its title and by each question that its record answers',
    ({ url, title, questions = [] }) => {
      for (const query of [title, ...questions])
        expect(
          searchServices(query)
            .slice(0, MAX_RANK)
            .map(({ path }) => path),
          query,
        ).toContain(url);
    },
  );

  it.each(queries)('does not say that nobody offers “%s”', (query) =>
    expect(findNeed(services, query, { isTyping: true }).notOffered).toBeUndefined(),
  );

  it('recognizes every title, in full and while it is being typed', () => {
    for (const { title } of registry.subsites)
      for (const query of [title, title.slice(0, -2)])
        expect(findNeed(services, query, { isTyping: true }).notOffered, query).toBeUndefined();
  });

  it('does not mistake a word with synonyms for the beginning of another word', () => {
    const listNames = (query: string) =>
      findNeed(services, query, { isTyping: true }).found.map(({ subsite }) => subsite);
    expect(listNames('ac')).not.toContain('signup');
    expect(listNames('acc')).toContain('signup');
  });

  it.each([
    ['sofa', 'kerplunk', 'junk'],
    ['couch', 'shop', 'junk'],
  ])('answers “%s” with %s before %s', (query, first, later) => {
    const names = searchServices(query).map(({ subsite }) => subsite);
    expect(names).toContain(first);
    expect(names.indexOf(first)).toBeLessThan(
      names.includes(later) ? names.indexOf(later) : Infinity,
    );
  });

  it.each(['move couch and boxes', 'move a couch and some boxes'])(
    'names the trailers among the first three services for “%s”',
    (query) =>
      expect(
        [...new Set(findNeed(services, query).found.map(({ subsite }) => subsite))].slice(0, 3),
      ).toContain('trailer'),
  );

  it.each([
    ['trailer', ['5x8', '6x12', '7x14']],
    ['a round table', ['table-round-60in']],
    ['folding table', ['table-6ft', 'table-8ft']],
  ])('lists similar items for “%s” in the order of their catalog', (query, expected) => {
    const { found } = findNeed(services, query);
    const [first] = expected;
    const position = found.findIndex(({ item }) => item === first);
    expect(found.slice(position, position + expected.length).map(({ item }) => item)).toEqual(
      expected,
    );
  });

  it('puts the call before the request while only a call is answered', () => {
    const subsite = registry.subsites.find(answersEmergencyCalls)!;
    const entry = searchServices(subsite.title).find(({ path }) => path === subsite.url)!;
    const { timeZone } = registry.network;
    const hrefsAt = (time: string) =>
      [
        ...renderResult(entry, timeZone, new Date(time)).matchAll(
          /<a href="(tel:|\/[^"]*#)[^>]*>/g,
        ),
      ].map(([link, href]) => [href === 'tel:', link.includes('class="primary"')]);
    expect(hrefsAt('2026-11-26T17:00:00Z')).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(hrefsAt('2026-11-30T17:00:00Z')).toEqual([
      [false, false],
      [true, false],
    ]);
  });

  it('puts first the request whose title is the query, then its service', () => {
    for (const subsite of registry.subsites)
      for (const { title, verb } of listOfferedActions(subsite)) {
        const { found, notOffered } = findNeed(services, title.toLowerCase());
        const paths = found.map(({ path }) => path);
        const position = paths.indexOf(`${subsite.url}#${verb}`);
        expect([found[0]?.title, found[position]?.title]).toEqual([title, title]);
        expect([paths[position + 1], notOffered], title).toEqual([subsite.url, undefined]);
      }
  });

  it('shows nothing that has only some of the words beside a request whose title is the query', () => {
    const query = 'Request the rate card';
    const { found } = findNeed(services, query);
    const partialMatches = findServices(services, query)
      .filter(({ coverage, entry }) => coverage < 1 && entry.subsite !== 'advertising')
      .map(({ entry }) => entry.subsite);
    expect(partialMatches).toContain('crypto');
    expect(found.filter(({ subsite }) => partialMatches.includes(subsite))).toEqual([]);
  });

  it.each([
    ['rent a trailer', 'trailer'],
    ['generator for hurricane', 'generator'],
    ['sell my house', 'homes'],
    ['chairs for a party', 'tables'],
    ["sell grandma's furniture", 'estate'],
    ['someone to buy my old furniture', 'estate'],
    ['buy furniture', 'shop'],
    ['open my own store', 'sales'],
    ['is the shop open', 'shop'],
    ['old furniture', 'junk'],
    ['get rid of furniture', 'junk'],
    ['16 ft trailer', 'trailer'],
    ['8x16 trailer', 'trailer'],
  ])('puts %s first: %s', (query, subsite) =>
    expect(searchServices(query)[0]?.subsite).toBe(subsite),
  );

  it('offers a service in another size, but nothing for an unknown item of that size', () => {
    for (const query of ['16 ft trailer', 'trailer 20 feet', '8x16 trailer'])
      expect(findNeed(services, query).notOffered, query).toBeUndefined();
    expect(findNeed(services, '16 ft boat').notOffered).toBeDefined();
  });

  it('ranks public services above services that need an account', () =>
    expect(
      findNeed(services, 'make a website for my business', { isTyping: true }).found[0]?.subsite,
    ).toBe('sales'));

  it.each([
    'we need a closed trailer on Saturday for one day',
    'closed trailer for one day',
    'closed trailer on Saturday',
    'enclosed trailer',
    'trailer with a lock for one day',
  ])('ranks first the item that the words describe: %s', (query) => {
    const items = findNeed(services, query).found.filter(({ item }) => item !== undefined);
    expect(items[0]?.item).toBe('6x12');
  });

  it('omits results with only an incidental word, and marks sold items', () => {
    const { found: trailers } = findNeed(services, 'enclosed trailer next saturday', {
      isTyping: true,
    });
    expect(trailers.length).toBeLessThanOrEqual(6);
    const [dresser] = findNeed(services, 'walnut dresser', { isTyping: true }).found;
    expect([dresser?.kind, dresser?.price]).toEqual(['Sold', undefined]);
  });

  it('says whether nobody or perhaps somebody offers an unknown service, and ignores nonsense words', () => {
    for (const query of ['dog grooming', 'cat sitting', 'piano lessons', 'haircut']) {
      const need = findNeed(services, query, { isTyping: true });
      expect(need.notOffered, query).toBe('We found nobody here who does that.');
      expect(need.found.length, query).toBeLessThanOrEqual(2);
    }
    const uncertainResult = findNeed(services, 'Do you rent kayaks?');
    expect(uncertainResult.notOffered).toBe('We are not sure that anyone here does that.');
    expect(uncertainResult.found.length).toBeGreaterThan(0);
    // A search phrase counts as part of the record if no other service has such a phrase.
    const repairResult = findNeed(services, 'my AC hums but its fan won’t spin');
    expect([repairResult.notOffered, repairResult.found[0]?.subsite]).toEqual([undefined, 'hvac']);
    const notUnderstoodMessage = 'We did not understand this. Ask in English or Spanish.';
    const noMatchMessage =
      'We found nobody here who does that. The search understands English and Spanish.';
    for (const [query, notOffered, notOfferedCode] of [
      ['我想租一辆拖车', notUnderstoodMessage, 'not_understood'],
      ['Можно арендовать прицеп?', notUnderstoodMessage, 'not_understood'],
      ['Kann ich einen Anhänger mieten?', noMatchMessage, 'nothing_found'],
      ['Je voudrais louer une remorque', noMatchMessage, 'nothing_found'],
      ['Kann ich in St. Petersburg einen Anhänger mieten?', noMatchMessage, 'nothing_found'],
    ] as const)
      expect(findNeed(services, query), query).toEqual({ found: [], notOffered, notOfferedCode });
    // The name of a place does not make a question foreign.
    for (const query of [
      'fix my bathtub in St. Petersburg',
      'fix my bathtub',
      'my dog is sick',
      'a 9 kW sauna',
    ])
      expect(findNeed(services, query).notOffered, query).not.toContain('Spanish');
    expect(findNeed(services, '¿Puedo alquilar un dinosaurio?').notOffered).toBe(
      'We found nobody here who does that.',
    );
    expect(searchServices('qqxxqqxx')).toEqual([]);
    expect(searchServices('washer dryer qqxxqqxx').map(({ path }) => path)).toEqual(
      searchServices('washer dryer').map(({ path }) => path),
    );
  });

  it('shows only the services that the record names for a service that is not offered', () => {
    for (const { what, answer, words, instead = [] } of registry.network.search.notOffered) {
      const need = findNeed(services, words[0]!);
      expect(need.notOffered).toBe(answer ?? `We don’t do ${what}.`);
      expect(need.found.map(({ subsite }) => subsite)).toEqual(instead);
      expect(need.found.map(({ kind }) => kind)).not.toContain('Request');
    }
  });

  it('shows the shortest rental next to the price', () => {
    const terms = registry.subsites.flatMap((subsite) =>
      subsite.minimumTerm ? [{ subsite, text: describeMinimumTerm(subsite.minimumTerm) }] : [],
    );
    expect(terms.length).toBeGreaterThan(0);
    for (const { subsite, text } of terms) {
      const [entry] = findNeed(services, subsite.title).found;
      const html = renderResult(entry!, 'America/New_York', new Date());
      expect(html.replaceAll('\u00a0', ' ')).toContain(`<span>${text}</span>`);
    }
  });

  it('also shows the service for another need in a question about a service that is not offered', () => {
    for (const [query, what, names] of [
      [
        'the water heater closet is flooding the hallway and the AC is also off',
        'plumbing',
        ['hvac'],
      ],
      ['water heater broke, need AC fixed too', 'plumbing', ['hvac']],
      ['mow my lawn and take away the old couch', 'lawn and tree care', ['junk']],
      ['a plumber and an electrician', 'plumbing', []],
      ['babysitter for my son and daughter', 'child or pet care', []],
      ['I need a plumber. My sink is clogged and water is everywhere, please help', 'plumbing', []],
      ['plumber, burst pipe in the kitchen and bathroom', 'plumbing', []],
    ] as const) {
      const { found, notOffered } = findNeed(services, query);
      expect(notOffered, query).toBe(`We don’t do ${what}.`);
      expect(
        found.map(({ subsite }) => subsite),
        query,
      ).toEqual(names);
    }
  });

  it.each([
    'offer lawn mowing',
    'I want to offer a service',
    'we offer dog walking in Largo',
    'I’d like to provide house cleaning services',
    'sell my services',
    'start my own lawn mowing',
    'start my own lawn mowing business',
    'ofrezco servicios de jardinería',
  ])('leads people who offer something to the service that makes their page: %s', (query) => {
    const { found, notOfferedCode } = findNeed(services, query);
    expect(found[0]?.subsite).toBe('sales');
    expect(notOfferedCode).not.toBe('not_offered');
  });

  it.each([
    'do you offer lawn mowing',
    'does anyone here offer lawn mowing',
    'who offers lawn mowing',
    'someone offering lawn mowing',
  ])('says that nobody here mows lawns, and names no other service: %s', (query) =>
    expect(findNeed(services, query)).toMatchObject({ found: [], notOfferedCode: 'not_offered' }),
  );

  it.each(['make an offer on a house', 'where is my offer', 'can I offer 50 for the mixer'])(
    'does not mistake a price that somebody offers for a service: %s',
    (query) => expect(findNeed(services, query).notOffered).toBeUndefined(),
  );

  it.each(['where can I sell my old couch', 'sell my old couch', 'I want to sell an old couch'])(
    'puts first who sells things, not who takes them away, for “%s”',
    (query) => expect(findNeed(services, query).found[0]?.subsite).toBe('estate'),
  );

  it.each(['lamp', 'table lamp'])(
    'shows rentals as such, from small to large, and before sold items: %s',
    (query) => {
      const items = findNeed(services, query).found.filter(({ item }) => item !== undefined);
      const rentals = items.filter(({ subsite }) => subsite === 'kerplunk');
      expect(rentals.map(({ kind }) => kind)).toEqual(rentals.map(() => 'Furniture rental'));
      const order = ['studio', '1br', '2br', '3br'];
      expect(rentals.map(({ item }) => item)).toEqual(
        order.filter((id) => rentals.some(({ item }) => item === id)),
      );
      expect(items.findIndex(({ isOver }) => isOver)).toBe(rentals.length);
    },
  );

  it.each(['couch', 'cheap couch under 100'])('finds furniture, not exercise, for “%s”', (query) =>
    expect(findNeed(services, query).found.map(({ subsite }) => subsite)).not.toContain('fit'),
  );

  it.each(['couch to 5k', 'chair exercise class'])('finds exercise for “%s”', (query) =>
    expect(findNeed(services, query).found[0]?.subsite).toBe('fit'),
  );

  it('finds a word while the user types it', () => {
    const [trailer] = searchServices('trailer');
    for (const prefix of ['tr', 'tra', 'trai', 'trail', 'traile'])
      expect(
        searchServices(prefix).map(({ path }) => path),
        prefix,
      ).toContain(trailer?.path);
    expect(
      searchServices('so')
        .map(({ title }) => title)
        .join(),
    ).toMatch(/sofa|junk|furniture/i);
  });

  it('treats only requestable entries as services', () => {
    for (const { url, category, status } of registry.subsites) {
      const { kind } = searchServices(
        registry.subsites.find((subsite) => subsite.url === url)!.title,
      ).find(({ path }) => path === url)!;
      expect(kind, url).toBe(
        status === 'auth' ? 'Account needed' : category === 'misc' ? 'Information' : 'Service',
      );
    }
  });
});
