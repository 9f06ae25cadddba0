import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../src/registry/fault.ts';
import { readRegistry } from '../../src/registry/read.ts';
import { rules } from '../../src/registry/rules/index.ts';
import { serviceRules } from '../../src/build/service-rules.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';

type Files = Record<string, EditableRecord>;

/**
 * For each rule, a change to the sample that violates it, and the expected location of the fault.
 */
const violations: Record<string, [break_: (files: Files) => void, file: string, path: string]> = {
  'unique-address': [
    (files) => (files['subsites/lines.yaml']!.url = '/kites'),
    'subsites/lines.yaml',
    'url',
  ],
  'unique-lead-source': [
    (files) => (files['subsites/lines.yaml']!.leadSource = 'kites'),
    'subsites/lines.yaml',
    'leadSource',
  ],
  'unique-rank': [
    (files) => (files['subsites/kites.yaml']!.rank = files['subsites/lines.yaml']!.rank = 1),
    'subsites/lines.yaml',
    'rank',
  ],
  'not-offered': [
    (files) => {
      files['subsites/kites.yaml']!.keywords = ['sky'];
      files['network.yaml']!.search = {
        notOffered: [{ what: 'flights', words: ['plane', 'Sky'] }],
      };
    },
    'network.yaml',
    'search.notOffered[0].words[1]',
  ],
  'instead-of-subsite': [
    (files) => {
      files['network.yaml']!.search = {
        notOffered: [{ what: 'flights', words: ['plane'], instead: ['kites', 'balloons'] }],
      };
    },
    'network.yaml',
    'search.notOffered[0].instead[1]',
  ],
  'alternative-takes-requests': [
    (files) => {
      files['subsites/lines.yaml']!.alternatives = ['kites', 'lines'];
    },
    'subsites/lines.yaml',
    'alternatives[1]',
  ],
  'listed-service-takes-requests': [
    (files) =>
      (files['subsites/kites.yaml']!.actions[0].fields.shop = {
        type: 'string',
        required: false,
        content: { kind: 'subsite' },
        services: { unsure: 'kites', groups: { Wind: ['kites', 'balloons'] } },
      }),
    'subsites/kites.yaml',
    'actions[0].fields.shop.services.groups.Wind[1]',
  ],
  'unique-verb': [
    (files) =>
      files['subsites/kites.yaml']!.actions.push(
        structuredClone(files['subsites/kites.yaml']!.actions[0]),
      ),
    'subsites/kites.yaml',
    'actions[1].verb',
  ],
  'unique-item': [
    (files) =>
      files['catalog/kites.yaml']!.items.push(
        { id: 'rokkaku', title: 'R', summary: 'R.' },
        { id: 'rokkaku', title: 'R', summary: 'R.' },
      ) && files['subsites/kites.yaml']!.actions[0].fields.kite.enum.push('rokkaku', 'rokkaku-two'),
    'catalog/kites.yaml',
    'items[3].id',
  ],
  'unique-price': [
    (files) =>
      (files['subsites/kites.yaml']!.pricing = [
        { unit: 'lesson', amount: 20, currency: 'USD' },
        { unit: 'lesson', amount: 25, currency: 'USD' },
      ]),
    'subsites/kites.yaml',
    'pricing[1].unit',
  ],
  'item-price': [
    (files) => {
      files['subsites/kites.yaml']!.pricing = [
        { unit: 'delta kite, day', amount: 20, currency: 'USD' },
      ];
      Object.assign(files['catalog/kites.yaml']!.items[0], {
        id: 'delta',
        title: 'Red delta kite',
        price: { unit: 'day', amount: 25, currency: 'USD' },
      });
    },
    'subsites/kites.yaml',
    'pricing[0].amount',
  ],
  'item-period': [
    (files) => {
      files['subsites/kites.yaml']!.pricing = [
        { unit: 'delta kite, day', amount: 20, currency: 'USD' },
        { unit: 'delta kite, week', amount: 90, currency: 'USD' },
      ];
      Object.assign(files['catalog/kites.yaml']!.items[0], {
        title: 'Red delta kite',
        price: { unit: 'hour', amount: 20, currency: 'USD' },
      });
    },
    'subsites/kites.yaml',
    'pricing[0].unit',
  ],
  'image-file': [
    (files) =>
      (files['catalog/kites.yaml']!.items[0].image = {
        file: 'images/rokkaku.jpg',
        alt: 'A red kite over the bay',
        license: 'own',
      }),
    'catalog/kites.yaml',
    'items[0].image.file',
  ],
  'item-times': [
    (files) => (files['catalog/kites.yaml']!.items[0].attributes = { opens: '25:00' }),
    'catalog/kites.yaml',
    'items[0].attributes.opens',
  ],
  'light-board': [
    (files) =>
      (files['catalog/kites.yaml']!.items[0].attributes = {
        columns: 3,
        rows: 3,
        lit_by_row: '1 A, 2 ABC, 3 D',
      }),
    'catalog/kites.yaml',
    'items[0].attributes.lit_by_row',
  ],
  'account-access': [
    (files) => (files['subsites/kites.yaml']!.status = 'auth'),
    'subsites/kites.yaml',
    'access',
  ],
  'credential-number': [
    (files) =>
      (files['subsites/kites.yaml']!.credentials = [
        { kind: 'license', text: 'A pilot license', number: 'FL-123' },
      ]),
    'subsites/kites.yaml',
    'credentials[0].number',
  ],
  'since-before-update': [
    (files) => (files['subsites/kites.yaml']!.since = 2027),
    'subsites/kites.yaml',
    'since',
  ],
  'past-days': [
    (files) => (files['subsites/lines.yaml']!.updated = '2999-01-01'),
    'subsites/lines.yaml',
    'updated',
  ],
  'example-days': [
    (files) => (files['subsites/kites.yaml']!.actions[0].fields.to.example = '2026-12-31'),
    'subsites/kites.yaml',
    'actions[0].fields.to.example',
  ],
  'unique-skill': [
    (files) => {
      files['subsites/kites.yaml']!.guide = [{ title: 'Run', text: 'Run, then let go.' }];
      files['network.yaml']!.skills = [
        {
          name: 'kites',
          description: 'Fly.',
          questions: ['How do I fly?', 'Where?'],
          body: 'Run.',
        },
      ];
    },
    'network.yaml',
    'skills[0].name',
  ],
  'unique-link': [
    (files) => files['links.yaml']!.push({ slug: 'kites', target: '/lines', title: 'Lines' }),
    'links.yaml',
    '[1].slug',
  ],
  'catalog-of-subsite': [
    (files) => (files['catalog/kits.yaml'] = { ...files['catalog/kites.yaml'], route: undefined }),
    'catalog/kits.yaml',
    '',
  ],
  'known-tool': [
    (files) => files['subsites/lines.yaml']!.mcpTools.push('get_kits'),
    'subsites/lines.yaml',
    'mcpTools[1]',
  ],
  'tool-answers-for': [
    (files) => (files['subsites/kites.yaml']!.infoTools[0].of = ['lines']),
    'subsites/kites.yaml',
    'infoTools[0].of[0]',
  ],
  'item-of-catalog': [
    (files) =>
      (files['subsites/lines.yaml']!.actions = [
        {
          verb: 'ask_line',
          title: 'Ask',
          description: 'Asks.',
          respondWithinHours: 4,
          retentionDays: 30,
          fields: { line: { type: 'string', required: false, item: true } },
        },
      ]),
    'subsites/lines.yaml',
    'actions[0].fields.line.item',
  ],
  'lead-endpoint': [
    (files) => (files['subsites/lines.yaml']!.leadEndpoint = '/lines/ask'),
    'subsites/lines.yaml',
    'leadEndpoint',
  ],
  'snapshots-listed': [
    (files) => (files['subsites/lines.yaml']!.jsonEndpoints = []),
    'subsites/lines.yaml',
    'snapshots[0].path',
  ],
  'capability-offer': [
    (files) => delete files['subsites/kites.yaml']!.guide,
    'subsites/kites.yaml',
    'capabilities',
  ],
  'held-items': [
    (files) => files['subsites/kites.yaml']!.actions[0].fields.kite.enum.push('star'),
    'subsites/kites.yaml',
    'actions[0].fields.kite.enum',
  ],
  'held-fields': [
    (files) => (files['subsites/kites.yaml']!.actions[0].fields.from.required = false),
    'subsites/kites.yaml',
    'actions[0].fields.from.required',
  ],
  discoverable: [
    (files) => delete files['subsites/lines.yaml']!.questions,
    'subsites/lines.yaml',
    'questions',
  ],
  'audit-text': [
    (files) => (files['pages/kites/terms.md']!.tool = 'audit'),
    'pages/kites/terms.md',
    'tool',
  ],
  'asked-once': [
    (files) => {
      files['subsites/kites.yaml']!.facts = [
        { text: 'Kites fly.', asked: ['What goes up?'] },
        { text: 'Lines hold.', asked: ['Will it get away?', 'what goes up?'] },
      ];
    },
    'subsites/kites.yaml',
    'facts[1].asked[1]',
  ],
  'asked-of-text': [
    (files) => (files['pages/kites/terms.md']!.asked = { 'Return it wet': ['Does rain hurt?'] }),
    'pages/kites/terms.md',
    'asked.Return it wet',
  ],
  'valid-example': [
    (files) => (files['subsites/kites.yaml']!.actions[0].fields.from.example = '2027-02-30'),
    'subsites/kites.yaml',
    'actions[0].fields.from.example',
  ],
  'route-has-page': [
    (files) => files['routes.yaml']!.push({ path: '/moon', audience: 'public' }),
    'routes.yaml',
    '[3].path',
  ],
  'unique-route': [
    (files) => files['routes.yaml']!.push({ path: '/kites', audience: 'public' }),
    'routes.yaml',
    '[3].path',
  ],
  'unique-catalog-route': [
    (files) =>
      (files['catalog/lines.yaml'] = {
        ...files['catalog/kites.yaml'],
        route: '/kites/[slug]',
        items: files['catalog/kites.yaml']!.items.map((item: { id: string }) => ({
          ...item,
          id: `line-${item.id}`,
        })),
      }),
    'catalog/lines.yaml',
    'route',
  ],
  'page-items': [
    (files) => (files['pages/kites/terms.md']!.items = { catalog: 'kits' }),
    'pages/kites/terms.md',
    'items.catalog',
  ],
  'known-icon': [
    (files) => (files['subsites/lines.yaml']!.icon = 'anchr'),
    'subsites/lines.yaml',
    'icon',
  ],
  'capability-input': [
    (files) => (files['capabilities.yaml']![0].inputSchema.properties.question.maxLength = 'many'),
    'capabilities.yaml',
    '[0].inputSchema.properties.question.maxLength',
  ],
  'capability-route': [
    (files) => (files['capabilities.yaml']![0].route = '/moon'),
    'capabilities.yaml',
    '[0].route',
  ],
  'links-resolve': [
    (files) => (files['pages/kites/terms.md']!.body = 'See [the moon](/moon).'),
    'pages/kites/terms.md',
    '',
  ],
};

