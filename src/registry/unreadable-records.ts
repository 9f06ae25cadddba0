import { entriesIn, memberOf } from '../site/json-object.ts';
import { type Kind, toPagePath } from './schemas/schema.ts';

/** A record with errors: its file, and the readable part of its content. */
export interface UnreadableRecord {
  kind: Kind;
  /** Key of the record: the file’s path in its folder, without the extension. */
  key: string;
  data: unknown;
  /** Text after the front matter of a page, empty for other records; undefined after syntax errors. */
  body?: string;
}

/** What unreadable records may define, so that rules must not report it as missing. */
export interface UnreadableRecords {
  /** True if at least one record could not be read. */
  isNonEmpty: boolean;
  /** The unreadable records whose syntax is valid, so that their texts can be checked. */
  parsedRecords: readonly UnreadableRecord[];
  /** True if a record, such as `subsites/hvac`, exists but could not be read. */
  hasRecord: (record: string) => boolean;
  /** Names of the unreadable subsites. */
  subsiteNames: readonly string[];
  /** True if an unreadable record may define the page or short link at a path or route. */
  mayDefinePath: (path: string) => boolean;
  /** True if an unreadable record may define the information tool. */
  mayDefineTool: (tool: string) => boolean;
}

const PARAMETER_PATTERN = /\[[a-z]+\]/g;

const textOf = (data: unknown, name: string, fallback: string): string => {
  const value = memberOf(data, name);
  return typeof value === 'string' ? value : fallback;
};

/** Creates a test of whether a path matches a route; brackets match any single segment. */
function createRouteMatcher(routes: Iterable<string>): (path: string) => boolean {
  const patterns = [...routes].map(
    (route) => new RegExp(`^${route.split(PARAMETER_PATTERN).map(RegExp.escape).join('[^/]+')}$`),
  );
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/**
 * Determines what unreadable records may define, from their file names and texts. `displacedPaths`
 * are the paths of records whose own path another record uses.
 */
export function classifyUnreadableRecords(
  records: readonly UnreadableRecord[],
  displacedPaths: readonly string[] = [],
): UnreadableRecords {
  const listRecordsOfKind = (kind: Kind) => records.filter((record) => record.kind === kind);
  const subsiteNames = listRecordsOfKind('subsites').map(({ key, data }) =>
    textOf(data, 'name', key),
  );
  const names = new Set([
    ...records.map(({ kind, key }) => `${kind}/${key}`),
    ...subsiteNames.map((name) => `subsites/${name}`),
  ]);
  const tools = new Set(
    listRecordsOfKind('subsites').flatMap(({ data }) =>
      entriesIn(memberOf(data, 'infoTools')).map((tool) => textOf(tool, 'name', '')),
    ),
  );
  const paths = new Set([
    ...displacedPaths,
    ...listRecordsOfKind('subsites').flatMap(({ key, data }) => [
      `/${key}`,
      textOf(data, 'url', `/${key}`),
    ]),
    ...listRecordsOfKind('pages').map(({ key }) => toPagePath(key)),
  ]);
  const routes = new Set([
    ...listRecordsOfKind('catalog').map(({ key, data }) => textOf(data, 'route', `/${key}/[id]`)),
    ...listRecordsOfKind('links').map(() => '/go/[slug]'),
  ]);
  const matchesRoute = createRouteMatcher(routes);
  return {
    isNonEmpty: records.length > 0,
    parsedRecords: records.filter(({ body }) => body !== undefined),
    hasRecord: (record) => names.has(record),
    subsiteNames,
    mayDefinePath: (path) => paths.has(path) || routes.has(path) || matchesRoute(path),
    mayDefineTool: (tool) => tools.has(tool),
  };
}
