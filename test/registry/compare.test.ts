import { describe, expect, it } from 'vitest';
import { compareRegistries } from '../../src/registry/compare/compare.ts';
import { readRegistry } from '../../src/registry/read.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';

const read = (files: Record<string, EditableRecord>) => readRegistry('registry', toSources(files));

const changes: [
  change: (files: Record<string, EditableRecord>) => void,
  lines: [string, string, boolean][],
][] = [
  [
    (files) => (files['subsites/kites.yaml']!.actions[0].fields.to.required = false),
    [['kites.book_kite', 'to became optional', false]],
  ],
  [
    (files) =>
      (files['subsites/kites.yaml']!.actions[0].fields.note = {
        type: 'string',
        required: true,
        example: 'x',
      }),
    [['kites.book_kite', 'note was added as required', true]],
  ],
  [
    (files) =>
      Object.assign(files['subsites/lines.yaml']!, {
        status: 'auth',
        access: { for: 'fliers', steps: ['Ask.'] },
      }),
    [
      ['lines', 'status changed from “public” to “auth”', true],
      ['lines', 'access was added', false],
    ],
  ],
  [
    (files) => (files['subsites/lines.yaml']!.title = 'Strings'),
    [['lines', 'title changed from “Title of lines” to “Strings”', false]],
  ],
  [
    (files) => (files['subsites/kites.yaml']!.actions[0].capability = {}),
    [['kites.book_kite', 'is offered as a capability', false]],
  ],
  [
    (files) => (files['links.yaml']![0].target = '/lines'),
    [['/go/kites', 'target changed from “/kites” to “/lines”', false]],
  ],
  [
    (files) => (files['routes.yaml'] = files['routes.yaml']!.slice(0, 2)),
    [['route /api/agent-index', 'was removed', true]],
  ],
  [
    (files) =>
      (files['catalog/kites.yaml']!.items[0].price = { unit: 'day', amount: 5, currency: 'USD' }),
    [['kites item delta', 'the price for “day”, 5 USD, was added', false]],
  ],
  [
    (files) => files['subsites/kites.yaml']!.actions[0].fields.kite.enum.reverse(),
    [['kites.book_kite', 'kite: value: the order changed', false]],
  ],
  [
    (files) => files['catalog/kites.yaml']!.items.reverse(),
    [['kites catalog', 'items: the order changed', false]],
  ],
  [
    (files) => (files['catalog/kites.yaml']!.noun = 'wing'),
    [['kites catalog', 'noun changed from “kite” to “wing”', false]],
  ],
  [
    (files) => (files['subsites/kites.yaml']!.infoTools[0].name = 'get_wings'),
    [
      ['tool get_kites', 'was removed', true],
      ['tool get_wings', 'was added', false],
    ],
  ],
  [
    (files) => (files['network.yaml']!.crawl.aiInput = false),
    [['network', 'crawl.aiInput changed from true to false', false]],
  ],
  [
    (files) => (files['network.yaml']!.version = '1.1.0'),
    [['network', 'version changed from “1.0.0” to “1.1.0”', false]],
  ],
  [
    (files) => (files['subsites/kites.yaml']!.actions[0].retentionDays = 7),
    [['kites.book_kite', 'retentionDays changed from 30 to 7', false]],
  ],
];

/** Added records, with the text that is reported. */
const additions: typeof changes = [
  [
    ({ 'catalog/kites.yaml': catalog, 'subsites/kites.yaml': kites }) => {
      catalog!.items.push({ ...catalog!.items[1], id: 'stunt', title: 'Stunt kite' });
      kites!.actions[0].fields.kite.enum.push('stunt');
    },
    [
      ['kites.book_kite', 'kite: value “stunt” was added', false],
      ['kites item stunt', 'was added, “Stunt kite”', false],
      ['kites item stunt', 'the price for “day”, 129 USD, was added', false],
    ],
  ],
  [
    ({ 'subsites/kites.yaml': kites }) =>
      kites!.actions.push({
        verb: 'ask_kite',
        title: 'Ask about kites',
        description: 'Asks a question about kites.',
        respondWithinHours: 4,
        retentionDays: 30,
        fields: {},
      }),
    [['kites.ask_kite', 'was added, “Ask about kites”, with no input', false]],
  ],
];

