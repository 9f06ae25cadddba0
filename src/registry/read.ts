import { basename } from 'node:path';
import { isObject, memberOf } from '../site/json-object.ts';
import { type SearchPhrases, searchPhrasesOf } from './search-phrases.ts';
import { describeIssues } from './describe-issue.ts';
import { findPlaceholders } from './placeholders.ts';
import { createFileFault, type Fault, formatPath, RegistryError } from './fault.ts';
import { type Network, network, type Page } from './schemas/network.ts';
import type { Registry } from '../site/registry.ts';
import { withNetworkClosedDays } from './network-closed-days.ts';
import { findDisplacedPaths } from './rules/addresses.ts';
import { findRuleFaults } from './rule-faults.ts';
import { rules } from './rules/index.ts';
import type { Records, Rule } from './rules/rule.ts';
import { type Kind, kinds, toPagePath } from './schemas/schema.ts';
import { locateProblems } from './source/locate-problems.ts';
import { parseSource } from './source/parse-source.ts';
import { splitFrontMatter, type Source } from './source/source.ts';
import type { Subsite } from './schemas/subsite.ts';
import { key as nameSchema, path } from './schemas/text.ts';
import { classifyUnreadableRecords, type UnreadableRecord } from './unreadable-records.ts';

interface FileRecord extends UnreadableRecord {
  source: Source;
  /** Search phrases of the record. */
  asked: SearchPhrases;
}

