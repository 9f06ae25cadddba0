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
});
