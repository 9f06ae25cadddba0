import { describe, expect, it } from 'vitest';
import { formatFault, RegistryError } from '../../src/registry/fault.ts';
import { readRegistry } from '../../src/registry/read.ts';
import type { Source } from '../../src/registry/source/source.ts';
import { type EditableRecord, createSampleFiles, toSources } from './sample-registry.ts';

type Files = Record<string, EditableRecord>;

function faultsOf(sources: Source[]) {
  try {
    readRegistry('registry', sources);
    return [];
  } catch (error) {
    return (error as RegistryError).faults;
  }
}

const placesOf = (sources: Source[]) =>
  faultsOf(sources).map(({ file, path }) => `${file.replace('registry/', '')} ${path}`);

/** Faults within one file. Each removes something that other records refer to. */
const fileFaults: Record<string, (files: Files) => void> = {
  'network.yaml crawl.search': (files) => (files['network.yaml']!.crawl.search = 'yes'),
  'routes.yaml [2].audience': (files) => (files['routes.yaml']![2].audience = 'machines'),
  'links.yaml [0].title': (files) => delete files['links.yaml']![0].title,
  'subsites/kites.yaml category': (files) => (files['subsites/kites.yaml']!.category = 'produkt'),
  'catalog/kites.yaml noun': (files) => (files['catalog/kites.yaml']!.noun = 7),
  'pages/kites/terms.md title': (files) => delete files['pages/kites/terms.md']!.title,
};

/** Faults across records, in files that are valid by themselves. */
const crossRecordFaults: Record<string, (files: Files) => void> = {
  'network.yaml terms': (files) => (files['network.yaml']!.terms = '/nowhere'),
  'capabilities.yaml [0].route': (files) => (files['capabilities.yaml']![0].route = '/moon'),
  'subsites/lines.yaml leadEndpoint': (files) =>
    (files['subsites/lines.yaml']!.leadEndpoint = '/ask'),
  'subsites/lines.yaml mcpTools[0]': (files) =>
    (files['subsites/lines.yaml']!.mcpTools = ['get_moons']),
  'subsites/lines.yaml infoTools[0].of[0]': (files) =>
    (files['subsites/lines.yaml']!.infoTools = [
      {
        name: 'get_lines',
        title: 'Lines',
        description: 'Lists lines.',
        shows: 'catalog',
        of: ['moons'],
      },
    ]),
  'subsites/lines.yaml intro': (files) =>
    (files['subsites/lines.yaml']!.intro = 'See [the moon](/moon).'),
  'pages/about.md ': (files) =>
    (files['pages/about.md'] = {
      title: 'About',
      description: 'About.',
      updated: '2026-01-02',
      body: 'See [it](/moon).',
    }),
  'pages/list.md items.catalog': (files) =>
    (files['pages/list.md'] = {
      title: 'List',
      description: 'List.',
      updated: '2026-01-02',
      items: { catalog: 'moons' },
      body: 'All.',
    }),
};

/** References to every record that has a fault in its own file; valid once the fault is fixed. */
function addReferences(files: Files): void {
  files['subsites/spools.yaml'] = {
    ...structuredClone(files['subsites/lines.yaml']),
    name: 'spools',
    url: '/spools',
    leadSource: 'spools',
    leadEndpoint: '/api/lead/action',
    jsonEndpoints: [],
    snapshots: undefined,
    mcpTools: ['get_kites'],
    intro:
      'See [kites](/kites), [a delta](/kites/delta), [terms](/kites/terms), [a link](/go/kites) and [the agent area](/agents).',
    infoTools: [
      {
        name: 'get_spools',
        title: 'Spools',
        description: 'Lists spools.',
        shows: 'catalog',
        of: ['kites'],
      },
    ],
  };
  files['pages/deltas.md'] = {
    title: 'Deltas',
    description: 'Deltas.',
    updated: '2026-01-02',
    items: { catalog: 'kites' },
    body: 'All.',
  };
}