/** Changes in prices, quantities and availability, reported with the old and the new value. */
const figureChanges: typeof changes = [
  [
    ({ 'catalog/kites.yaml': catalog }) => (catalog!.items[1].price.amount = 149),
    [['kites item box', 'the price for “day” changed from 129 USD to 149 USD', false]],
  ],
  [
    ({ 'catalog/kites.yaml': catalog }) => (catalog!.items[1].units = 3),
    [['kites item box', 'stock changed from 2 to 3', false]],
  ],
  [
    ({ 'subsites/kites.yaml': kites }) => (kites!.pricing[0].amount = 9.5),
    [['kites', 'the price for “hour” changed from 9 USD to 9.5 USD', false]],
  ],
  [
    ({ 'subsites/kites.yaml': kites }) => (kites!.actions[0].effect.hours = 4),
    [
      ['kites.book_kite', 'effect.hours changed from 2 to 4', true],
      [
        'kites.book_kite',
        'description changed from “…An item is held for 2 hours, or until the…” to “…An item is held for 4 hours, or until the…”',
        false,
      ],
    ],
  ],
  [
    ({ 'subsites/kites.yaml': kites }) => (kites!.actions[0].respondWithinHours = 24),
    [['kites.book_kite', 'respondWithinHours changed from 4 to 24', false]],
  ],
  [
    ({ 'subsites/kites.yaml': kites }) => {
      kites!.actions[0].fields.size.enum = ['large', 'huge'];
      kites!.availability =
        'Monday to Saturday, by appointment only, from 9 to 6 in the shop on the quay of the old town.';
    },
    [
      ['kites.book_kite', 'size: value “small” was removed', true],
      [
        'kites',
        'availability changed from “Monday to Friday, by appointment …” to “Monday to Saturday, by appointment …”',
        false,
      ],
      ['kites.book_kite', 'size: value “huge” was added', false],
    ],
  ],
  [
    ({ 'capabilities.yaml': capabilities }) => {
      const schema = capabilities![0].inputSchema;
      schema.properties = {
        question: { type: 'string', maxLength: 100 },
        place: { type: 'string' },
      };
      schema.required = ['question', 'place'];
    },
    [
      ['company.assist', 'input.place was added as required', true],
      ['company.assist', 'input.question became required', true],
      ['company.assist', 'input.question: maxLength changed from nothing to 100', true],
    ],
  ],
];

/** Changes to an action that is also a capability. */
const capabilityChanges: typeof changes = [
  [
    ({ kites }) => (kites!.actions[0].fields.to.required = false),
    [['kites.book_kite', 'to became optional', false]],
  ],
  [
    ({ kites }) =>
      (kites!.actions[0].capability.fields = {
        to: { type: 'date', required: false, notBefore: 'from' },
      }),
    [
      ['kites.book_kite (capability)', 'to became optional', false],
      ['kites.book_kite (capability)', 'to: example changed from “2027-01-02” to nothing', false],
    ],
  ],
  [
    ({ kites }) =>
      (kites!.actions[0].capability.fields = { to: { ...kites!.actions[0].fields.to } }),
    [],
  ],
  [
    ({ kites }) => (kites!.actions[0].capability.limitations = ['One kite.']),
    [['kites.book_kite (capability)', 'limitations “One kite.” was added', false]],
  ],
];

