import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pastDaysRule } from '../../src/build/past-days.ts';
import { RegistryError } from '../../src/registry/fault.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'broken-registry-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Faults in the sample with changed files, each as `path: problem`. */
function faultsOf(
  change: (files: Record<string, EditableRecord>) => void,
  raw: Record<string, Buffer> = {},
) {
  const dir = join(folder, String(Math.random()).slice(2), 'registry');
  const files = createSampleFiles();
  change(files);
  for (const { file, text } of toSources(files))
    raw[file.slice('registry/'.length)] ??= Buffer.from(text);
  for (const [file, bytes] of Object.entries(raw)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), bytes);
  }
  try {
    loadRegistry(dir, [pastDaysRule], 'registry');
    return [];
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    return error.faults.map(
      ({ file, line, column, path, problem }) => `${file}:${line}:${column} ${path}: ${problem}`,
    );
  }
}
const unchanged = () => undefined;
const bookActionOf = (files: Record<string, EditableRecord>) =>
  files['subsites/kites.yaml']!.actions[0];

const bytes: [name: string, file: string, bytes: Buffer, fault: RegExp][] = [
  [
    'Latin-1',
    'links.yaml',
    Buffer.from('- slug: caf\xe9\n', 'latin1'),
    /^registry\/links\.yaml:1:12 : is not UTF-8; .*Save the file as UTF-8\.$/,
  ],
  [
    'UTF-16',
    'links.yaml',
    Buffer.from('\uFEFF- slug: a\n', 'utf16le'),
    /:1:1 : is UTF-16\. Save the file as UTF-8\.$/,
  ],
  [
    'an empty file',
    'links.yaml',
    Buffer.from(''),
    /:1:1 : is empty\. Add the record, or remove the file\.$/,
  ],
  ['only comments', 'links.yaml', Buffer.from('# none\n'), /: is empty\. /],
  [
    'an alias to its own parent',
    'links.yaml',
    Buffer.from('&a\n- slug: b\n  target: *a\n'),
    /:3:11 : contains itself through an alias/,
  ],
  [
    'deeply nested aliases',
    'links.yaml',
    Buffer.from(
      `${['a: &a [x,x,x,x,x,x,x,x,x]', ...'bcdefgh'.split('').map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join()}]`)].join('\n')}\n`,
    ),
    /:2:8 : repeats too many values through aliases/,
  ],
  [
    'an alias without an anchor',
    'links.yaml',
    Buffer.from('- slug: *nothing\n'),
    /: has an alias \(\*name\) without a matching anchor/,
  ],
  [
    'two documents',
    'links.yaml',
    Buffer.from('- slug: a\n---\n- slug: b\n'),
    /: begins a second document\. Remove the “---” line/,
  ],
  [
    'a repeated field, even though another indentation would also be valid',
    'links.yaml',
    Buffer.from(
      '- slug:\n    fields:\n      zip:\n        type: zip\n      zip:\n        type: zip\n',
    ),
    /:5:7 : repeats the key zip\. /,
  ],
  [
    'a repeated key',
    'links.yaml',
    Buffer.from('- slug: a\n  slug: b\n'),
    /:2:3 : repeats the key slug\. /,
  ],
  [
    'a word at the end',
    'links.yaml',
    Buffer.from('- slug: a\n  title: A\n  foo\n'),
    /^registry\/links\.yaml:3:3 : has no colon\. Write “key: value”, or remove the line\.$/,
  ],
  [
    'a price with a comma and a dash in braces',
    'links.yaml',
    Buffer.from('- { unit: day, amount: 129,-, currency: USD }\n'),
    /^registry\/links\.yaml:1:24 : has a price that is not a plain number\. Write 129\.$/,
  ],
  ...(
    [
      ['list', '[', '- { slug: a, tags: [one, two }\n', '1:20', ']'],
      ['list on its own', '[', '- slug: a\n  tags: [one, two\n  target: b\n', '2:9', ']'],
      ['list up to the end', '[', '- slug: a\n  tags: [one, two\n', '2:9', ']'],
      ['map', '{', '- slug: a\n  more: { b: 1\n  target: c\n', '2:9', '}'],
      ['text', '"', '- slug: a\n  title: "Kites\n  target: b\n', '2:10', '"'],
    ] as const
  ).map(([what, mark, text, place, end]): (typeof bytes)[number] => [
    `a ${what} that is not closed`,
    'links.yaml',
    Buffer.from(text),
    new RegExp(
      `^registry/links\\.yaml:${place} : begins with \\${mark} but is never closed\\. Add \\${end} where the value ends\\.$`,
    ),
  ]),
  [
    'an item without a dash',
    'links.yaml',
    Buffer.from(
      'items:\n  - id: a\n    title: A\n  id: b\n    title: B\n  - id: c\n    title: C\n',
    ),
    /^registry\/links\.yaml:4:3 : begins a list item without a dash\. /,
  ],
  [
    'an item in braces without a dash',
    'links.yaml',
    Buffer.from('a:\n  - { slug: a }\n  { slug: b }\n  - { slug: c }\n'),
    /^registry\/links\.yaml:3:3 : begins a list item without a dash\. /,
  ],
  [
    'a map in braces without a comma',
    'links.yaml',
    Buffer.from('- { slug: a target: /b }\n'),
    /^registry\/links\.yaml:1:\d+ : lacks a comma, or has a colon in a value\. Put a comma /,
  ],
  [
    'a tab',
    'links.yaml',
    Buffer.from('- slug: a\n\ttarget: b\n'),
    /^registry\/links\.yaml:2:.*[.]$/,
  ],
  [
    'a merge conflict',
    'links.yaml',
    Buffer.from('- slug: a\n<<<<<<< HEAD\n  target: b\n=======\n  target: c\n>>>>>>> other\n'),
    /^registry\/links\.yaml:2:1 : is a merge conflict\. Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>\.$/,
  ],
  [
    'a merge conflict in the text of a page',
    'pages/kites/terms.md',
    Buffer.from(
      '---\ntitle: Terms\ndescription: Terms.\nupdated: 2026-01-02\n---\n\n<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> other\n',
    ),
    /^registry\/pages\/kites\/terms\.md:7:1 : is a merge conflict\. /,
  ],
  [
    'a reserved key',
    'links.yaml',
    Buffer.from('- slug: a\n  __proto__: {a: 1}\n'),
    /:2:3 \[0\]\.__proto__: is a reserved name in JavaScript/,
  ],
];

const values: [
  name: string,
  change: (files: Record<string, EditableRecord>) => void,
  fault: RegExp,
][] = [
  [
    'a minimum above the maximum',
    (files) =>
      (bookActionOf(files).fields.count = {
        type: 'number',
        required: false,
        minimum: 5,
        maximum: 2,
      }),
    /maximum: is less than the minimum\. Use/,
  ],
  [
    'a range without a whole number',
    (files) =>
      (bookActionOf(files).fields.count = {
        type: 'number',
        required: false,
        integer: true,
        minimum: 1.2,
        maximum: 1.8,
      }),
    /maximum: leaves no whole number/,
  ],
  [
    'an example out of range',
    (files) =>
      (bookActionOf(files).fields.count = {
        type: 'number',
        required: false,
        maximum: 2,
        example: '5',
      }),
    /example: is more than the maximum\. Use at most 2\.$/,
  ],
  [
    'a hold that is too long',
    (files) => (bookActionOf(files).fields.to.example = '2027-03-01'),
    /to\.example: makes a hold of 60 days, but the effect's longestDays is 30\./,
  ],
  [
    'days in the wrong order',
    (files) => (bookActionOf(files).fields.to.example = '2026-12-01'),
    /to\.example: is before the example for from\./,
  ],
  [
    'a notBefore that names its own field',
    (files) => (bookActionOf(files).fields.to.notBefore = 'to'),
    /notBefore: names the field itself\./,
  ],
  [
    'a notBefore that every JavaScript object has',
    (files) => (bookActionOf(files).fields.to.notBefore = 'valueOf'),
    /notBefore: is a reserved name in JavaScript\./,
  ],
  [
    'a name of a field that would fill the list of fields in other faults',
    (files) => {
      const { fields, effect } = bookActionOf(files);
      fields['x'.repeat(2000)] = fields.to;
      effect.toField = 'gone';
    },
    /fields\.x+: is longer than 64 characters\. Shorten it\.$/,
  ],
  [
    'the figures of a subsite with a long name that does not exist',
    (files) =>
      (files['responsiveness.json'] = {
        ['x'.repeat(4000)]: { answered: 0, of: 100, medianMinutes: null, since: '2026-01-01' },
      }),
    /: \u201cx{200}\u2026\u201d does not name a subsite\..{1,200}$/,
  ],
  [
    'offerings of an unknown kind',
    (files) =>
      (bookActionOf(files).fields.offers = {
        type: 'string',
        required: false,
        content: { kind: 'offerings', max: 2 },
        example: '[{"name":"a","desc":"b","priceCents":1,"kind":"weekly"}]',
      }),
    /offers\.example: is not a list of 1 to 2 offerings\. Use JSON/,
  ],
  [
    'an effect on another kind of field',
    (files) => (bookActionOf(files).effect.fromField = 'kite'),
    /effect\.fromField: names a field of type enum\. Name one of type date\.$/,
  ],
  [
    'one field for both days',
    (files) => (bookActionOf(files).effect.toField = 'from'),
    /effect\.toField: is the same field as fromField\./,
  ],
  [
    'an invalid phone number',
    (files) => (files['network.yaml']!.organization.phone = 'call us!'),
    /phone: is not a phone number with its area code\. Use the form/,
  ],
  [
    'an unknown country code',
    (files) => (files['network.yaml']!.organization.country = 'ZZ'),
    /country: is not a country code\. Use two capital letters/,
  ],
  [
    'a country name instead of a code',
    (files) => (files['network.yaml']!.organization.country = 'United States'),
    /country: is not a country code\./,
  ],
  [
    'a fraction of a cent',
    (files) =>
      (files['subsites/lines.yaml']!.pricing = [
        { unit: 'line', amount: 129.999, currency: 'USD' },
      ]),
    /pricing\[0\]\.amount: has a fraction of a cent\. Use dollars and cents/,
  ],
  [
    'a fraction of a cent in a deposit',
    (files) => (bookActionOf(files).effect.deposit = 199.999),
    /effect\.deposit: has a fraction of a cent\. Use dollars and cents/,
  ],
  [
    'an excessive price',
    (files) =>
      (files['subsites/lines.yaml']!.pricing = [{ unit: 'line', amount: 1e9, currency: 'USD' }]),
    /pricing\[0\]\.amount: .*1000000/,
  ],
  [
    'an update date in the future',
    (files) => (files['subsites/lines.yaml']!.updated = '2036-01-01'),
    /updated: is in the future\. Use the day of the last change\.$/,
  ],
  [
    'a product that is offered from a day in the future',
    (files) => {
      files['catalog/kites.yaml']!.schemaType = 'Product';
      files['catalog/kites.yaml']!.items[0].date = '2036-01-01';
    },
    /items\[0\]\.date: is in the future\. Use the day on which the item was first offered, /,
  ],
  [
    'a control character',
    (files) => (files['subsites/lines.yaml']!.title = 'Lines \u202Egnp'),
    /^registry\/subsites\/lines\.yaml:2:14 title: has the invisible character U\+202E, .*Remove it\.$/,
  ],
  [
    'half of a surrogate pair',
    (files) => (files['subsites/lines.yaml']!.title = 'Lines \uD83D.'),
    /./,
  ],
  ...(
    [
      ['a zero-width space', '\u200B', '200B'],
      ['a soft hyphen', '\u00AD', '00AD'],
      ['a tag', '\u{E0041}', 'E0041'],
      ['a stray joiner', '\u200D', '200D'],
    ] as const
  ).map(([name, character, code]): (typeof values)[number] => [
    name,
    (files) =>
      (files['subsites/lines.yaml']!.title =
        `\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Li${character}nes`),
    new RegExp(
      `^registry/subsites/lines\\.yaml:2:\\d+ title: has the invisible character U\\+${code}, .*Remove it\\.$`,
    ),
  ]),
  [
    'a control character in a page',
    (files) => (files['pages/kites/terms.md']!.body = 'Return\u2066 it.'),
    /has the invisible character U\+2066/,
  ],
  [
    'a page with the Markdown path of the front page',
    (files) => (files['network.yaml']!.agentArea = '/index'),
    /agentArea: leads to \/index, which the service itself uses\. Choose another\.$/,
  ],
  [
    'an invalid attribute name',
    (files) => (files['catalog/kites.yaml']!.items[0].attributes = { 'Length ft': 3 }),
    /is not an attribute name\. Use snake_case, such as length_ft\.$/,
  ],
  [
    'a list instead of text',
    (files) => (files['subsites/lines.yaml']!.title = ['a']),
    /title: is a list\. Use text: Display name\.$/,
  ],
  [
    'a number instead of text',
    (files) => (files['subsites/lines.yaml']!.title = 33548),
    /title: is a number\. Use text: Display name\. Put it in quotes\.$/,
  ],
  [
    'too few questions',
    (files) => (files['subsites/lines.yaml']!.questions = ['One?']),
    /questions: has too few entries\. Use at least 2 entries\.$/,
  ],
  [
    'a record that is a list',
    (files) => (files['subsites/lines.yaml'] = [] as EditableRecord),
    /: is a list\. Use keys with values/,
  ],
];

it.each([
  'Lines 😀🚚',
  'Lines ❤️‍🔥 1️⃣',
  'می‌خواهم',
  '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} Lines',
])('a title may be %s', (title) =>
  expect(faultsOf((files) => (files['subsites/lines.yaml']!.title = title))).toEqual([]),
);

describe('a registry that cannot be built', () => {
  it('has one fault for each merge conflict', () => {
    const conflict = '<<<<<<< HEAD\n  target: b\n=======\n  target: c\n>>>>>>> other\n';
    const faults = faultsOf(unchanged, {
      'links.yaml': Buffer.from(`- slug: a\n${conflict}- slug: b\n${conflict}`),
    });
    expect(faults.map((line) => line.replace(/\. .*/s, ''))).toEqual([
      'registry/links.yaml:2:1 : is a merge conflict',
      'registry/links.yaml:8:1 : is a merge conflict',
    ]);
  });

  it.each(bytes)('is rejected with a location and a fix: %s', (_, file, content, fault) => {
    expect(
      faultsOf(unchanged, { [file]: content }).some((line) => fault.test(line)),
      faultsOf(unchanged, { [file]: content }).join('\n'),
    ).toBe(true);
  });

  it.each(values)('is rejected with a location and a fix: %s', (_, change, fault) => {
    const faults = faultsOf(change);
    expect(
      faults.some((line) => fault.test(line)),
      faults.join('\n'),
    ).toBe(true);
  });

  it('is not reported if it has no errors', () => {
    expect(faultsOf(unchanged)).toEqual([]);
  });
});
