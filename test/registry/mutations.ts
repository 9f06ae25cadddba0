import fc from 'fast-check';
import { parse } from 'yaml';
import { readSources } from '../../src/registry/index.ts';
import { splitFrontMatter } from '../../src/registry/source/source.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';

type Files = Record<string, EditableRecord>;
type Steps = readonly (string | number)[];

/** Parsed files of a registry folder; the body of a Markdown page is in `body`. */
function filesOf(dir: string): Files {
  return Object.fromEntries(
    readSources(dir, 'registry').map(({ file, text }) => {
      const page = file.endsWith('.md') ? splitFrontMatter(text)! : undefined;
      return [
        file.slice('registry/'.length),
        page ? { ...parse(page.frontMatter), body: page.body } : parse(text),
      ];
    }),
  );
}

/** Creates new copies of valid registries. */
export const registryFactories = {
  sample: createSampleFiles,
  'the network of four': () => filesOf('test/fixtures/network-of-four'),
  'the main network': () => filesOf('registry'),
} as const satisfies Record<string, () => Files>;

const repeated = (unit: string, length: number) => unit.repeat(length);

const texts = [
  ...['', ' ', 'a', '0', '-', '.', '#', '|', '`', '``', '*', '_', '[', '](', '---', '...', '~'],
  ...['null', 'true', '1e3', '0x10', 'NaN', '2026-01-01', '12:30', '=1+1', '<b>&amp;</b>', ']]>'],
  ...['</script><!--', '"\'\\', '{base}', '{base_url}', '${x}', '%00', '%E0%A4%A', '$&', "$'"],
  ...['[x](/nowhere)', '[x](javascript:alert(1))', '| a | b |', '1. a', '> a', '# a', '```', '$1'],
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', 'length', 'then', 'a: b', 'a\nb'],
  ...[
    'é',
    'e\u0301',
    'ß',
    'İ',
    '\u00A0',
    '\u200B',
    '\u200D',
    '\uFEFF',
    '日本語',
    'שלום',
    '👩‍👩‍👧',
    '𝒳',
  ],
  ...['\u0000', '\u0007', '\r', '\u0085', '\u2028', '\u202E', '\uD800', '\uFFFF', '\uFFFD'],
  ...[30, 60, 80, 100, 160, 240, 300, 4000].flatMap((length) => [
    repeated('x', length),
    repeated('x ', length / 2).trim(),
    repeated('😀', length / 2),
  ]),
  ...[
    repeated('a', 100_000),
    repeated('(', 3000),
    repeated('[', 3000),
    repeated('> ', 500),
    repeated('*a ', 1000),
  ],
];
const keys = ['a', '0', 'x-y', 'api', 'index', 'length', 'constructor', 'then', 'shop', '1e3'];
const addresses = [
  ...['/', '/a', '/api', '/api/x', '/API', '/index', '/index.md', '/a/b/c/d', '/~', '/s', '/go'],
  ...[
    '/404',
    '/500',
    '/og',
    '/pictures',
    '/_astro',
    '/inbox',
    '/biz',
    '/receipt',
    '/llms.txt',
    '/healthz',
  ],
  ...['/kites', '/kites/', '//a', '/a//b', '/./a', '/a/..', '/[id]', '/a/[id]', '/a/[id]/[id]'],
];
const days = [
  ...['0000-01-01', '0001-01-01', '1582-10-10', '1969-12-31', '1970-01-01', '2024-02-29'],
  ...['2026-02-29', '2026-11-31', '2026-12-31', '9999-12-31', '+010000-01-01', '2026-1-1'],
];
const numbers = [
  ...[0, -0, 1, -1, 0.1, 0.005, 1.005, 12.345, 1e-7, 5e-324, 1e9, 1e15, 1e21, 1e308],
  ...[NaN, Infinity, -Infinity, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 2, 366, 367],
  ...[720, 721, 3650, 3651, 1000, 1001],
];
const emailAddresses = [
  'a@b.co',
  `${repeated('a', 64)}@b.co`,
  "o'x@b.co",
  'a@b',
  'a@b.co\n',
  'ä@b.co',
  '@',
];
const phones = ['911', '+1 727 555 0142', '727-555', '(727) 555-0142', '0000000', '+49 30 123456'];
const otherTypes = [null, true, false, [], {}, [null], [[]], { a: 1 }, undefined];

