import { entriesIn, memberOf } from '../site/json-object.ts';
import type { Kind } from './schema.ts';

/** A file of a record that has faults, with what could be made of its text. */
export interface UnreadRecord {
  kind: Kind;
  /** Key of the record: the file’s path in its folder, without extension. */
  key: string;
  data: unknown;
}

/**
 * What the records that could not be read would bring: rules stay silent on what may come from one
 * of them.
 */
export interface Unread {
  /** Whether a record, for example `subsites/hvac`, is there and could not be read. */
  has: (record: string) => boolean;
  /** Whether the page or short link at a site-relative path or route may come from one of them. */
  mayServe: (path: string) => boolean;
  /** Whether one of them may define the information tool. */
  mayDefine: (tool: string) => boolean;
}

const PARAMETER = /\[[a-z]+\]/g;

const textOf = (data: unknown, name: string, otherwise: string): string => {
  const value = memberOf(data, name);
  return typeof value === 'string' ? value : otherwise;
};

/** Whether a path lies on a route, whose bracketed segments match any one segment. */
function lieOn(routes: Iterable<string>): (path: string) => boolean {
  const patterns = [...routes].map(
    (route) => new RegExp(`^${route.split(PARAMETER).map(RegExp.escape).join('[^/]+')}$`),
  );
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/** What is known of the records that could not be read, from their file names and their text. */
export function unreadOf(records: readonly UnreadRecord[]): Unread {
  const of = (kind: Kind) => records.filter((record) => record.kind === kind);
  const names = new Set(
    records.flatMap(({ kind, key, data }) => [
      `${kind}/${key}`,
      ...(kind === 'subsites' ? [`subsites/${textOf(data, 'name', key)}`] : []),
    ]),
  );
  const tools = new Set(
    of('subsites').flatMap(({ data }) =>
      entriesIn(memberOf(data, 'infoTools')).map((tool) => textOf(tool, 'name', '')),
    ),
  );
  const paths = new Set([
    ...of('subsites').flatMap(({ key, data }) => [`/${key}`, textOf(data, 'url', `/${key}`)]),
    ...of('pages').map(({ key }) => (key === 'index' ? '/' : `/${key}`)),
  ]);
  const routes = new Set([
    ...of('catalog').map(({ key, data }) => textOf(data, 'route', `/${key}/[id]`)),
    ...of('links').map(() => '/go/[slug]'),
  ]);
  const liesOnOne = lieOn(routes);
  return {
    has: (record) => names.has(record),
    mayServe: (path) => paths.has(path) || routes.has(path) || liesOnOne(path),
    mayDefine: (tool) => tools.has(tool),
  };
}