describe('a registry with many errors', () => {
  it('has valid references before errors are introduced', () => {
    const files = createSampleFiles();
    addReferences(files);
    expect(placesOf(toSources(files))).toEqual([]);
  });

  it('reports exactly the introduced cross-record errors', () => {
    const files = createSampleFiles();
    addReferences(files);
    for (const addFault of Object.values(crossRecordFaults)) addFault(files);
    expect(placesOf(toSources(files)).sort()).toEqual(Object.keys(crossRecordFaults).sort());
  });

  it.each([
    ...Object.entries(fileFaults).map(([place, addFault]) => [place, [place], [addFault]] as const),
    ['every kind of file', Object.keys(fileFaults), Object.values(fileFaults)] as const,
  ])('reports the same errors along with an error in %s', (_, places, extraFaults) => {
    const files = createSampleFiles();
    addReferences(files);
    for (const addFault of [...Object.values(crossRecordFaults), ...extraFaults]) addFault(files);
    expect(placesOf(toSources(files)).sort()).toEqual(
      [...Object.keys(crossRecordFaults), ...places].sort(),
    );
  });

  it('reports broken links in the texts of records with other errors', () => {
    const files = createSampleFiles();
    const link = 'See [the moon](/moon).';
    files['subsites/kites.yaml']!.category = 'produkt';
    files['subsites/kites.yaml']!.intro = link;
    files['catalog/kites.yaml']!.noun = 7;
    files['catalog/kites.yaml']!.items[0].body = link;
    delete files['pages/kites/terms.md']!.title;
    files['pages/kites/terms.md']!.body = link;
    delete files['links.yaml']![0].title;
    files['links.yaml']![0].target = '/moon';
    expect(placesOf(toSources(files)).sort()).toEqual([
      'catalog/kites.yaml items[0].body',
      'catalog/kites.yaml noun',
      'links.yaml [0].target',
      'links.yaml [0].title',
      'pages/kites/terms.md ',
      'pages/kites/terms.md title',
      'subsites/kites.yaml category',
      'subsites/kites.yaml intro',
    ]);
  });

  it.each(['network.yaml', 'subsites/kites.yaml', 'catalog/kites.yaml'])(
    'reports the same errors along with a syntax error at the end of %s',
    (file) => {
      const files = createSampleFiles();
      addReferences(files);
      const addedFaults = Object.entries(crossRecordFaults).filter(
        ([place]) => !place.startsWith(file),
      );
      for (const [, addFault] of addedFaults) addFault(files);
      const sources = toSources(files).map((source) =>
        source.file.endsWith(file) ? { ...source, text: `${source.text}"open: [\n` } : source,
      );
      expect(new Set(placesOf(sources))).toEqual(
        new Set([...addedFaults.map(([place]) => place), `${file} `]),
      );
    },
  );
});

describe('a URL or value that two records use', () => {
  const copyUrl = () => {
    const files = createSampleFiles();
    addReferences(files);
    files['routes.yaml']!.push({ path: '/spools', audience: 'public' });
    files['subsites/lines.yaml']!.intro = 'See [spools](/spools).';
    return files;
  };

  it('is reported once, at the copy, without the links that it breaks', () => {
    const files = copyUrl();
    expect(placesOf(toSources(files))).toEqual([]);
    files['subsites/spools.yaml']!.url = '/lines';
    expect(faultsOf(toSources(files)).map(formatFault)).toEqual([
      expect.stringMatching(
        /^registry\/subsites\/spools\.yaml:\d+:\d+ url: leads to \/lines, which url of subsites\/lines already uses\. Choose another\. The other one is at registry\/subsites\/lines\.yaml:\d+\.$/,
      ),
    ]);
  });

  it('is reported at the copy, even if the original comes later in the alphabet', () => {
    const files = copyUrl();
    files['subsites/lines.yaml']!.url = '/spools';
    expect(placesOf(toSources(files))).toEqual(['subsites/lines.yaml url']);
  });

  it('does not hide links that do not exist for another reason', () => {
    const files = copyUrl();
    files['subsites/spools.yaml']!.url = '/lines';
    files['routes.yaml']!.push({ path: '/spoolz', audience: 'public' });
    files['subsites/kites.yaml']!.intro = 'See [spools](/spoolz).';
    expect(placesOf(toSources(files))).toEqual([
      `routes.yaml [${files['routes.yaml']!.length - 1}].path`,
      'subsites/kites.yaml intro',
      'subsites/spools.yaml url',
    ]);
  });

  it('is reported with the file and line of the other', () => {
    const files = createSampleFiles();
    files['subsites/lines.yaml']!.leadSource = 'kites';
    files['links.yaml']!.push(files['links.yaml']![0]);
    const lineOf = (file: string, text: string) =>
      toSources(files)
        .find((source) => source.file === `registry/${file}`)!
        .text.split('\n')
        .findIndex((line) => line.includes(text)) + 1;
    expect(faultsOf(toSources(files)).map(({ problem }) => problem)).toEqual([
      `is repeated. Rename one of the links. The other one is at registry/links.yaml:${lineOf('links.yaml', 'slug')}.`,
      `is also the leadSource of kites. Choose one that no other subsite uses. The other one is at registry/subsites/kites.yaml:${lineOf('subsites/kites.yaml', 'leadSource')}.`,
    ]);
  });
});

