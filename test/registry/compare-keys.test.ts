import { describe, expect, it } from 'vitest';
import { compareRegistries, HIDDEN_KEYS } from '../../src/registry/compare/compare.ts';
import { readRegistry } from '../../src/registry/read.ts';
import type { Registry } from '../../src/site/registry.ts';
import { type Kind, kinds } from '../../src/registry/schemas/schema.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';
import { keysOf, type Place, placesOf, schemaOf } from './schema-keys.ts';

/** A sample with every key of every kind of record. */
function createSampleWithEveryKey(): Record<string, EditableRecord> {
  const files = createSampleFiles();
  const [kites, lines, network] = [
    files['subsites/kites.yaml']!,
    files['subsites/lines.yaml']!,
    files['network.yaml']!,
  ];
  Object.assign(network.organization, {
    email: 'a@kites.net',
    hours: [{ days: ['Tuesday'], opens: '08:00', closes: '12:00' }],
  });
  Object.assign(network, {
    terms: '/kites/terms',
    search: {
      places: ['Town'],
      elsewhere: ['Far'],
      synonyms: [['kite', 'dragon']],
      notOffered: [
        {
          what: 'balloons',
          answer: 'Ask at the fair.',
          spanish: 'Pregunte en la feria.',
          references: true,
          warns: true,
          words: ['balloon'],
          except: ['kite balloon'],
          instead: ['kites'],
        },
      ],
    },
    closedDays: [{ date: '12-25', name: 'Christmas Day' }],
    skills: [
      {
        name: 'fly',
        description: 'Fly.',
        questions: ['How?', 'Where?'],
        body: 'Run.',
        dynamic: false,
      },
    ],
  });
  files['capabilities.yaml']!.push({
    ...structuredClone(files['capabilities.yaml']![0]),
    id: 'company.research',
    pricing: { kind: 'quote', description: 'By length.' },
    costs: {
      currency: 'USD',
      baseMinor: 1,
      perUnitMinor: 1,
      unitCharacters: 10,
      operationsFeeMinor: 1,
    },
  });
  const image = {
    file: 'images/kite.jpg',
    alt: 'A red kite',
    credit: 'A. Person',
    license: 'own',
  };
  const price = { unit: 'day', amount: 5, currency: 'USD', notes: 'With a line.' };
  files['catalog/kites.yaml']!['purchaseTerms'] = ['Pick it up at the kite shop.'];
  Object.assign(files['catalog/kites.yaml']!.items[0], {
    status: 'available',
    date: '2026-01-01',
    place: 'Town',
    price,
    units: 2,
    tags: ['small'],
    attributes: { length_ft: 3 },
    image,
    body: 'Flies.',
    updated: '2026-01-02',
  });
  files['pages/list.md'] = {
    title: 'List',
    description: 'List.',
    updated: '2026-01-02',
    items: { catalog: 'kites', status: 'available', tag: 'small' },
    tool: 'missed-call-calculator',
    body: 'All.',
  };
  files['responsiveness.json'] = {
    kites: { answered: 20, of: 20, medianMinutes: 3, since: '2026-01-01' },
  };
  Object.assign(kites, {
    provider: 'The kite shop',
    skipJsonLd: false,
    skipSitemap: false,
    serviceArea: 'Here',
    alternatives: ['lines'],
    serviceZips: ['337'],
    minimumTerm: { count: 3, unit: 'month' },
    afterHours: 'Emergencies',
    closedDays: [{ date: '2026-12-24', name: 'Christmas Eve' }],
    skipNetworkClosedDays: false,
    availability: 'Now',
    keywords: ['sky'],
    pricing: [{ ...price, extra: false, for: { wind: ['low'] } }],
    commission: { percent: 20, notes: 'Of what is sold.' },
    image,
    icon: 'wind',
    rank: 1,
    businessType: 'Store',
    since: 1998,
    credentials: [
      { kind: 'license', text: 'A pilot license', issuer: 'The state', number: 'FL-123' },
    ],
    status: 'auth',
    access: { for: 'pilots', steps: ['Ask.'] },
    phone: '+1 727 555 0142',
    address: { street: '12 Kite Way', town: 'St. Petersburg', state: 'FL', zip: '33713' },
    hours: [{ days: ['Monday'], opens: '07:00', closes: '19:00' }],
    intro: 'Hello.',
    notify: 'a@sample.example',
  });
  lines.snapshots[0].figures = { total: 'subsites' };
  const text = (more: EditableRecord = {}) => ({ type: 'string', required: false, ...more });
  lines.contactForm = {
    title: 'Ask',
    text: 'We answer.',
    button: 'Send',
    question: 'Your question',
    request: 'question',
  };
  const [book] = kites.actions;
  Object.assign(book, {
    request: 'kite request',
    intro: 'Kites for you.',
    messageHint: 'Write the color.',
    cancellation: 'Canceling costs nothing.',
    bring: ['A license', { text: 'A long line', for: { kite: ['delta'] } }],
    visitField: 'note',
    purpose: 'question',
    providerMayPay: true,
    salesTaxPercent: 7,
    resultExample: '{}',
    capability: { fields: { note: text({ description: 'Note.' }) }, limitations: ['One kite.'] },
  });
  Object.assign(book.effect, { deposit: 200, chargedDays: { of: 7, as: 5 } });
  Object.assign(book.fields, {
    note: text({
      description: 'Note.',
      example: 'delta',
      label: 'Note',
      hint: 'In a word',
      item: true,
      place: true,
      known: 'Red.',
    }),
    wind: {
      type: 'enum',
      required: false,
      enum: ['low', 'high'],
      default: 'low',
      initial: 'low',
      more: true,
      emergency: 'high',
      today: 'low',
      options: { low: 'Light' },
    },
    bought: { type: 'date', required: false, past: true, time: 'by 7 pm' },
    count: { type: 'number', required: false, minimum: 1, maximum: 5, integer: true },
    shop: text({
      content: { kind: 'subsite' },
      services: { unsure: 'kites', groups: { Wind: ['kites', 'lines'] } },
    }),
    codes: text({ content: { kind: 'codes', codes: ['a'] } }),
    offers: text({ content: { kind: 'offerings', max: 3 } }),
  });
  const createAction = (verb: string, effect: EditableRecord) => ({
    ...structuredClone(book),
    verb,
    capability: {},
    effect,
  });
  kites.actions.push(
    createAction('go_on', { kind: 'route', serviceField: 'shop' }),
    createAction('open', {
      kind: 'storefront',
      nameField: 'note',
      ideaField: 'note',
      themeField: 'wind',
      placeField: 'note',
      offeringsField: 'offers',
    }),
    { ...createAction('import', { kind: 'import', keyField: 'note' }), contact: 'optional' },
  );
  // An offer repeats a field that has every possible key.
  Object.assign(
    book.capability.fields,
    structuredClone({
      to: book.fields.to,
      ...Object.fromEntries(
        ['note', 'wind', 'count', 'shop', 'codes', 'offers', 'bought'].map((name) => [
          name,
          book.fields[name],
        ]),
      ),
    }),
  );
  Object.assign(book.capability.fields.to, { description: 'Until.' });
  return files;
}

