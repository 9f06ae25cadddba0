import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { loadRegistry } from '../../src/registry/index.ts';
import { findNeed } from '../../src/search/find-need.ts';
import { openServiceIndex } from '../../src/search/find-services.ts';
import { createServiceDocument } from '../../src/search/services.ts';

const NOBODY_FOUND_PATTERN = /^We found nobody here/;
const registry = loadRegistry('registry');
const index = openServiceIndex(createServiceDocument(registry));

const judgedNeeds = readFileSync(new URL('needs.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line, number) => {
    const [services = '', words = ''] = line.split('\t');
    const { found, notOffered } = findNeed(index, words);
    return {
      isHeldBack: number % 2 === 1,
      words,
      isMet: services !== '-',
      isClaimed: notOffered === undefined,
      isDenied: notOffered !== undefined && NOBODY_FOUND_PATTERN.test(notOffered),
      isRightFirst: found[0] !== undefined && services.split('|').includes(found[0].subsite),
    };
  });

const otherNeedsNobodyMeets = judgedNeeds.filter(({ isMet }) => !isMet);

/** Minimum share of needs with the right service first; the goal of issue 10 is 0.9. */
const minimums = { tuned: 0.93, heldBack: 0.92 };

describe.each([
  { half: 'tuned', isHeldBack: false },
  { half: 'heldBack', isHeldBack: true },
] as const)('what people look for, $half half', ({ half, isHeldBack }) => {
  const needs = judgedNeeds.filter((need) => need.isHeldBack === isHeldBack);
  const metNeeds = needs.filter(({ isMet }) => isMet);
  const otherNeeds = needs.filter(({ isMet }) => !isMet);
  const shareOf = (some: readonly unknown[], all: readonly unknown[]) => some.length / all.length;

  it('has needs that a service meets, and others', () => {
    expect(metNeeds.length).toBeGreaterThan(80);
    expect(otherNeeds.length).toBeGreaterThan(25);
  });

  it('finds the right service first', () =>
    expect(
      shareOf(
        metNeeds.filter(({ isRightFirst }) => isRightFirst),
        metNeeds,
      ),
    ).toBeGreaterThanOrEqual(minimums[half]));

  it('hardly ever denies a service that exists', () =>
    expect(metNeeds.filter(({ isDenied }) => isDenied).length).toBeLessThanOrEqual(2));

  it('claims no service for a need that nobody meets, with few exceptions', () =>
    expect(
      shareOf(
        otherNeeds.filter(({ isClaimed }) => isClaimed),
        otherNeeds,
      ),
    ).toBeLessThanOrEqual(0.1));
});

it('never denies an item whose title is in the query', () => {
  const deniedQueries = Object.values(registry.catalogs).flatMap(({ items }) =>
    items.flatMap(({ id, title }) =>
      [
        title,
        `is the ${title} still available?`,
        `hola, ¿${title} todavía está disponible?`,
      ].filter((query) => {
        const { found, notOffered } = findNeed(index, query);
        return notOffered !== undefined || !found.some(({ item }) => item === id);
      }),
    ),
  );
  expect(deniedQueries).toEqual([]);
});

it.each([
  ['is the mixer still available', 'shop'],
  ['kitchen mixer', 'shop'],
  ['I groom dogs and want a web page', 'sales'],
  ['my mother is 80, I look for a trailer rental', 'trailer'],
  ['grandfather passed away, sell the house contents', 'estate'],
  ['necesito que alguien arregle el aire', 'hvac'],
  ['quiero que se lleven un colchón viejo', 'junk'],
  ['busco quien haga una página web para mi restaurante', 'sales'],
])('meets a need in an item’s words, in a sentence, or in Spanish: %s', (query, name) => {
  const { found, notOffered } = findNeed(index, query);
  expect({ subsite: found[0]?.subsite, notOffered }).toEqual({ subsite: name });
});

it.each([
  ['rent a trailer saturday next week', 'gpu'],
  ['rent a trailer', 'gpu'],
  ['ac stopped working at night, my elderly mother is here', 'sales'],
])('leaves out a service that only mentions a word in passing: %s', (query, name) =>
  expect(findNeed(index, query).found.map(({ subsite }) => subsite)).not.toContain(name),
);

it('lists every item that has the only word of a question', () => {
  const trailers = registry.catalogs['trailer']!.items.map(({ id }) => id);
  const found = findNeed(index, 'trailer').found.flatMap(({ item }) => item ?? []);
  expect(found).toEqual(expect.arrayContaining(trailers));
});