function faultsOf(files: Files) {
  try {
    readRegistry('registry', toSources(files), serviceRules);
    return [];
  } catch (error) {
    if (error instanceof RegistryError) return error.faults;
    throw error;
  }
}

describe('cross-record rules', () => {
  it('each have a violating example', () => {
    expect(Object.keys(violations).sort()).toEqual(
      [...rules, ...serviceRules].map((rule) => rule.name).sort(),
    );
  });

  it('report nothing for a valid network', () => {
    expect(faultsOf(createSampleFiles())).toEqual([]);
  });

  it.each(Object.entries(violations))(
    'report a violation of %s at its location',
    (_, [change, file, path]) => {
      const files = createSampleFiles();
      change(files);
      const faults = faultsOf(files);
      expect(faults).toContainEqual(expect.objectContaining({ file: `registry/${file}`, path }));
      for (const fault of faults) expect(fault.problem).toMatch(/\. .+[.?]$/s);
    },
  );

  it.each<
    [what: string, make: (files: Files) => void, file: string, path: string, problem: string]
  >([
    [
      'a leadSource that another subsite has as its name',
      (files) => (files['subsites/kites.yaml']!.leadSource = 'lines'),
      'subsites/kites.yaml',
      'leadSource',
      'is also the leadSource of lines.',
    ],
    [
      'a misspelled lead endpoint',
      (files) => (files['subsites/lines.yaml']!.leadEndpoint = '/api/leads/action'),
      'subsites/lines.yaml',
      'leadEndpoint',
      'Use /api/lead/action.',
    ],
    [
      'an example with an unknown key',
      (files) => (files['capabilities.yaml']![0].example.answer = 'x'),
      'capabilities.yaml',
      '[0].example.answer',
      'This name is unknown.',
    ],
    [
      'an example of the wrong type',
      (files) => (files['capabilities.yaml']![0].example.question = 7),
      'capabilities.yaml',
      '[0].example.question',
      'Enter text.',
    ],
    [
      'a reference without a target',
      (files) =>
        (files['capabilities.yaml']![0].inputSchema.properties.question = { $ref: '#/$defs/none' }),
      'capabilities.yaml',
      '[0].inputSchema',
      'JSON Schema (2020-12)',
    ],
    [
      'an inquiry without an action',
      (files) => (files['capabilities.yaml']![0].adapter = 'inquiry'),
      'capabilities.yaml',
      '[0].adapter',
      'runs only actions',
    ],
    [
      'a tool that does not exist',
      (files) => (files['pages/kites/terms.md']!.tool = 'phone-audit'),
      'pages/kites/terms.md',
      'tool',
      'expected one of',
    ],
    [
      'a name that is too long',
      (files) => (files['subsites/lines.yaml']!.name = 'l'.repeat(65)),
      'subsites/lines.yaml',
      'name',
      'longer than 64 characters',
    ],
    [
      'a skill’s name that is too long',
      (files) =>
        (files['network.yaml']!.skills = [
          {
            name: 's'.repeat(65),
            description: 'Fly.',
            questions: ['How?', 'Where?'],
            body: 'Run.',
          },
        ]),
      'network.yaml',
      'skills[0].name',
      'longer than 64 characters',
    ],
    [
      'a name that every JavaScript object has',
      (files) => (files['subsites/lines.yaml']!.name = 'constructor'),
      'subsites/lines.yaml',
      'name',
      'JavaScript',
    ],
    [
      'a field that every JavaScript object has',
      (files) =>
        (files['subsites/kites.yaml']!.actions[0].fields.valueOf = {
          type: 'string',
          required: false,
        }),
      'subsites/kites.yaml',
      'actions[0].fields.valueOf',
      'JavaScript',
    ],
    [
      'an item route without a parameter',
      (files) => (files['catalog/kites.yaml']!.route = '/kites/all'),
      'catalog/kites.yaml',
      'route',
      'one parameter',
    ],
    [
      'an item route with two parameters',
      (files) => (files['catalog/kites.yaml']!.route = '/kites/[kind]/[id]'),
      'catalog/kites.yaml',
      'route',
      'one parameter',
    ],
    [
      'a statement that is too long',
      (files) => (files['subsites/kites.yaml']!.facts = ['x'.repeat(401)]),
      'subsites/kites.yaml',
      'facts[0]',
      'longer than 400 characters',
    ],
    [
      'a statement of numbers',
      (files) => (files['subsites/kites.yaml']!.facts = [7]),
      'subsites/kites.yaml',
      'facts[0]',
      'matches none of the allowed forms. Expected: a one-line statement',
    ],
    [
      'a statement without text',
      (files) => (files['subsites/kites.yaml']!.facts = [{ asked: ['What goes up?'] }]),
      'subsites/kites.yaml',
      'facts[0].text',
      'is missing. Add text: The statement.',
    ],
    [
      'no value where only one is possible',
      (files) => delete files['subsites/kites.yaml']!.shareEndpoint,
      'subsites/kites.yaml',
      'shareEndpoint',
      'is missing. Add /api/share.',
    ],
    [
      'an email address without a domain',
      (files) => (files['network.yaml']!.organization.email = 'hello@kites'),
      'network.yaml',
      'organization.email',
      'is not an email address. Use one address, such as desk@example.com',
    ],
    [
      'a search phrase with markup',
      (files) => (files['subsites/kites.yaml']!.availability = { text: 'Now', asked: ['*When?*'] }),
      'subsites/kites.yaml',
      'availability.asked[0]',
      'plain words',
    ],
    [
      'an empty search phrase',
      (files) => (files['subsites/kites.yaml']!.guide[0].asked = ['']),
      'subsites/kites.yaml',
      'guide[0].asked[0]',
      'is empty',
    ],
    [
      'a search phrase that is too long',
      (files) => (files['catalog/kites.yaml']!.items[0].asked = ['x'.repeat(121)]),
      'catalog/kites.yaml',
      'items[0].asked[0]',
      'longer than 120 characters',
    ],
    [
      'search phrases for text that an item lacks',
      (files) => (files['catalog/kites.yaml']!.items[0].asked = { 'A box': ['What flies?'] }),
      'catalog/kites.yaml',
      'items[0].asked.A box',
      'is not in the text',
    ],
    [
      'an empty list of search phrases',
      (files) => (files['pages/kites/terms.md']!.asked = { dry: [] }),
      'pages/kites/terms.md',
      'asked.dry',
      'Use at least 1 entry, or remove the key.',
    ],
    [
      'a page whose name is not a valid path',
      (files) => (files['pages/more terms.md'] = { ...files['pages/kites/terms.md'] }),
      'pages/more terms.md',
      '',
      'not a valid site path',
    ],
  ])('reject %s', (_, change, file, path, problem) => {
    const files = createSampleFiles();
    change(files);
    expect(faultsOf(files)).toContainEqual(
      expect.objectContaining({
        file: `registry/${file}`,
        path,
        problem: expect.stringContaining(problem),
      }),
    );
  });
});