describe('a registry comparison', () => {
  it('finds no differences between identical registries', () => {
    expect(compareRegistries(read(createSampleFiles()), read(createSampleFiles()))).toEqual([]);
  });

  it.each(changes)('describes changes in words (%#)', (change, lines) => {
    const files = createSampleFiles();
    change(files);
    expect(
      compareRegistries(read(createSampleFiles()), read(files)).map(
        ({ subject, change, breaking }) => [subject, change, breaking],
      ),
    ).toEqual(lines);
  });

  it('compares closed days by date', () => {
    const readWith = (...closedDays: { date: string; name: string }[]) => {
      const files = createSampleFiles();
      files['network.yaml']!.closedDays = closedDays;
      return read(files);
    };
    const [christmas, newYear] = [
      { date: '12-25', name: 'Christmas Day' },
      { date: '01-01', name: 'New Year’s Day' },
    ] as const;
    const inventory = { date: '2030-12-24', name: 'Inventory' };
    expect(
      compareRegistries(
        readWith(christmas, newYear),
        readWith(inventory, { ...christmas, name: 'Christmas' }),
      ),
    ).toEqual([
      { subject: 'network closed day 01-01', change: 'was removed', breaking: false },
      {
        subject: 'network closed day 2030-12-24',
        change: 'was added, “Inventory”',
        breaking: false,
      },
      {
        subject: 'network closed day 12-25',
        change: 'name changed from “Christmas Day” to “Christmas”',
        breaking: false,
      },
    ]);
  });

  it('quotes both ends of long text that changed in several places', () => {
    const files = createSampleFiles();
    const page = files['pages/kites/terms.md']!;
    const sentence = 'The line is long. ';
    const createBody = (first: string, last: string) =>
      `Return it ${first}. ${sentence.repeat(20)}Bring it ${last}. ${sentence.repeat(20)}`;
    page.body = createBody('dry', 'back');
    const before = read(files);
    page.body = createBody('wet', 'home');
    const change = compareRegistries(before, read(files))[0]!.change;
    expect(change).toMatch(
      /^body changed from “Return it dry\. The .* … .* it back\. The line is long\. …” to “.* wet\. .* … .* home\. .*”$/,
    );
    expect(change.length).toBeLessThan(400);
  });

  it('reports a newly required field as breaking', () => {
    const files = createSampleFiles();
    files['subsites/kites.yaml']!.actions[0].fields.to.required = false;
    expect(compareRegistries(read(files), read(createSampleFiles()))).toEqual([
      { subject: 'kites.book_kite', change: 'to became required', breaking: true },
    ]);
  });

  it.each([...figureChanges, ...additions])(
    'shows old and new values, breaking changes first (%#)',
    (change, lines) => {
      const createRecordsWithPrices = (): Record<string, EditableRecord> => {
        const files = createSampleFiles();
        Object.assign(files['catalog/kites.yaml']!.items[1], {
          price: { unit: 'day', amount: 129, currency: 'USD' },
          units: 2,
        });
        files['subsites/kites.yaml']!.actions[0].fields.size = {
          type: 'enum',
          required: false,
          enum: ['small', 'large'],
        };
        Object.assign(files['subsites/kites.yaml']!, {
          pricing: [{ unit: 'hour', amount: 9, currency: 'USD' }],
          availability:
            'Monday to Friday, by appointment only, from 9 to 6 in the shop on the quay of the old town.',
        });
        return files;
      };
      const files = createRecordsWithPrices();
      change(files);
      expect(
        compareRegistries(read(createRecordsWithPrices()), read(files)).map(
          ({ subject, change, breaking }) => [subject, change, breaking],
        ),
      ).toEqual(lines);
    },
  );

  it.each(capabilityChanges)(
    'describes a capability’s input after the change (%#)',
    (change, lines) => {
      const createFilesWithCapability = (): Record<string, EditableRecord> => {
        const files = createSampleFiles();
        files['subsites/kites.yaml']!.actions[0].capability = {};
        return files;
      };
      const files = createFilesWithCapability();
      change({ kites: files['subsites/kites.yaml']! });
      expect(
        compareRegistries(read(createFilesWithCapability()), read(files)).map(
          ({ subject, change, breaking }) => [subject, change, breaking],
        ),
      ).toEqual(lines);
    },
  );

  it.each([
    [['a', 'b', 'a'], ['a', 'b'], ['keywords: a duplicate of “a” was removed']],
    [['a'], ['a', 'a'], ['keywords: a duplicate of “a” was added']],
    [['a', 'a'], ['b'], ['keywords “b” was added', 'keywords “a” was removed']],
    [['a', 'b', 'a'], ['a', 'a', 'b'], ['keywords: the order changed']],
    [['a', 'a'], ['a', 'a'], []],
  ])('compares lists with duplicates: %j, %j', (before, after, changes) => {
    const readWith = (keywords: string[]) => {
      const files = createSampleFiles();
      files['subsites/kites.yaml']!.keywords = keywords;
      return read(files);
    };
    const found = compareRegistries(readWith(before), readWith(after));
    expect(found.map(({ change }) => change)).toEqual(changes);
    expect(found.filter(({ breaking }) => breaking)).toEqual([]);
  });

  const string = { type: 'string' };
  const choice = { type: 'string', enum: ['a', 'b'] };
  it.each([
    [string, choice, 'input.question: values were limited to “a”, “b”', true],
    [choice, string, 'input.question: values are no longer limited to “a”, “b”', false],
    [choice, { ...choice, enum: ['a'] }, 'input.question: value “b” was removed', true],
    [
      { ...string, maxLength: 9 },
      string,
      'input.question: maxLength changed from 9 to nothing',
      false,
    ],
    ...[
      ['maxLength', 9, 12],
      ['minLength', 3, 2],
    ].flatMap(([key, one, other]) =>
      [
        [one, other, false],
        [other, one, true],
      ].map(
        ([from, to, breaking]) =>
          [
            { ...string, [key!]: from },
            { ...string, [key!]: to },
            `input.question: ${key} changed from ${from} to ${to}`,
            breaking,
          ] as [object, object, string, boolean],
      ),
    ),
  ])(
    'determines whether a schema accepts fewer values (%#)',
    (before, after, change, isBreaking) => {
      const readWith = (question: object) => {
        const files = createSampleFiles();
        files['capabilities.yaml']![0].inputSchema.properties = { question };
        delete files['capabilities.yaml']![0].example.question;
        return read(files);
      };
      expect(compareRegistries(readWith(before), readWith(after))).toEqual([
        { subject: 'company.assist', change, breaking: isBreaking },
      ]);
    },
  );

  const createOfferingsContent = (max: number) => ({ content: { kind: 'offerings', max } });
  const createCodesContent = (...names: string[]) => ({ content: { kind: 'codes', codes: names } });
  it.each([
    [{}, { item: true }, 'note: item changed from nothing to true', true],
    [{ item: true }, {}, 'note: item changed from true to nothing', false],
    [
      createOfferingsContent(3),
      createOfferingsContent(5),
      'note: content.max changed from 3 to 5',
      false,
    ],
    [
      createOfferingsContent(5),
      createOfferingsContent(3),
      'note: content.max changed from 5 to 3',
      true,
    ],
    [
      createCodesContent('a'),
      createCodesContent('a', 'b'),
      'note: content.codes “b” was added',
      false,
    ],
    [
      createCodesContent('a', 'b'),
      createCodesContent('a'),
      'note: content.codes “b” was removed',
      true,
    ],
    [createCodesContent('a'), {}, 'note: content was removed', false],
    [{}, createCodesContent('a'), 'note: content was added', true],
  ])(
    'determines whether a field accepts fewer values (%#)',
    (before, after, change, isBreaking) => {
      const readWith = (more: object) => {
        const files = createSampleFiles();
        files['subsites/kites.yaml']!.actions[0].fields.note = {
          type: 'string',
          required: false,
          ...more,
        };
        return read(files);
      };
      expect(compareRegistries(readWith(before), readWith(after))).toEqual([
        { subject: 'kites.book_kite', change, breaking: isBreaking },
      ]);
    },
  );

  it('ignores the order of keys', () => {
    const files = createSampleFiles();
    files['subsites/kites.yaml'] = Object.fromEntries(
      Object.entries(files['subsites/kites.yaml']!).reverse(),
    );
    files['capabilities.yaml']![0].inputSchema = Object.fromEntries(
      Object.entries(files['capabilities.yaml']![0].inputSchema).reverse(),
    );
    expect(compareRegistries(read(createSampleFiles()), read(files))).toEqual([]);
  });
});