it('normalizes a need a few times, not once for each title', () => {
  const need = 'rent a trailer for my sofa '.repeat(100);
  const normalize = vi.spyOn(String.prototype, 'normalize');
  findNeed(index, need);
  const longTexts = normalize.mock.contexts.filter((text) => String(text).length > 1_000);
  normalize.mockRestore();
  expect(longTexts.length).toBeLessThan(20);
});

it.each([
  ['tonight', ['tonite', '2nite', 'tonigth']],
  ['tomorrow', ['tomorow', 'tommorow', 'tmrw', '2morrow']],
  ['today', ['2day']],
  ['please come as soon as possible', ['plz come asap', 'pls come a.s.a.p.']],
])('finds the same for “%s” in the spelling of a text message', (usual, spellings) => {
  const find = (time: string) => {
    const { found, notOffered } = findNeed(index, `ac broke need someone ${time}`);
    return { first: found[0]?.subsite, notOffered };
  };
  expect(find(usual)).toEqual({ first: 'hvac', notOffered: undefined });
  for (const spelling of spellings) expect(find(spelling), spelling).toEqual(find(usual));
});

it.each(['my ac wont turn on', 'ac doesnt work can u come', 'AC broke qqq', 'u fix ur ac??'])(
  'finds the service that a text message names: %s',
  (query) => {
    const { found, notOffered } = findNeed(index, query);
    expect({ subsite: found[0]?.subsite, notOffered }).toEqual({ subsite: 'hvac' });
  },
);

it.each(otherNeedsNobodyMeets)('lists no service that is not related: $words', ({ words }) => {
  const { found, notOfferedCode } = findNeed(index, words);
  if (notOfferedCode === 'nothing_found') expect(found).toEqual([]);
  if (notOfferedCode === 'uncertain')
    expect(found.filter(({ item }) => item !== undefined)).toEqual([]);
});

it.each([
  'passport renewal',
  'passport',
  'tax help',
  'catering for a wedding',
  'someone to drive me to the airport',
  'take me to the airport',
  'pick me up from the hospital',
  'need a lift to the cruise port',
  'can somebody drive my mom to the doctor',
  'book an uber',
  'que alguien me lleve al aeropuerto',
])('says what nobody here does, and lists no service for it: %s', (query) => {
  const { found, notOfferedCode } = findNeed(index, query);
  expect({ found, notOfferedCode }).toEqual({ found: [], notOfferedCode: 'not_offered' });
});

it.each([
  ['busco una mesa usada para la cocina', 'shop'],
  ['sillas usadas', 'shop'],
  ['escritorio usado', 'shop'],
  ['used kitchen table', 'shop'],
  ['alquilar mesas para una fiesta', 'tables'],
  ['pick up my couch and drive it across town', 'drive'],
  ['take my old couch to the dump', 'junk'],
  ['can someone pick up my couch', 'junk'],
  ['need sumone to haul brush and yard waste', 'junk'],
  ['apartment for rent in st pete', 'homes'],
  ['looking for an apartment to rent', 'homes'],
  ['alguien que me case', 'weddings'],
  ['newsletter', 'blog'],
  ['sponsor the newsletter', 'advertising'],
  ['dumpster rental for a week', 'junk'],
  ['dumpster', 'junk'],
  ['carry a passport across town', 'drive'],
  ['pick up flowers and bring them to my mom', 'drive'],
  ['pick me up some pool chlorine', 'pools'],
  ['officiant for a wedding', 'weddings'],
  ['crm for realtors', 'agents'],
  ['hoarding cleanup', 'cleanouts'],
  ['rent a house', 'homes'],
  ['withdraw from the newsletter', 'blog'],
  ['what can I rent', 'rentals'],
  ['how does this work', 'start'],
  ['who owns this website', 'about'],
  ['did my request go through', 'results'],
  ['rent a table', 'tables'],
  ['rent tables for a party', 'tables'],
  ['mesas', 'tables'],
  ['rent a picnic table', 'picnic-table'],
  ['rent a 2 bedroom house', 'homes'],
  ['power for a DJ at a wedding', 'generator'],
  ['generator for my wedding', 'generator'],
  ['deliver a wedding cake', 'drive'],
  ['pick up my dry cleaning', 'drive'],
  ['when is the newsletter sent', 'blog'],
  ['tabels for a party', 'tables'],
  ['washr for my apartment', 'wd'],
  ['do you have a trailer available', 'trailer'],
  ['rent a house with a dishwasher', 'homes'],
  ['house for rent with a dishwasher', 'homes'],
  ['Looking for Trailer', 'trailer'],
  ['Looking for Furniture', 'kerplunk'],
  ['Looking for Generator Rental', 'generator'],
  ['I am looking for Washer', 'wd'],
  ['Where do I go for Moving Boxes', 'moving'],
  ['I need a quote for Junk Removal', 'junk'],
  ['Service for Furnace', 'hvac'],
  ['Price for Trailer', 'trailer'],
  ['How much for Washer', 'wd'],
  ['Supplies for Pool', 'pools'],
  ['What do you charge for Trailers', 'trailer'],
])('tells apart needs that share words: %s', (query, subsite) =>
  expect(findNeed(index, query).found[0]?.subsite).toBe(subsite),
);