const faultsAfter = (change: (files: Files) => void): string[] => {
  const files = createSampleFiles();
  change(files);
  return faultsOf(files).map(({ path, problem }) => `${path} ${problem}`);
};

it.each([
  [{ opens: '09:00', closes: '24:00' }, ['attributes.closes is not a time of day']],
  [
    { opens: '“09:00”' },
    [
      'attributes.opens is not a time of day. Enter a time from 00:00 to 23:59, such as 07:00. For midnight at the end of a day, use 23:59. It is in curly quotes',
    ],
  ],
  [{ opens: '9:00', closes: '17:00' }, ['attributes.opens is not a time of day. Write 09:00.']],
  [{ opens: '09:00', closes: '09:00' }, ['attributes.closes is not after opens']],
  [{ last_day: 'Saturday' }, ['attributes.last_day is not a calendar date']],
  [{ last_day: '2026-12-04' }, ['attributes.last_day is before the date']],
  [{ opens: '09:00', closes: '17:30', last_day: '2026-12-05' }, []],
])('the times of an item are checked: %j', (attributes, problems) => {
  const faults = faultsAfter((files) => {
    const catalog = files['catalog/kites.yaml']!;
    catalog.schemaType = 'Event';
    Object.assign(catalog.items[0], { date: '2026-12-05', attributes });
  });
  expect(faults).toEqual(problems.map((problem) => expect.stringContaining(`items[0].${problem}`)));
});

it('a subsite has at most one hold, for its own catalog', () => {
  const {
    actions: [hold],
  } = createSampleFiles()['subsites/kites.yaml']!;
  expect(
    faultsAfter((files) =>
      files['subsites/kites.yaml']!.actions.push({ ...structuredClone(hold), verb: 'keep_kite' }),
    ),
  ).toEqual(['actions[1].effect is a second hold. Move the action to a separate subsite.']);
  expect(
    faultsAfter((files) => {
      files['subsites/lines.yaml']!.actions = [structuredClone(hold)];
    }),
  ).toContain('actions[0].effect.catalog is the catalog of another subsite. Use lines.');
});

it('the item and the first day of a hold are required, also in its capability', () => {
  const optional = { required: false };
  expect(
    faultsAfter((files) => {
      const { actions } = files['subsites/kites.yaml']!;
      const { kite, from, to } = actions[0].fields;
      Object.assign(kite, optional);
      Object.assign(to, optional);
      actions[0].capability = { fields: { from: { ...from, ...optional } } };
    }),
  ).toEqual([
    'actions[0].fields.kite.required is false, but nothing is held without this field. Use true.',
    'actions[0].capability.fields.from.required is false, but nothing is held without this field. Use true.',
  ]);
});
