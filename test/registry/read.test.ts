import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatFault, RegistryError } from '../../src/registry/fault.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { readRegistry } from '../../src/registry/read.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';

const readFaultLines = (sources: ReturnType<typeof toSources>) => {
  try {
    readRegistry('registry', sources);
    return [];
  } catch (error) {
    return (error as RegistryError).faults.map(formatFault);
  }
};

describe('reading a registry', () => {
  it('finds no error in this repository’s network', () => {
    expect(loadRegistry('registry').subsites.length).toBeGreaterThanOrEqual(55);
  });

  it('returns the same registry for JSON as for YAML', () => {
    const jsonFiles = Object.fromEntries(
      Object.entries(createSampleFiles()).map(([file, data]) => [
        file.replace(/\.yaml$/, '.json'),
        data,
      ]),
    );
    expect(readRegistry('registry', toSources(jsonFiles))).toEqual(
      readRegistry('registry', toSources(createSampleFiles())),
    );
  });

  it('extracts the search phrases and leaves the records otherwise unchanged', () => {
    const files = createSampleFiles();
    const [kites, terms] = [files['subsites/kites.yaml']!, files['pages/kites/terms.md']!];
    const createPhrasings = (name: string) => [`How about ${name}?`, name];
    kites.availability = 'Now';
    kites.intro = 'Hello.';
    kites.pricing = [{ unit: 'day', amount: 5, currency: 'USD' }];
    const registryWithoutPhrases = readRegistry('registry', toSources(files));
    kites.facts = [{ text: 'Kites fly.', asked: createPhrasings('facts.0') }];
    kites.availability = { text: 'Now', asked: createPhrasings('availability') };
    kites.guide[0].asked = createPhrasings('guide.0');
    kites.pricing[0].asked = createPhrasings('pricing.0');
    kites.asked = { Hello: createPhrasings('Hello') };
    files['catalog/kites.yaml']!.items[1].asked = createPhrasings('items.1');
    files['catalog/kites.yaml']!.items[0].asked = { 'A delta': createPhrasings('items.0.A delta') };
    terms.asked = { dry: createPhrasings('dry') };
    const { asked: phrases, ...registry } = readRegistry('registry', toSources(files));
    expect({ ...registry, asked: {} }).toEqual(registryWithoutPhrases);
    expect(phrases).toEqual(
      Object.fromEntries(
        Object.entries({
          'subsites/kites': ['facts.0', 'availability', 'guide.0', 'pricing.0', 'Hello'],
          'catalog/kites': ['items.0.A delta', 'items.1'],
          'pages/kites/terms': ['dry'],
        }).map(([record, places]) => [
          record,
          Object.fromEntries(places.map((place) => [place, createPhrasings(place)])),
        ]),
      ),
    );
  });

  it('returns a deeply frozen value', () => {
    const registry = readRegistry('registry', toSources(createSampleFiles()));
    expect(() => ((registry.subsites[0]!.actions as unknown[])[0] = 1)).toThrow(TypeError);
  });

  it('parses a file again only after an edit', () => {
    const files = createSampleFiles();
    const firstRegistry = readRegistry('registry', toSources(files));
    files['subsites/kites.yaml']!.title = 'Other kites';
    const kitesOf = ({ subsites }: typeof firstRegistry) =>
      subsites.find(({ name }) => name === 'kites')!;
    const secondRegistry = readRegistry('registry', toSources(files));
    expect([kitesOf(firstRegistry).title, kitesOf(secondRegistry).title]).toEqual([
      'Title of kites',
      'Other kites',
    ]);
    expect(secondRegistry.network).toBe(firstRegistry.network);
    files['subsites/kites.yaml']!.title = 7;
    expect(readFaultLines(toSources(files))).toHaveLength(1);
    expect(readFaultLines(toSources(files))).toHaveLength(1);
    expect(readRegistry('registry', toSources(createSampleFiles()))).toEqual(firstRegistry);
  });

  it('reports 40 errors in 40 files as 40 lines, each with its location', () => {
    const files = createSampleFiles();
    for (let index = 0; index < 40; index++)
      files[`subsites/extra-${index}.yaml`] = {
        ...files['subsites/lines.yaml'],
        name: `extra-${index}`,
        category: 'unheard',
      };
    const lines = readFaultLines(toSources(files));
    expect(lines).toHaveLength(40);
    for (const line of lines)
      expect(line).toMatch(
        /^registry\/subsites\/extra-\d+\.yaml:13:11 category: expected one of marketing, product, misc\.$/,
      );
  });

  it('reports several errors in one file at once, in line order', () => {
    const files = createSampleFiles();
    const misspelledKey = 'schemaTyp';
    Object.assign(files['subsites/kites.yaml']!, {
      title: 7,
      [misspelledKey]: 'Service',
      status: 'pubic',
    });
    expect(readFaultLines(toSources(files))).toEqual([
      'registry/subsites/kites.yaml:2:8 title: is a number. Use text: Display name. Put it in quotes.',
      'registry/subsites/kites.yaml:13:9 status: expected one of public, auth. Did you mean public?',
      expect.stringMatching(
        /^registry\/subsites\/kites\.yaml:\d+:1 schemaTyp: is an unknown key\. Did you mean schemaType\?$/,
      ),
    ]);
  });

  it('lists only the keys of the kind that a record has', () => {
    const files = createSampleFiles();
    files['subsites/kites.yaml']!.actions[0].effect.nightly = 5;
    expect(readFaultLines(toSources(files))).toEqual([
      expect.stringMatching(
        /effect\.nightly: is an unknown key\. Known keys: kind, catalog, itemField, (?!.*(?:kind|serviceField|keyField))/,
      ),
    ]);
  });

  it('reports a misspelled required key once, and a missing one too', () => {
    const files = createSampleFiles();
    const { category, status: _, ...record } = files['subsites/kites.yaml']!;
    files['subsites/kites.yaml'] = { ...record, categry: category } as EditableRecord;
    expect(readFaultLines(toSources(files))).toEqual([
      expect.stringContaining('status: is missing.'),
      expect.stringContaining('categry: is an unknown key. Did you mean category?'),
    ]);
  });

  it('suggests the nearest known key of an action, whose optional keys may have one value', () => {
    const files = createSampleFiles();
    files['subsites/kites.yaml']!.actions[0].respondWithinHour = 4;
    expect(readFaultLines(toSources(files))).toContainEqual(
      expect.stringContaining(
        'actions[0].respondWithinHour: is an unknown key. Did you mean respondWithinHours?',
      ),
    );
  });

  it('names known keys for an unknown key in any object of any record', () => {
    const addUnknownKeys = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(addUnknownKeys);
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).map(([name, member]) => [name, addUnknownKeys(member)]);
      return { ...Object.fromEntries(members), unknownKeyOfRecord: 1 };
    };
    const records = readdirSync('registry/subsites').map((file) => {
      const record = parse(readFileSync(`registry/subsites/${file}`, 'utf8')) as object;
      return [`subsites/${file}`, addUnknownKeys(record) as EditableRecord] as const;
    });
    const lines = readFaultLines(
      toSources({ ...createSampleFiles(), ...Object.fromEntries(records) }),
    );
    const unknownKeys = lines.filter((line) => line.includes('unknownKeyOfRecord: is an unknown'));
    expect(unknownKeys.length).toBeGreaterThan(records.length * 5);
    expect(unknownKeys.filter((line) => /Known keys: \.$/.test(line))).toEqual([]);
  });

  it('suggests the nearest known key deep inside an action', () => {
    const files = createSampleFiles();
    files['subsites/kites.yaml']!.actions[0].fields.kite.requird = true;
    expect(readFaultLines(toSources(files))).toEqual([
      expect.stringContaining(
        'actions[0].fields.kite.requird: is an unknown key. Did you mean required?',
      ),
    ]);
  });

  it.each([
    [
      'a file outside the known folders',
      { file: 'registry/subsite/a.yaml', text: 'a: 1' },
      'registry/subsite/a.yaml:1:1 is not a registry file.',
    ],
    [
      'a file with the short YAML extension',
      { file: 'registry/subsites/boats.yml', text: 'a: 1' },
      'registry/subsites/boats.yml:1:1 is not read, because its name does not end in .yaml. Rename it to registry/subsites/boats.yaml.',
    ],
    [
      'an indentation with no-break spaces',
      { file: 'registry/catalog/lines.yaml', text: 'a:\n\u00a0\u00a0b: 2\n  c: 3' },
      'registry/catalog/lines.yaml:2:1 is indented with the character U+00A0. Use plain spaces.',
    ],
    [
      'two files for one record',
      { file: 'registry/subsites/kites.json', text: '{}' },
      'defines the same record as registry/subsites/kites.yaml. Keep one of the two.',
    ],
    [
      'broken YAML',
      { file: 'registry/catalog/lines.yaml', text: 'a: [1\nb: 2' },
      'registry/catalog/lines.yaml:1:4 begins with [ but is never closed',
    ],
    [
      'a page without front matter',
      { file: 'registry/pages/x.md', text: 'Hello' },
      'registry/pages/x.md:1:1 has no front matter.',
    ],
    [
      'a file name that differs from its subsite',
      {
        file: 'registry/subsites/strings.yaml',
        text: toSources(createSampleFiles()).find(({ file }) => file.includes('lines'))!.text,
      },
      'registry/subsites/strings.yaml:1:7 name: differs from the file name. Rename the subsite to strings.',
    ],
    [
      'a copy of a subsite under a file name that is not a valid name',
      {
        file: 'registry/subsites/lines copy.yaml',
        text: toSources(createSampleFiles()).find(({ file }) => file.includes('lines'))!.text,
      },
      'registry/subsites/lines copy.yaml:1:7 name: differs from the file name. Delete the file if it is a copy of lines; otherwise, rename both',
    ],
  ])('reports %s', (_, source, line) => {
    expect(readFaultLines([...toSources(createSampleFiles()), source])).toContainEqual(
      expect.stringContaining(line),
    );
  });

  it('advises to rename a misnamed file only if that replaces no other file', () => {
    const { 'subsites/lines.yaml': lines, ...files } = createSampleFiles();
    expect(readFaultLines(toSources({ ...files, 'subsites/strings.yaml': lines! }))).toContainEqual(
      expect.stringContaining('Rename the file to lines, or the subsite to strings.'),
    );
  });

  it.each([
    [
      { kite: ['dleta'] },
      /pricing\[0\]\.for\.kite: names dleta, .+ kite\. Did you mean delta\? Use one of delta/,
    ],
    [{ kites: ['delta'] }, /pricing\[0\]\.for\.kites: is not an enum field .+ Enum fields: kite/],
  ])('names the values that the choices %j of a price may have', (needed, fault) => {
    const files = createSampleFiles();
    const price = { unit: 'visit', amount: 140, currency: 'USD' };
    files['subsites/kites.yaml']!.pricing = [{ ...price, for: needed }];
    expect(readFaultLines(toSources(files)).join('\n')).toMatch(fault);
  });

  it('reports a field without values, but no value of it in a price', () => {
    const files = createSampleFiles();
    const kites = files['subsites/kites.yaml']!;
    kites.pricing = [{ unit: 'visit', amount: 140, currency: 'USD', for: { kite: ['delta'] } }];
    kites.actions[0].fields.kite.enum = [];
    const lines = readFaultLines(toSources(files)).join('\n');
    expect(lines).toMatch(/fields\.kite\.enum: has too few entries/);
    expect(lines).not.toMatch(/pricing|Use one of\s*\.?$/m);
  });

  it('reports an invalid street address, customer address field and choice', () => {
    const files = createSampleFiles();
    const kites = files['subsites/kites.yaml']!;
    kites.address = { street: '12 Kite Way', town: 'St. Petersburg', state: 'FL', zip: '3371' };
    kites.actions[0].visitField = 'nowhere';
    kites.actions[0].bring = [{ text: 'A long line', for: { kite: ['unknown'] } }];
    const lines = readFaultLines(toSources(files));
    expect(lines).toHaveLength(3);
    expect(lines.join('\n')).toMatch(
      /bring\[0\]\.for\.kite: names unknown, which is not a value of the field kite\. Use one of /,
    );
    expect(lines.join('\n')).toMatch(/address\.zip: is not a ZIP code\. Use five digits/);
    expect(lines.join('\n')).toMatch(
      /actions\[0\]\.visitField: does not name a field of this action\./,
    );
  });

  it.each([
    [
      (kites: any) => (kites.pricing = [{ unit: 'visit', amount: '140,50', currency: 'USD' }]),
      /amount: is text\. .+ Write 140\.50\.$/,
    ],
    [
      (kites: any) => (kites.pricing = [{ unit: 'visit', amount: '140.50', currency: 'USD' }]),
      /amount: is text\. .+ Remove the quotes\.$/,
    ],
    [
      (kites: any) => (kites.pricing = [{ unit: 'visit', amount: '$140', currency: 'USD' }]),
      /amount: is text\. .+ Write 140\.$/,
    ],
    [
      (kites: any) =>
        Object.assign(Object.values<any>(kites.actions[0].fields)[0], { type: 'boolean' }),
      /type: expected one of .+ For yes or no, use enum with the values "yes" and "no", in quotes\.$/,
    ],
  ])('says how to write a number and a yes or no: %s', (edit, fault) => {
    const files = createSampleFiles();
    edit(files['subsites/kites.yaml']!);
    expect(readFaultLines(toSources(files))).toContainEqual(expect.stringMatching(fault));
  });

  it('reports missing required records', () => {
    expect(readFaultLines([])).toEqual([
      'registry/network.yaml:1:1 is missing. Add the file.',
      'registry/routes.yaml:1:1 is missing. Add the file, with [] for an empty list.',
      'registry/subsites:1:1 is missing. Add at least one record.',
    ]);
  });

  it('reports a misspelled lead endpoint once, with the endpoint that is meant', () => {
    const files = createSampleFiles();
    files['subsites/kites.yaml']!.leadEndpoint = '/api/lead/actio';
    expect(readFaultLines(toSources(files))).toEqual([
      expect.stringContaining(
        'looks like a misspelling of /api/lead/action. Use /api/lead/action.',
      ),
    ]);
  });

  it('names the subsites with faults of their own among those that are known', () => {
    const files = createSampleFiles();
    files['subsites/kites.yaml']!.category = 'products';
    files['catalog/nosuch.yaml'] = files['catalog/kites.yaml']!;
    expect(readFaultLines(toSources(files))).toContainEqual(
      expect.stringContaining('“nosuch” does not name a subsite. Known: kites, lines.'),
    );
  });

  it('does not report a reference to an unreadable record', () => {
    const files = createSampleFiles();
    files['catalog/kites.yaml']!.noun = 7;
    expect(readFaultLines(toSources(files))).toEqual([
      expect.stringContaining('catalog/kites.yaml:2:7 noun:'),
    ]);
  });
});
