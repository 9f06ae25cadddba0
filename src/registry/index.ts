import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { RegistryError } from './fault.ts';
import { readRegistry } from './read.ts';
import type { Registry } from './registry.ts';
import type { Rule } from './rules/rule.ts';
import type { Source } from './source.ts';

export type { Action, Effect } from './action.ts';
export type { NetworkCapability } from './capability.ts';
export * from './capability-record.ts';
export type { Catalog, Item } from './catalog.ts';
export { digestOf, pageDigest, recordDigest, subsiteDigest } from './digest.ts';
export { exampleValues, type Field, type Fields, fieldJsonSchema, fieldsJsonSchema } from './fields.ts';
export { figuresOf, snapshotData } from './figures.ts';
export { type Fault, formatFault, RegistryError } from './fault.ts';
export { MCP_ENDPOINTS, MCP_PROTOCOL_VERSIONS, type McpEndpoint } from './mcp-endpoints.ts';
export type { Link, Network, Page, PageTool, Route } from './network.ts';
export { type Change, compareRegistries } from './compare.ts';
export { pagesOfSite, type ProblemTitles, type SitePage } from './pages-of-site.ts';
export { headlinePrice, publishedPrices } from './prices.ts';
export { readRegistry } from './read.ts';
export * from './registry.ts';
export type { Breach, Rule } from './rules/rule.ts';
export type { Responsiveness } from './responsiveness.ts';
export { type PublicKey, type Site, withBase } from './site.ts';
export type { InfoTool, Pricing, Snapshot, Subsite } from './subsite.ts';

const IGNORED = new Set(['schema']);

/** All files of a registry folder except the editor schemas and dot-files; paths are `root` plus theirs, `/`-separated. */
export function readSources(dir: string, root: string = dir): Source[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !IGNORED.has(file.split('/')[0]!))
    .sort()
    .map((file) => ({ file: `${root}/${file}`, text: readFileSync(join(dir, file), 'utf8') }));
}

/**
 * The registry in a folder. `more` are rules beside those of the registry itself; `root` is how the folder is named in faults.
 * @throws {RegistryError} with every fault at once.
 */
export function loadRegistry(dir: string, more: readonly Rule[] = [], root: string = dir): Registry {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new RegistryError([{ file: root, line: 1, column: 1, path: '', problem: 'is no folder. Name the folder of the registry; REGISTRY_DIR names it where nothing else does.' }]);
  return readRegistry(root, readSources(dir, root), more);
}
