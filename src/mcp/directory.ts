import type { InputFault } from '../operation/problem.ts';
import { suggestSubsite } from '../site/corrections/similar-names.ts';
import { findSubsite } from '../site/registry.ts';
import type { Site } from '../site/site.ts';
import type { Completer, McpResource, McpResourceTemplate } from './definition.ts';
import { createSubsiteDetails } from './subsite-views.ts';

const SUBSITE_URI_PREFIX = 'network://subsites/';
/** Maximum size of the directory in bytes; the subsites that do not fit are in list_subsites. */
const MAX_BYTES = 9_500;

export const createPrefixCompleter =
  (names: readonly string[]): Completer =>
  (prefix) =>
    names.filter((name) => name.startsWith(prefix.toLowerCase()));

export const listSubsiteNames = ({ registry }: Site): string[] =>
  registry.subsites.map((subsite) => subsite.name);

/** The error in an argument that names an unknown subsite; `rule` says what to send. */
export function findSubsiteNameFaults(
  name: unknown,
  pointer: string,
  rule: string,
  site: Site,
): InputFault[] {
  const { subsites } = site.registry;
  if (typeof name !== 'string' || findSubsite(site.registry, name)) return [];
  const message = `${rule}${suggestSubsite(name, subsites)}`;
  return [{ pointer, message, allowed: listSubsiteNames(site) }];
}

/** The heading and as many lines as fit; `more` is an instruction for reading the rest. */
export function renderMarkdownList(
  heading: readonly string[],
  lines: readonly string[],
  more: string,
): string {
  const includedLines = [...heading];
  let bytes = Buffer.byteLength(heading.join('\n'));
  for (const [index, line] of lines.entries()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES)
      return [...includedLines, `- ${lines.length - index} more: ${more}.`, ''].join('\n');
    includedLines.push(line);
  }
  return [...includedLines, ''].join('\n');
}

function renderDirectory({ registry, base }: Site): string {
  const { network, subsites } = registry;
  const lines = subsites.map(
    ({ name, title, url, purpose, status }) =>
      `- ${name} (${url}${status === 'auth' ? ', account needed' : ''}): ${title}. ${purpose}`,
  );
  return renderMarkdownList(
    [
      `# ${network.name}`,
      '',
      network.description,
      '',
      `Each subsite by name; the URL of its page is ${base} plus the path.`,
      '',
    ],
    lines,
    'call list_subsites',
  );
}

/** A resource about the network with fixed Markdown text, at `network://` and its name. */
export const createMarkdownResource = (
  { registry }: Site,
  name: string,
  description: string,
  text: string,
): McpResource => ({
  descriptor: {
    uri: `network://${name}`,
    name,
    title: `${registry.network.name}: ${name}`,
    description,
    mimeType: 'text/markdown',
    size: Buffer.byteLength(text),
  },
  read: () => text,
});

/** A resource that describes the network on one page. */
export const createDirectoryResource = (site: Site): McpResource =>
  createMarkdownResource(
    site,
    'directory',
    'Every subsite with its path and purpose.',
    renderDirectory(site),
  );

export function createSubsiteTemplate(site: Site): McpResourceTemplate {
  return {
    descriptor: {
      uriTemplate: `${SUBSITE_URI_PREFIX}{name}`,
      name: 'subsite',
      title: 'Subsite',
      description:
        'One subsite: prices, area, hours, facts and actions, as get_subsite_info returns it.',
      mimeType: 'application/json',
    },
    complete: { name: createPrefixCompleter(listSubsiteNames(site)) },
    read({ name = '' }) {
      const subsite = findSubsite(site.registry, name);
      return subsite && JSON.stringify(createSubsiteDetails(subsite, site));
    },
  };
}