/** True if a path in the registry folder is an image that records may use. */
export const isImageFile = (file: string): boolean =>
  /^images\/.+\.(?:jpg|jpeg|png|webp|avif)$/.test(file);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function kindOf(file: string): { kind: Kind; key: string } | undefined {
  const match = /^(?:(\w+)\/)?(.+)\.(\w+)$/.exec(file);
  const [, folder, key, extension] = match ?? [];
  const kind = (folder ?? key) as Kind | undefined;
  if (!kind || !key || !Object.hasOwn(kinds, kind)) return undefined;
  const { isSingle, extensions } = kinds[kind];
  if (
    isSingle !== (folder === undefined) ||
    !(extensions as readonly string[]).includes(extension!)
  )
    return undefined;
  return { kind, key };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

/** True if a path in the registry folder is a record. */
export const isRecordFile = (file: string): boolean => kindOf(file) !== undefined;

/**
 * The file name with the extension .yaml; undefined if a file with that name would not be a record.
 */
function findRecordName(root: string, file: string): string | undefined {
  const yamlName = file.replace(/\.ya?ml$/i, '.yaml');
  return isRecordFile(yamlName.slice(root.length + 1)) ? yamlName : undefined;
}

const MAX_LISTED_FILES = 5;

/** Lists by name the other files that a fault concerns, for example “also a.bak, b.bak”. */
const listOthers = (files: readonly string[]): string => {
  const names = files.slice(0, MAX_LISTED_FILES).map((file) => basename(file));
  return `also ${names.join(', ')}${files.length > names.length ? ', …' : ''}`;
};

/** Advice for an image whose extension is not in lowercase; empty for any other file. */
const suggestLowercaseExtension = (root: string, file: string): string => {
  const lowercase = file.replace(/\.\w+$/, (extension) => extension.toLowerCase());
  return file !== lowercase && isImageFile(lowercase.slice(root.length + 1))
    ? `Write the extension in lowercase: ${basename(lowercase)}. `
    : '';
};

/** Creates one fault per top-level folder for all files in it that are not registry files. */
function findStrayFileFaults(root: string, files: readonly string[]): Fault[] {
  const expected = Object.entries(kinds).map(([kind, { isSingle, extensions }]) =>
    isSingle ? `${kind}.${extensions[0]}` : `${kind}/*.${extensions[0]}`,
  );
  const folderOf = (file: string) => /^[^/]+(?=\/)/.exec(file.slice(root.length + 1))?.[0];
  return [...Map.groupBy(files, folderOf)].map(([folder, [file, ...others]]) =>
    createFileFault(
      file!,
      `${others.length ? `is one of ${others.length + 1} files in ${folder === undefined ? root : `${root}/${folder}`} that are not registry files (${listOthers(others)})` : 'is not a registry file'}. ${suggestLowercaseExtension(root, file!)}Expected ${expected.join(', ')}, images/*.{jpg,png,webp,avif}.`,
    ),
  );
}

interface ReadResult {
  record?: FileRecord;
  /** The readable part of an invalid record. */
  data?: unknown;
  /** True if the syntax of the invalid record is correct and only its values are wrong. */
  isParsed?: boolean;
  faults: Fault[];
}

function readRecord(root: string, source: Source): ReadResult {
  const rejectFile = (problem: string) => ({ faults: [createFileFault(source.file, problem)] });
  if (source.unreadable) return parseSource(source);
  const named = kindOf(source.file.slice(root.length + 1));
  if (!named)
    return rejectFile(
      `is not read, because its name does not end in .yaml. Rename it to ${findRecordName(root, source.file)}.`,
    );
  if (named.kind !== 'pages' && named.key.includes('/'))
    return {
      data: parseSource(source).data,
      faults: [
        createFileFault(source.file, `is in a subfolder. Move it to ${root}/${named.kind}.`),
      ],
    };
  if (named.kind === 'pages' && !path.safeParse(toPagePath(named.key)).success)
    return rejectFile(
      'has a name that is not a valid site path. Use letters, digits, hyphens, dots and underscores, and end the name with .md.',
    );
  if (named.kind === 'pages' && !splitFrontMatter(source.text))
    return rejectFile(
      'has no front matter. Begin the file with title, description and updated, between two lines of ---.',
    );
  const { data, faults } = parseSource(source);
  if (faults.length) return { data, faults };
  const { schema } = kinds[named.kind];
  const placeholders = findPlaceholders(data);
  const result = schema.safeParse(data);
  if (result.success && !placeholders.length)
    return {
      record: { ...named, source, data: result.data, asked: searchPhrasesOf(data) },
      faults: [],
    };
  const schemaProblems = describeIssues(result.error?.issues ?? [], schema, data);
  const placeholderPaths = new Set(placeholders.map(({ path }) => formatPath(path)));
  return {
    data,
    isParsed: true,
    faults: locateProblems(source, [
      ...placeholders,
      // A placeholder of the wrong type is reported only as a placeholder.
      ...schemaProblems.filter(({ path }) => !placeholderPaths.has(formatPath(path))),
    ]),
  };
}

/** Cache of the latest result for each file, with its source, by path. */
const lastReads = new Map<string, { source: Source; read: ReadResult }>();

/** Like `readRecord`, but caches results, because few files change between two reads. */
function readCachedRecord(root: string, source: Source): ReadResult {
  const path = `${root}\0${source.file}`;
  const last = lastReads.get(path);
  if (last && last.source.text === source.text && !last.source.unreadable && !source.unreadable)
    return last.read;
  const read = deepFreeze(readRecord(root, source));
  lastReads.set(path, { source, read });
  return read;
}

/**
 * Rejects a subsite whose name differs from its file name. `recordNames` are the names of the
 * records in all files.
 */
function rejectMisnamed(
  read: ReadResult,
  source: Source,
  recordNames: ReadonlySet<string | undefined>,
): ReadResult {
  if (read.record?.kind !== 'subsites') return read;
  const { key, data } = read.record;
  const { name } = data as Subsite;
  if (name === key) return read;
  const isNameFree = !recordNames.has(`subsites/${name}`);
  const isKeyValid = nameSchema.safeParse(key).success;
  const advice = isKeyValid
    ? `Rename ${isNameFree ? `the file to ${name}, or ` : ''}the subsite to ${key}.`
    : isNameFree
      ? `Rename the file to ${name}.`
      : `Delete the file if it is a copy of ${name}; otherwise, rename both: use only lowercase letters, digits and hyphens.`;
  const problem = `differs from the file name. ${advice}`;
  return { data, isParsed: true, faults: locateProblems(source, [{ path: ['name'], problem }]) };
}

/** Picks the valid keys of network.yaml, so that rules can run despite an error in another key. */
function pickValidNetwork(data: unknown): Partial<Network> {
  if (!isObject(data)) return {};
  return Object.fromEntries(
    Object.entries(network.shape).flatMap(([name, schema]) => {
      const result = schema.safeParse(memberOf(data, name));
      return result.success ? [[name, result.data]] : [];
    }),
  );
}

function assembleRegistry(
  records: readonly FileRecord[],
  networkData: unknown,
  images: readonly string[],
): Records {
  // The schema for the kind has already checked the data; callers state its type.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
  const listRecordsOfKind = <T>(kind: Kind) =>
    records
      .filter((record) => record.kind === kind)
      .sort((a, b) => compare(a.key, b.key)) as (FileRecord & { data: T })[];
  const findSingleRecord = <T>(kind: Kind, fallback: T): T =>
    listRecordsOfKind<T>(kind)[0]?.data ?? fallback;
  const mapRecordsByKey = <T>(kind: Kind): Record<string, T> =>
    Object.fromEntries(listRecordsOfKind<T>(kind).map(({ key, data }) => [key, data]));
  const networkRecord = findSingleRecord<Partial<Network>>(
    'network',
    pickValidNetwork(networkData),
  );
  return {
    network: networkRecord,
    subsites: listRecordsOfKind<Subsite>('subsites').map(({ data }) =>
      withNetworkClosedDays(data, networkRecord),
    ),
    catalogs: mapRecordsByKey('catalog'),
    pages: listRecordsOfKind<Omit<Page, 'path' | 'body'>>('pages')
      .map(({ key, data, source }) => ({
        ...data,
        path: toPagePath(key),
        body: splitFrontMatter(source.text)!.body,
      }))
      .sort((a, b) => compare(a.path, b.path)),
    routes: findSingleRecord('routes', []),
    links: findSingleRecord('links', []),
    capabilities: findSingleRecord('capabilities', []),
    responsiveness: findSingleRecord('responsiveness', {}),
    images,
    asked: Object.fromEntries(
      records.flatMap(({ kind, key, asked }) =>
        Object.keys(asked).length ? [[`${kind}/${key}`, asked]] : [],
      ),
    ),
  };
}

/** Creates a fault for each required file that is missing. */
const findMissingFileFaults = (
  root: string,
  sourcesByRecord: ReadonlyMap<string, Source>,
): Fault[] =>
  Object.entries(kinds).flatMap(([kind, { isSingle, required }]) =>
    required && ![...sourcesByRecord.keys()].some((name) => name.startsWith(`${kind}/`))
      ? createFileFault(
          `${root}/${isSingle ? `${kind}.yaml` : kind}`,
          `is missing. Add ${kind === 'network' ? 'the file' : isSingle ? 'the file, with [] for an empty list' : 'at least one record'}.`,
        )
      : [],
  );

/**
 * Builds the registry from the sources under `root`, which must also satisfy `extraRules`.
 * @throws {RegistryError} with all faults, both those in single files and those that rules find
 * across valid records.
 */
export function readRegistry(
  root: string,
  sources: readonly Source[],
  extraRules: readonly Rule[] = [],
): Registry {
  const records: FileRecord[] = [];
  const unreadable: UnreadableRecord[] = [];
  const faults: Fault[] = [];
  const sourcesByRecord = new Map<string, Source>();
  const isImage = ({ file }: Source) => isImageFile(file.slice(root.length + 1));
  const { stray = [], record: recordSources = [] } = Object.groupBy(
    sources.filter((one) => !isImage(one) || one.unreadable),
    ({ file, unreadable: problem }) =>
      problem || findRecordName(root, file) !== undefined ? 'record' : 'stray',
  );
  faults.push(
    ...findStrayFileFaults(
      root,
      stray.map(({ file }) => file),
    ),
  );
  const toRecordName = ({ file }: Source) => {
    const named = kindOf(file.slice(root.length + 1));
    return named && `${named.kind}/${named.key}`;
  };
  const recordNames = new Set(recordSources.map(toRecordName));
  for (const { text, ...file } of recordSources) {
    // A file may begin with a byte order mark.
    const source = { ...file, text: text.replace(/^\uFEFF/, '') };
    const result = rejectMisnamed(readCachedRecord(root, source), source, recordNames);
    faults.push(...result.faults);
    const named = kindOf(source.file.slice(root.length + 1));
    if (!named) continue;
    const name = `${named.kind}/${named.key}`;
    const existingSource = sourcesByRecord.get(name);
    if (existingSource)
      faults.push(
        createFileFault(
          source.file,
          `defines the same record as ${existingSource.file}. Keep one of the two.`,
        ),
      );
    else {
      sourcesByRecord.set(name, source);
      if (result.record) records.push(result.record);
      else
        unreadable.push({
          ...named,
          data: result.data,
          ...(result.isParsed && { body: splitFrontMatter(source.text)?.body ?? '' }),
        });
    }
  }
  faults.push(...findMissingFileFaults(root, sourcesByRecord));
  const readableRecords = assembleRegistry(
    records,
    unreadable.find(({ kind }) => kind === 'network')?.data,
    sources
      .filter(isImage)
      .map(({ file }) => file.slice(root.length + 1))
      .sort(),
  );
  faults.push(
    ...findRuleFaults(
      readableRecords,
      classifyUnreadableRecords(unreadable, findDisplacedPaths(readableRecords)),
      [...rules, ...extraRules],
      (record) => sourcesByRecord.get(record) ?? `${root}/${record}`,
    ),
  );
  // If there are no faults, network.yaml is present and complete.
  if (!faults.length) return deepFreeze(readableRecords as Registry);
  faults.sort(
    (a, b) =>
      compare(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compare(a.problem, b.problem),
  );
  throw new RegistryError(faults, unreadable.length > 0);
}
