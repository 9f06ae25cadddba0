import { describe, expect, it } from 'vitest';
import { compareRegistries, readRegistry } from '../../src/registry/index.ts';
import { type Loose, sample, sourcesOf } from './sample.ts';

const read = (files: Record<string, Loose>) => readRegistry('registry', sourcesOf(files));

const changes: [change: (files: Record<string, Loose>) => void, lines: [string, string, boolean][]][] = [
  [(files) => (files['subsites/kites.yaml']!.actions[0].fields.from.required = false), [['kites.book_kite', 'from became optional', false]]],
  [(files) => (files['subsites/kites.yaml']!.actions[0].fields.note = { type: 'string', required: true, example: 'x' }), [['kites.book_kite', 'note was added, required', true]]],
  [(files) => (files['subsites/lines.yaml']!.status = 'auth'), [['lines', 'status changed from public to auth', true]]],
  [(files) => (files['subsites/lines.yaml']!.title = 'Strings'), [['lines', 'title changed', false]]],
  [(files) => (files['subsites/kites.yaml']!.actions[0].capability = {}), [['kites.book_kite', 'is offered as a capability', false]]],
  [(files) => (files['links.yaml']![0].target = '/lines'), [['/go/kites', 'leads to /lines instead of /kites', false]]],
  [(files) => (files['routes.yaml'] = files['routes.yaml']!.slice(0, 2)), [['route /api/agent-index', 'was removed', true]]],
  [(files) => (files['catalog/kites.yaml']!.items[0].price = { unit: 'day', amount: 5, currency: 'USD' }), [['kites item delta', 'has another price', false]]],
  [(files) => files['subsites/kites.yaml']!.actions[0].fields.kite.enum.reverse(), [['kites.book_kite', 'kite: values stand in another order', false]]],
  [(files) => files['catalog/kites.yaml']!.items.reverse(), [['kites catalog', 'items stand in another order', false]]],
  [(files) => (files['catalog/kites.yaml']!.noun = 'wing'), [['kites catalog', 'noun changed', false]]],
  [(files) => (files['subsites/kites.yaml']!.infoTools[0].name = 'get_wings'), [['tool get_kites', 'was removed', true], ['tool get_wings', 'was added', false]]],
  [(files) => (files['network.yaml']!.crawl.aiInput = false), [['network', 'crawl.aiInput changed from true to false', false]]],
  [(files) => (files['network.yaml']!.version = '1.1.0'), [['network', 'version changed from 1.0.0 to 1.1.0', false]]],
  [(files) => (files['subsites/kites.yaml']!.actions[0].retentionDays = 7), [['kites.book_kite', 'retentionDays changed from 30 to 7', false]]],
];

/** Changes to an action that is offered as a capability. */
const offered: typeof changes = [
  [({ kites }) => (kites!.actions[0].fields.from.required = false), [['kites.book_kite', 'from became optional', false]]],
  [({ kites }) => (kites!.actions[0].capability.fields = { from: { type: 'date', required: false } }), [['kites.book_kite (capability)', 'from became optional', false], ['kites.book_kite (capability)', 'from: example changed', false]]],
  [({ kites }) => (kites!.actions[0].capability.fields = { to: { ...kites!.actions[0].fields.to } }), []],
  [({ kites }) => (kites!.actions[0].capability.limitations = ['One kite.']), [['kites.book_kite (capability)', 'limitations changed', false]]],
];

describe('comparing registries', () => {
  it('finds nothing between equal ones', () => {
    expect(compareRegistries(read(sample()), read(sample()))).toEqual([]);
  });

  it.each(changes)('says in words what changes (%#)', (change, lines) => {
    const files = sample();
    change(files);
    expect(compareRegistries(read(sample()), read(files)).map(({ where, change, breaking }) => [where, change, breaking])).toEqual(lines);
  });

  it('calls a field that became required breaking', () => {
    const files = sample();
    files['subsites/kites.yaml']!.actions[0].fields.from.required = false;
    expect(compareRegistries(read(files), read(sample()))).toEqual([{ where: 'kites.book_kite', change: 'from became required', breaking: true }]);
  });

  it.each(offered)('says of a capability what it takes in the end (%#)', (change, lines) => {
    const offer = (): Record<string, Loose> => {
      const files = sample();
      files['subsites/kites.yaml']!.actions[0].capability = {};
      return files;
    };
    const files = offer();
    change({ kites: files['subsites/kites.yaml']! });
    expect(compareRegistries(read(offer()), read(files)).map(({ where, change, breaking }) => [where, change, breaking])).toEqual(lines);
  });

  it('finds nothing where keys stand in another order', () => {
    const files = sample();
    files['subsites/kites.yaml'] = Object.fromEntries(Object.entries(files['subsites/kites.yaml']!).reverse());
    files['capabilities.yaml']![0].inputSchema = Object.fromEntries(Object.entries(files['capabilities.yaml']![0].inputSchema).reverse());
    expect(compareRegistries(read(sample()), read(files))).toEqual([]);
  });
});
