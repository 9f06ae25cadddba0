import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { parse as parseYaml } from 'yaml';
import { listPlacements, renderDocument } from '../../src/artifacts/index.ts';
import { serviceRules } from '../../src/build/service-rules.ts';
import { buildCommonHeaders, buildDiscoveryLinks } from '../../src/build/site-headers.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { createFieldsSchema } from '../../src/leads/submit/validate-fields.ts';
import { shiftExampleDates } from '../../src/registry/bookable-examples.ts';
import { compareRegistries } from '../../src/registry/compare/compare.ts';
import { formatFault, RegistryError } from '../../src/registry/fault.ts';
import { readRegistry } from '../../src/registry/read.ts';
import type { Source } from '../../src/registry/source/source.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import type { Registry } from '../../src/site/registry.ts';
import type { Site } from '../../src/site/site.ts';
import { chooseRepeatCount, createPropertyParameters } from '../setup/seeds.ts';
import { createChangedSources, edit, type registryFactories } from './mutations.ts';
import { createPageViews, createSiteViews } from './views.ts';

const builtAt = new Date('2026-11-06T20:40:00.000Z');
const createTestSite = (registry: Registry): Site => ({
  registry: shiftExampleDates(registry, builtAt),
  base: 'https://network.example',
  generatedAt: builtAt.toISOString(),
  dynamic: true,
});

/** Text that appears only if a value is missing or formatted wrongly. */
const UNFORMATTED_PATTERN = /\bundefined\b|\bNaN\b|\[object |Invalid Date|-?\bInfinity\b/;

/**
 * A fault message with a single sentence does not suggest a fix. A list of allowed values counts as
 * a suggestion.
 */
const FIX_PATTERN = /\. [A-Z“][^]*[.?!]$|^expected |^is missing\. /;

function expectParsable(path: string, mediaType: string, body: string): void {
  if (/json/.test(mediaType)) JSON.parse(body);
  if (path.endsWith('.md') && body.startsWith('---\n'))
    expect(parseYaml(/^---\n([^]*?)\n---\n/.exec(body)![1]!), path).toBeTypeOf('object');
}

/** Renders everything and returns the XML documents. */
function render(site: Site): { fileName: string; contents: string }[] {
  const allPlacements = listPlacements(site);
  const pages = pagesOfSite(site);
  const documents = allPlacements.map(({ path, artifact, key }) => ({
    path,
    mediaType: artifact.mediaType,
    body: renderDocument(artifact, key, site),
  }));
  const registryText = JSON.stringify(site.registry, (_, value: unknown) =>
    typeof value === 'number' ? String(value) : value,
  );
  for (const { path, mediaType, body } of documents) {
    expectParsable(path, mediaType, body);
    const unformattedValue = UNFORMATTED_PATTERN.exec(body)?.[0];
    if (unformattedValue && !registryText.includes(unformattedValue))
      expect.fail(`${path} contains ${unformattedValue}`);
  }
  const paths = [
    ...allPlacements.flatMap(({ path, aliases }) => [path, ...aliases]),
    ...pages.map(({ path }) => path),
  ];
  expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
  for (const path of paths) expect(new URL(path, site.base).pathname, path).toBe(path);
  new Headers({ ...buildCommonHeaders(site), link: buildDiscoveryLinks(allPlacements, site) });
  for (const { name, view } of [
    ...createSiteViews(site),
    ...pages.flatMap((p) => createPageViews(site, p)),
  ]) {
    const text = JSON.stringify(view());
    const unformattedValue = UNFORMATTED_PATTERN.exec(text ?? '')?.[0];
    if (unformattedValue && !registryText.includes(unformattedValue))
      expect.fail(`${name} contains ${unformattedValue}`);
  }
  for (const { name, actions } of site.registry.subsites)
    for (const { verb, fields } of actions) {
      const { issues } = v.safeParse(
        createFieldsSchema(fields, site.registry, name),
        exampleValuesOf(fields),
      );
      expect(
        issues?.map((issue) => issue.message),
        `example of ${name}.${verb}`,
      ).toBeUndefined();
    }
  return documents
    .filter(({ mediaType }) => mediaType.includes('xml'))
    .map(({ path, body }) => ({ fileName: path.slice(1), contents: body }));
}

function expectLocatedFaults(error: unknown, sources: readonly Source[]): void {
  if (!(error instanceof RegistryError)) throw error;
  const texts = new Map(sources.map(({ file, text }) => [file, text.split('\n')]));
  expect(error.faults).not.toEqual([]);
  for (const fault of error.faults) {
    const lines = texts.get(fault.file);
    const location = formatFault(fault);
    if (lines) {
      expect(fault.line, location).toBeLessThanOrEqual(lines.length);
      expect(fault.column - 1, location).toBeLessThanOrEqual(lines[fault.line - 1]!.length);
    } else expect(fault.file, location).toMatch(/^registry(?:\/|$)/);
    expect(Math.min(fault.line, fault.column), location).toBeGreaterThan(0);
    expect(fault.problem, location).toMatch(FIX_PATTERN);
    expect(fault.problem.length, location).toBeLessThan(1000);
  }
}

function read(sources: readonly Source[]): Registry | undefined {
  try {
    return readRegistry('registry', sources, serviceRules);
  } catch (error) {
    expectLocatedFaults(error, sources);
    return undefined;
  }
}

/**
 * `validCount`: number of valid registries to render. Three of four random registries have errors.
 */
const networks: [name: keyof typeof registryFactories, validCount: number][] = [
  ['sample', chooseRepeatCount(25, 50)],
  ['the network of four', chooseRepeatCount(4, 12)],
  ['the main network', chooseRepeatCount(1, 2)],
];

describe('a random registry', () => {
  it.each(networks)(
    'either has errors with a suggested fix, or renders: %s',
    async (name, validCount) => {
      const originalRegistry = read(createChangedSources(name, []))!;
      const xml = render(createTestSite(originalRegistry));
      fc.assert(
        fc.property(fc.array(edit, { minLength: 1, maxLength: 2 }), (edits) => {
          const registry = read(createChangedSources(name, edits));
          fc.pre(registry !== undefined);
          xml.push(...render(createTestSite(registry)));
          compareRegistries(originalRegistry, registry);
        }),
        createPropertyParameters(validCount),
      );
      const { errors } = await validateXML({
        xml: xml.map(({ contents }, index) => ({ fileName: `${index}.xml`, contents })),
        normalization: 'format',
      });
      expect(errors).toEqual([]);
    },
  );
});
