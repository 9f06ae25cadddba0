import { describeIssue, type Described } from './describe-issue.ts';
import { type Fault, RegistryError } from './fault.ts';
import type { Page } from './network.ts';
import type { Registry } from './registry.ts';
import { rules } from './rules/index.ts';
import { type Kind, kinds } from './schema.ts';
import { locate, parseSource, splitFrontMatter, type Source } from './source.ts';

interface FileRecord {
  kind: Kind;
  /** Key of the record: the file’s path in its folder, without extension. */
  key: string;
  source: Source;
  data: unknown;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function kindOf(file: string): { kind: Kind; key: string } | undefined {
  const match = /^(?:(\w+)\/)?(.+)\.(\w+)$/.exec(file);
  const [, folder, key, extension] = match ?? [];
  const kind = (folder ?? key) as Kind | undefined;
  if (!kind || !key || !Object.hasOwn(kinds, kind)) return undefined;
  const { one, extensions } = kinds[kind];
  if (one !== (folder === undefined) || !(extensions as readonly string[]).includes(extension!)) return undefined;
  return { kind, key };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

function readRecord(root: string, source: Source): { record?: FileRecord; faults: Fault[] } {
  const whole = (problem: string): { faults: Fault[] } => ({ faults: [{ file: source.file, line: 1, column: 1, path: '', problem }] });
  const named = kindOf(source.file.slice(root.length + 1));
  if (!named) return whole(`is not a file of a registry. Expected ${Object.entries(kinds).map(([kind, { one, extensions }]) => (one ? `${kind}.${extensions[0]}` : `${kind}/*.${extensions[0]}`)).join(', ')}.`);
  if (named.kind === 'pages' && !splitFrontMatter(source.text)) return whole('has no front matter. Begin the file with --- title, description and updated ---.');
  const { data, faults } = parseSource(source);
  if (faults.length) return { faults };
  const { schema } = kinds[named.kind];
  const result = schema.safeParse(data);
  if (result.success) {
    const name = named.kind === 'subsites' ? (result.data as { name: string }).name : named.key;
    if (name !== named.key) return { faults: locate(source, [{ path: ['name'], problem: `differs from the file name. Name the file ${name} or the subsite ${named.key}.` }]) };
    return { record: { ...named, source, data: result.data }, faults: [] };
  }
  const described: Described[] = result.error.issues.flatMap((issue) => describeIssue(issue, schema, data));
  return { faults: locate(source, described) };
}

function assemble(records: readonly FileRecord[]): Registry {
  const of = <T>(kind: Kind) => records.filter((record) => record.kind === kind).sort((a, b) => compare(a.key, b.key)) as (FileRecord & { data: T })[];
  const one = <T>(kind: Kind, otherwise: T): T => of<T>(kind)[0]?.data ?? otherwise;
  const many = <T>(kind: Kind): Record<string, T> => Object.fromEntries(of<T>(kind).map(({ key, data }) => [key, data]));
  return {
    network: one<Registry['network']>('network', undefined as never),
    subsites: Object.values(many<Registry['subsites'][number]>('subsites')),
    catalogs: many('catalog'),
    pages: of<Omit<Page, 'path' | 'body'>>('pages')
      .map(({ key, data, source }) => ({ ...data, path: key === 'index' ? '/' : `/${key}`, body: splitFrontMatter(source.text)!.body }))
      .sort((a, b) => compare(a.path, b.path)),
    routes: one('routes', []),
    links: one('links', []),
    capabilities: one('capabilities', []),
    responsiveness: one('responsiveness', {}),
  };
}

/**
 * The registry that the sources under `root` make.
 * @throws {RegistryError} with every fault of every file, and, where each file is sound by itself, of every rule across them.
 */
export function readRegistry(root: string, sources: readonly Source[]): Registry {
  const records: FileRecord[] = [];
  const faults: Fault[] = [];
  const fileOf = new Map<string, Source>();
  for (const source of sources) {
    const result = readRecord(root, source);
    faults.push(...result.faults);
    const named = kindOf(source.file.slice(root.length + 1));
    if (!named) continue;
    const name = `${named.kind}/${named.key}`;
    const twin = fileOf.get(name);
    if (twin) faults.push({ file: source.file, line: 1, column: 1, path: '', problem: `stands beside ${twin.file}. Keep one of the two.` });
    else {
      fileOf.set(name, source);
      if (result.record) records.push(result.record);
    }
  }
  for (const [kind, { one, required }] of Object.entries(kinds))
    if (required && ![...fileOf.keys()].some((name) => name.startsWith(`${kind}/`)))
      faults.push({ file: `${root}/${one ? `${kind}.yaml` : kind}`, line: 1, column: 1, path: '', problem: `is missing. Add ${one ? 'the file' : 'at least one record'}.` });
  if (records.some((record) => record.kind === 'network')) {
    const registry = assemble(records);
    const sound = new Set(records.map((record) => `${record.kind}/${record.key}`));
    const broken = new Set([...fileOf.keys()].filter((name) => !sound.has(name)));
    const ruled = new Map<string, Described[]>();
    for (const rule of rules)
      for (const { record, ...problem } of rule.check(registry, broken)) {
        const list = ruled.get(record);
        if (list) list.push(problem);
        else ruled.set(record, [problem]);
      }
    for (const [record, problems] of ruled) {
      const source = fileOf.get(record);
      faults.push(...(source ? locate(source, problems) : problems.map(({ problem }) => ({ file: `${root}/${record}`, line: 1, column: 1, path: '', problem }))));
    }
    if (!faults.length) return deepFreeze(registry);
  }
  faults.sort((a, b) => compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.problem, b.problem));
  throw new RegistryError(faults);
}
