import { describe, expect, it } from 'vitest';
import { RegistryError, readRegistry } from '../../src/registry/index.ts';
import { rules } from '../../src/registry/rules/index.ts';
import { type Loose, sample, sourcesOf } from './sample.ts';

type Files = Record<string, Loose>;

/** For each rule a change to the sample that breaks it, and where the fault must be reported. */
const breaches: Record<string, [break_: (files: Files) => void, file: string, path: string]> = {
  'unique-url': [(files) => (files['subsites/lines.yaml']!.url = '/kites'), 'subsites/lines.yaml', 'url'],
  'unique-lead-source': [(files) => (files['subsites/lines.yaml']!.leadSource = 'kites'), 'subsites/lines.yaml', 'leadSource'],
  'reserved-url': [(files) => (files['subsites/lines.yaml']!.url = '/api/lines'), 'subsites/lines.yaml', 'url'],
  'unique-verb': [(files) => files['subsites/kites.yaml']!.actions.push(structuredClone(files['subsites/kites.yaml']!.actions[0])), 'subsites/kites.yaml', 'actions[1].verb'],
  'unique-item': [
    (files) => files['catalog/kites.yaml']!.items.push({ id: 'rokkaku', title: 'R', summary: 'R.' }, { id: 'rokkaku', title: 'R', summary: 'R.' }) &&
      files['subsites/kites.yaml']!.actions[0].fields.kite.enum.push('rokkaku', 'rokkaku-two'),
    'catalog/kites.yaml', 'items[3].id',
  ],
  'unique-skill': [(files) => (files['network.yaml']!.skills = [{ name: 'kites', description: 'Fly.', questions: ['How do I fly?', 'Where?'], body: 'Run.' }]), 'network.yaml', 'skills[0].name'],
  'unique-link': [(files) => files['links.yaml']!.push({ slug: 'kites', target: '/lines', title: 'Lines' }), 'links.yaml', '[1].slug'],
  'catalog-of-subsite': [(files) => (files['catalog/kits.yaml'] = { ...files['catalog/kites.yaml'], route: undefined }), 'catalog/kits.yaml', ''],
  'known-tool': [(files) => files['subsites/lines.yaml']!.mcpTools.push('get_kits'), 'subsites/lines.yaml', 'mcpTools[1]'],
  'tool-answers-for': [(files) => (files['subsites/kites.yaml']!.infoTools[0].of = ['lines']), 'subsites/kites.yaml', 'infoTools[0].of[0]'],
  'lead-endpoint': [(files) => (files['subsites/lines.yaml']!.leadEndpoint = '/lines/ask'), 'subsites/lines.yaml', 'leadEndpoint'],
  'snapshots-listed': [(files) => (files['subsites/lines.yaml']!.jsonEndpoints = []), 'subsites/lines.yaml', 'snapshots[0].path'],
  'capability-offer': [(files) => delete files['subsites/kites.yaml']!.guide, 'subsites/kites.yaml', 'capabilities'],
  'held-items': [(files) => files['subsites/kites.yaml']!.actions[0].fields.kite.enum.push('star'), 'subsites/kites.yaml', 'actions[0].fields.kite.enum'],
  discoverable: [(files) => delete files['subsites/lines.yaml']!.questions, 'subsites/lines.yaml', 'questions'],
  'valid-example': [(files) => (files['subsites/kites.yaml']!.actions[0].fields.from.example = '2027-02-30'), 'subsites/kites.yaml', 'actions[0].fields.from.example'],
  'route-has-page': [(files) => files['routes.yaml']!.push({ path: '/moon', audience: 'public' }), 'routes.yaml', '[3].path'],
  'unique-route': [(files) => files['routes.yaml']!.push({ path: '/kites', audience: 'public' }), 'routes.yaml', '[3].path'],
  'item-route': [(files) => (files['catalog/kites.yaml']!.items[0].id = files['subsites/kites.yaml']!.actions[0].fields.kite.enum[0] = 'terms'), 'catalog/kites.yaml', 'items[0].id'],
  'page-items': [(files) => (files['pages/kites/terms.md']!.items = { catalog: 'kits' }), 'pages/kites/terms.md', 'items.catalog'],
  'capability-route': [(files) => (files['capabilities.yaml']![0].route = '/moon'), 'capabilities.yaml', '[0].route'],
  'links-resolve': [(files) => (files['pages/kites/terms.md']!.body = 'See [the moon](/moon).'), 'pages/kites/terms.md', ''],
};

function faultsOf(files: Files) {
  try {
    readRegistry('registry', sourcesOf(files));
    return [];
  } catch (error) {
    if (error instanceof RegistryError) return error.faults;
    throw error;
  }
}

describe('rules across records', () => {
  it('have an example of a breach each', () => {
    expect(Object.keys(breaches).sort()).toEqual(rules.map((rule) => rule.name).sort());
  });

  it('are silent on a sound network', () => {
    expect(faultsOf(sample())).toEqual([]);
  });

  it.each(Object.entries(breaches))('%s reports its breach where it stands', (_, [breakIt, file, path]) => {
    const files = sample();
    breakIt(files);
    const faults = faultsOf(files);
    expect(faults).toContainEqual(expect.objectContaining({ file: `registry/${file}`, path }));
    for (const fault of faults) expect(fault.problem).toMatch(/\. .+[.?]$/s);
  });
});