it('a search phrase that a record repeats is named, with the line of the other', () => {
  const files = createSampleFiles();
  files['subsites/kites.yaml']!.facts = [
    { text: 'Kites fly.', asked: ['What goes up?'] },
    { text: 'Lines hold.', asked: ['Will it get away?', 'what goes up?'] },
  ];
  expect(faultsOf(toSources(files)).map(formatFault)).toEqual([
    expect.stringMatching(
      /facts\[1\]\.asked\[1\]: repeats “What goes up\?”\. Keep it only in the place that answers it best\. The other one is at registry\/subsites\/kites\.yaml:\d+\.$/,
    ),
  ]);
});

it('an item ID that a catalog repeats is reported without advice about the values of its hold', () => {
  const files = createSampleFiles();
  const { items } = files['catalog/kites.yaml']!;
  const [first] = items;
  items.push({ ...items.pop(), id: first.id });
  expect(new Set(faultsOf(toSources(files)).map(({ path }) => path))).toEqual(
    new Set(['items[1].id']),
  );
});

describe('the location of an error', () => {
  const formatFaults = (sources: Source[]) => faultsOf(sources).map(formatFault);
  const createPage = (body: string): Source => ({
    file: 'registry/pages/about.md',
    text: `---\ntitle: About\ndescription: About.\nupdated: 2026-01-02\n---\n${body}`,
  });

  it('points to the link in a page, even if the same link occurs twice', () => {
    expect(
      formatFaults([
        ...toSources(createSampleFiles()),
        createPage('\nA [sound one](/kites).\n\nTo [the moon](/moon)\nand [back](/moon).\n'),
      ]),
    ).toEqual([
      'registry/pages/about.md:9:15 links to /moon, which has no page. Use the path of a page in this network.',
      'registry/pages/about.md:10:12 links to /moon, which has no page. Use the path of a page in this network.',
    ]);
  });

  it('points to the link in a YAML block', () => {
    const sources = toSources(createSampleFiles()).map((source) =>
      source.file.endsWith('lines.yaml')
        ? { ...source, text: `intro: |\n  First.\n\n  To [the moon](/moon).\n${source.text}` }
        : source,
    );
    expect(formatFaults(sources)).toEqual([
      'registry/subsites/lines.yaml:4:17 intro: links to /moon, which has no page. Use the path of a page in this network.',
    ]);
  });

  it('is reported once for an unknown effect, with the known effects', () => {
    const files = createSampleFiles();
    files['subsites/kites.yaml']!.actions[0].effect.kind = 'rout';
    expect(formatFaults(toSources(files))).toEqual([
      expect.stringMatching(
        /kites\.yaml:\d+:13 actions\[0\]\.effect\.kind: expected one of route, storefront, hold, import\. Did you mean route\?$/,
      ),
    ]);
    delete files['subsites/kites.yaml']!.actions[0].effect.kind;
    expect(formatFaults(toSources(files))).toEqual([
      expect.stringMatching(
        /actions\[0\]\.effect\.kind: is missing\. Use one of route, storefront, hold, import\.$/,
      ),
    ]);
  });

  it('is the same in a file that starts with a byte order mark', () => {
    const sources = [...toSources(createSampleFiles()), createPage('To [the moon](/moon).')];
    expect(
      formatFaults(sources.map(({ file, text }) => ({ file, text: `\uFEFF${text}` }))),
    ).toEqual(formatFaults(sources));
  });
});