it.each([
  'sewing machine repair',
  'repair my sewing machine',
  'hot tub repair',
  'ikea furniture assembly',
  'furniture repair',
  'bike repair',
  'watch repair',
  'shoe repair',
  'couch repair',
  'air fryer repair',
  'piano tuning',
  'phone screen repair',
  'driveway repair',
  'trailer repair',
  'window installation',
  'carpet installation',
  'install a water softener',
  'instalar una cerca',
  'reparar mi bicicleta',
  'bartender for my wedding',
  'string quartet for a wedding',
  'makeup artist for my wedding',
  'bike tune up',
  'snowblower tuneup',
  'windshield washer replacement',
  'pressure washer replacement',
  'windshield replacement',
  'replace my windshield',
])('says that nobody does work on something else, or another part of an event: %s', (query) =>
  expect(findNeed(index, query)).toEqual({
    found: [],
    notOffered: expect.stringMatching(NOBODY_FOUND_PATTERN),
    notOfferedCode: 'nothing_found',
  }),
);

it.each([
  ['garage door repair', []],
  ["my garage door won't open", []],
  ['garage door opener installation', []],
  ['home repair', []],
  ['drywall repair', []],
  ['couch cleaning', []],
  ['septic tank cleaning', []],
  ['dryer vent cleaning', []],
  ['dry cleaning', []],
  ['rent a portable ac for 2 days', ['hvac']],
  ['pool heater installation', ['pools', 'water']],
  ['dj for a wedding', ['weddings']],
  ['florist for my wedding', ['weddings']],
  ['wedding cake', ['weddings']],
  ['venue for a wedding', ['weddings']],
  ['dj', []],
  ['rent a bounce house', []],
  ['catering for a wedding', []],
  ['pay my electric bill', []],
])('says what nobody here does before it names a related service: %s', (query, subsites) => {
  const { found, notOfferedCode } = findNeed(index, query);
  expect({ subsites: found.map(({ subsite }) => subsite), notOfferedCode }).toEqual({
    subsites,
    notOfferedCode: 'not_offered',
  });
});

it.each([
  ['ac compressor repair', 'hvac'],
  ['thermostat repair', 'hvac'],
  ['air handler repair', 'hvac'],
  ['central air installation', 'hvac'],
  ['fix my ac', 'hvac'],
  ['heat pump installation', 'hvac'],
  ['mini split installation', 'hvac'],
  ['install a ductless ac', 'hvac'],
  ['trane ac repair', 'hvac'],
  ['honeywell thermostat repair', 'hvac'],
  ['blower motor replacement', 'hvac'],
  ['replace filter for ac', 'hvac'],
  ['need someone to fix my heater today', 'hvac'],
  ['instalar aire acondicionado', 'hvac'],
  ['ac needs repair', 'hvac'],
  ['my ac needs fast repair', 'hvac'],
  ['property tax help', 'housing'],
  ['generator for a window ac', 'generator'],
  ['window ac disposal', 'junk'],
])('meets work on a thing that the service has: %s', (query, name) => {
  const { found, notOffered } = findNeed(index, query);
  expect({ subsite: found[0]?.subsite, notOffered }).toEqual({ subsite: name });
});