/** Values close to valid values, by type of the current value. */
function listSimilarValues(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return numbers;
  if (typeof value === 'boolean') return [true, false];
  if (typeof value !== 'string') return otherTypes;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return days;
  if (value.startsWith('/')) return addresses;
  if (value.includes('@')) return emailAddresses;
  if (/^[+(\d][\d ().+-]{6,}$/.test(value)) return phones;
  return /^[a-z\d]+(?:[-_][a-z\d]+)*$/.test(value) ? [...keys, ...texts] : texts;
}

/** A registry change. Its indexes select a file, a place in it, and the new value. */
export const edit = fc.record({
  kind: fc.constantFrom(
    'near',
    'near',
    'near',
    'graft',
    'graft',
    'any',
    'drop',
    'double',
    'rename',
  ),
  fileIndex: fc.nat(),
  placeIndex: fc.nat(),
  valueIndex: fc.nat(),
});
export type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** Paths of all values inside a value. */
function* placesIn(value: unknown, steps: Steps = []): Generator<Steps> {
  if (steps.length) yield steps;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    yield* placesIn(inner, [...steps, Array.isArray(value) ? Number(name) : name]);
}

const valueAt = (root: unknown, steps: Steps): any =>
  steps.reduce<any>((value, step) => value?.[step], root);

/** File kind and path without array indexes; identical for places of the same kind. */
const kindOfPlace = (file: string, steps: Steps): string =>
  [file.split('/')[0], ...steps.map((step) => (typeof step === 'number' ? '-' : step))].join('.');

/**
 * Example values for every kind of place, from the main network and the sample, to insert where a
 * registry has none.
 */
const sampleValues = new Map<string, { name: string; value: unknown }[]>();
for (const files of [createSampleFiles(), registryFactories['the main network']()])
  for (const [file, data] of Object.entries(files))
    for (const steps of placesIn(data)) {
      const name = steps.at(-1)!;
      if (typeof name === 'number') continue;
      const parentKind = kindOfPlace(file, steps.slice(0, -1));
      const list = sampleValues.get(parentKind) ?? [];
      if (list.filter((other) => other.name === name).length < 4)
        list.push({ name, value: valueAt(data, steps) });
      sampleValues.set(parentKind, list);
    }

const pick = <Value>(list: readonly Value[], number: number): Value => list[number % list.length]!;

function change(files: Files, { kind, fileIndex, placeIndex, valueIndex }: Edit): void {
  const file = pick(Object.keys(files), fileIndex);
  const data = files[file];
  const steps = pick([...placesIn(data)], placeIndex);
  if (!steps) return;
  const parent = valueAt(data, steps.slice(0, -1));
  const lastStep = steps.at(-1)!;
  switch (kind) {
    case 'near':
      parent[lastStep] = structuredClone(pick(listSimilarValues(parent[lastStep]), valueIndex));
      break;
    case 'any':
      parent[lastStep] = structuredClone(
        pick([...otherTypes, ...texts, ...numbers, ...days, ...addresses], valueIndex),
      );
      break;
    case 'graft': {
      const value = parent[lastStep];
      const containerSteps =
        typeof value === 'object' && value !== null ? steps : steps.slice(0, -1);
      const target = valueAt(data, containerSteps);
      const samples = sampleValues.get(kindOfPlace(file, containerSteps));
      if (!samples || Array.isArray(target)) return;
      const graft = pick(samples, valueIndex);
      target[graft.name] = structuredClone(graft.value);
      break;
    }
    case 'drop':
      if (Array.isArray(parent)) parent.splice(Number(lastStep), 1);
      else delete parent[lastStep];
      break;
    case 'double':
      if (Array.isArray(parent))
        parent.splice(Number(lastStep), 0, structuredClone(parent[Number(lastStep)]));
      else files[file.replace(/([^/]*)(\.\w+)$/, '$1-2$2')] = structuredClone(data!);
      break;
    case 'rename':
      if (Array.isArray(parent)) parent.reverse();
      else {
        const value = parent[lastStep];
        delete parent[lastStep];
        Object.defineProperty(parent, String(pick([...keys, ...texts], valueIndex)), {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
  }
}

/** Sources of a registry after the given changes. */
export function createChangedSources(name: keyof typeof registryFactories, edits: readonly Edit[]) {
  const files: Files = registryFactories[name]();
  for (const edit of edits) change(files, edit);
  return toSources(files);
}