const registry = structuredClone(
  readRegistry('registry', [
    ...toSources(createSampleWithEveryKey()),
    { file: 'registry/images/kite.jpg', text: '' },
  ]),
);
const records: Record<Kind, keyof Registry> = {
  network: 'network',
  routes: 'routes',
  links: 'links',
  capabilities: 'capabilities',
  responsiveness: 'responsiveness',
  subsites: 'subsites',
  catalog: 'catalogs',
  pages: 'pages',
};

/** First value of each key in the registry. */
function collectPlaces(kind: Kind): Map<string, Place> {
  const value = registry[records[kind]];
  const schema = schemaOf(kinds[kind].schema);
  const places = kinds[kind].isSingle
    ? placesOf(schema, value)
    : Object.entries(value).flatMap(([name, record]) => placesOf(schema, record, '', [name]));
  return new Map(
    places
      .reverse()
      .map((place) => [place.key, { ...place, path: [records[kind], ...place.path] }]),
  );
}

/** Key names such as `subsites.actions[].verb` or `links[].slug`. */
const nameOf = (kind: Kind, key: string) =>
  key.startsWith('[') || key.startsWith('{') ? `${kind}${key}` : `${kind}.${key}`;

const allKeys = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
  [...collectPlaces(kind)].map(([key, place]) => ({ name: nameOf(kind, key), ...place })),
);
/**
 * Keys that only the search reads. They are removed from records, except for plain statements that
 * have phrases attached.
 */
const SEARCH_KEY_PATTERN =
  /\.asked(?:\{\})?$|^subsites\.(?:facts\[\]|serviceArea|availability)\.text$/;
const knownKeys = (Object.keys(kinds) as Kind[])
  .flatMap((kind) => keysOf(schemaOf(kinds[kind].schema)).map((key) => nameOf(kind, key)))
  .filter((name) => !SEARCH_KEY_PATTERN.test(name));
/** Keys with values that are not records. */
const leafKeys = allKeys.filter(
  ({ name }) =>
    !knownKeys.some(
      (other) =>
        other !== name && /^[.[{]/.test(other.slice(name.length)) && other.startsWith(name),
    ),
);

function createDifferentValue(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, 'other'];
  switch (typeof value) {
    case 'string':
      return `${value} other`;
    case 'number':
      return value + 1;
    case 'boolean':
      return !value;
    default:
      return { ...(value as object), other: 'other' };
  }
}

function changesOf(
  path: Place['path'],
  change: (parent: EditableRecord, name: string | number) => void,
) {
  const changedRegistry = structuredClone(registry) as EditableRecord;
  change(
    path.slice(0, -1).reduce((value, step) => value[step], changedRegistry),
    path.at(-1)!,
  );
  return compareRegistries(registry, changedRegistry as Registry);
}

describe('every key of every record', () => {
  it('is covered by this comparison', () => {
    expect([...new Set(allKeys.map(({ name }) => name))].sort()).toEqual(
      [...new Set(knownKeys)].sort(),
    );
  });

  it('exists if it is listed as hidden from agents', () => {
    expect(
      Object.keys(HIDDEN_KEYS).filter((name) => !leafKeys.some((leaf) => leaf.name === name)),
    ).toEqual([]);
  });

  it.each(leafKeys)('is reported when it changes, if agents see it: $name', ({ name, path }) => {
    expect(
      changesOf(path, (parent, key) => (parent[key] = createDifferentValue(parent[key]))).length >
        0,
    ).toBe(!(name in HIDDEN_KEYS));
  });

  it.each(allKeys.filter(({ required }) => !required))(
    'is reported when it is removed, if agents see it: $name',
    ({ name, path }) => {
      expect(changesOf(path, (parent, key) => delete parent[key]).length > 0).toBe(
        !(name in HIDDEN_KEYS),
      );
    },
  );

  it('is reported for a page’s text, which is not a key', () => {
    expect(changesOf(['pages', 0, 'body'], (parent, key) => (parent[key] = 'Other.'))).toEqual([
      {
        subject: 'page /kites/terms',
        change: 'body changed from “Return it [dry](/kites).” to “Other.”',
        breaking: false,
      },
    ]);
  });
});