it.each([
  ['I need a plumber and also a trailer', 'We don’t do plumbing.', ['trailer']],
  ['I need a plumber. I also need a trailer.', 'We don’t do plumbing.', ['trailer']],
  ['I need a trailer and a lawyer', 'We don’t do legal or notary work.', ['trailer']],
  [
    'my AC is leaking and my car needs a wash',
    'We don’t do cleaning of furniture, vehicles or ducts.',
    ['hvac'],
  ],
  ['rent tables and a tent', 'We don’t do tents or canopies.', ['tables']],
  ['trailer and plumbr', 'We don’t do plumbing.', ['trailer']],
])('says what nobody here does next to a need that someone meets: %s', (query, text, subsites) => {
  const { found, notOffered } = findNeed(index, query);
  expect({ notOffered, subsites: found.map(({ subsite }) => subsite) }).toEqual({
    notOffered: text,
    subsites: expect.arrayContaining(subsites),
  });
});

it.each([
  ['I need a website and I’m a plumber', 'sales'],
  ['I do dog walking and need a website', 'sales'],
  ['website and logo for my nail salon', 'sales'],
  ['haul away my couch and a broken toilet', 'junk'],
  ['trailer with new tires and a ramp', 'trailer'],
  ['my washer and dryer are broken and I rent them from you', 'wd'],
  ['AC repair and my landlord is a lawyer', 'hvac'],
  ['rent a trailer and my car is broken', 'trailer'],
  ['tables and chairs. The caterer comes at 5', 'tables'],
])('mentions nothing that is only the reason for a need: %s', (query, subsite) => {
  const { found, notOffered } = findNeed(index, query);
  expect({ subsite: found[0]?.subsite, notOffered }).toEqual({ subsite });
});

it.each(['tables and chairs and a DJ', 'tables and chairs and a bounce house'])(
  'lists first what the whole question is about: %s',
  (query) => expect(findNeed(index, query).found[0]?.subsite).toBe('tables'),
);

it('keeps the services for a website next to who took its pictures', () => {
  const { found, notOffered } = findNeed(index, 'website and a photographer took the pictures');
  expect(notOffered).toBeUndefined();
  expect(found.map(({ subsite }) => subsite)).toContain('sales');
});

it.each(['lawn mower tune-up', 'boat tune-up'])('is not sure who tunes up a vehicle: %s', (query) =>
  expect(findNeed(index, query).notOfferedCode).toBe('uncertain'),
);

it('finds both who sells a house and who says what it is worth', () =>
  expect(
    findNeed(index, 'want to sell my house but not sure what its worth').found.map(
      ({ subsite }) => subsite,
    ),
  ).toEqual(expect.arrayContaining(['housing', 'homes'])));

it.each([
  ['rent a trailer starting tomorrow', []],
  ['rent a trailer', []],
  ['rent a 7x14 trailer december 7 to 8', ['7x14']],
  ['rent a 7x14 trailer starting december 7', ['7x14']],
  ['rent a 6x12 trailer', ['6x12']],
])('lists the items that the words name, and no others: %s', (query, items) =>
  expect(findNeed(index, query).found.flatMap(({ item }) => item ?? [])).toEqual(items),
);

it.each(['tonight', 'asap', 'tomorrow at 5 pm', 'december 7', 'this weekend', 'next friday'])(
  'says that words about time alone name no need: %s',
  (query) =>
    expect(findNeed(index, query)).toEqual({
      found: [],
      notOffered: expect.stringMatching(/^This does not say what you need/),
      notOfferedCode: 'not_understood',
    }),
);

it.each(['why did bayline charge my card twice', 'pool alkalinity came back at 40, is that bad'])(
  'leaves out pages for providers: %s',
  (query) =>
    expect(findNeed(index, query).found.map(({ subsite }) => subsite)).not.toContain('leads'),
);

it.each([
  ['ac tune up', 'hvac'],
  ['furnace tune up', 'hvac'],
  ['fix air conditioning upstairs', 'hvac'],
  ['replace my washer', 'wd'],
  ['passport delivery', 'drive'],
  ['washer replacement', 'wd'],
  ['my rental washer needs a replacement', 'wd'],
  ['tune up my generator', 'generator'],
  ['replacement dryer', 'wd'],
  ['heat pump tune-up', 'hvac'],
])('finds who does maintenance, replaces a thing or works in a room: %s', (query, subsite) =>
  expect(findNeed(index, query).found[0]?.subsite).toBe(subsite),
);

it('a need that someone meets stays met in a category without this service', () => {
  const { found, notOffered } = findNeed(index, 'generator for my wedding', {
    filter: ({ subsite }) => subsite === 'weddings',
  });
  expect(found.map(({ subsite }) => subsite)).toEqual(['weddings']);
  expect(notOffered).toBeUndefined();
});
