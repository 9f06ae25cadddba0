import { ScanError } from './report.ts';

/** The parts of a service that scanners check. */
export interface ScanTarget {
  /** Origin, without a trailing slash. */
  origin: string;
  /** Path of every page in the sitemap. */
  sitemap: string[];
  /** A page of each main template. */
  pages: ScannedPage[];
}

/** A page, the template that it represents, and whether search engines may index it. */
export interface ScannedPage {
  role: string;
  path: string;
  isIndexed: boolean;
}

interface IndexEntry {
  url: string;
  title: string;
  status: string;
  category: string;
  actions: { fields: Record<string, unknown> }[];
}

async function fetchOrThrow(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000) }).catch(() => undefined);
  if (!response?.ok)
    throw new ScanError(
      `${url} did not return status 200. Give the origin of a running service, for example http://localhost:4321.`,
    );
  return response;
}

const countFields = ({ actions }: IndexEntry) =>
  Math.max(0, ...actions.map(({ fields }) => Object.keys(fields).length));

/** The first page under the parent with the most pages; undefined if no parent has any. */
function findFirstChild(parents: string[], sitemap: string[]): string | undefined {
  const childrenOf = (parent: string) => sitemap.filter((path) => path.startsWith(`${parent}/`));
  const [children] = parents.map(childrenOf).toSorted((a, b) => b.length - a.length);
  return children?.[0];
}

/**
 * Selects pages from a service’s own documents: the front page, the first public subsite with a
 * catalog, the subsite with the longest form, the capability catalog, which the front page links as
 * `service-doc`, an item, a post and a tool if there are any, search results, and the receipt and
 * storefront of the sandbox. @throws {ScanError} if the service does not respond or its documents
 * do not name these pages
 */
export async function selectPages(origin: string): Promise<ScanTarget> {
  const link = (await fetchOrThrow(origin)).headers.get('link') ?? '';
  const catalog = /<([^>]+)>; rel="service-doc"/.exec(link)?.[1];
  const { subsites } = (await (await fetchOrThrow(`${origin}/api/agent-index`)).json()) as {
    subsites: IndexEntry[];
  };
  const locations = [
    ...(await (await fetchOrThrow(`${origin}/sitemap.xml`)).text()).matchAll(
      /<loc>([^<]+)<\/loc>/g,
    ),
  ].map(([, url]) => new URL(url!));
  const foreignUrl = locations.find((url) => url.origin !== origin);
  if (foreignUrl)
    throw new ScanError(
      `The documents of ${origin} refer to ${foreignUrl.origin}. Scan a service at the address that it was built for (SITE_URL).`,
    );
  const publicSubsites = subsites.filter(({ status, url }) => status === 'public' && url !== '/');
  const form = publicSubsites.toSorted((a, b) => countFields(b) - countFields(a))[0];
  const subsite =
    publicSubsites.find((subsite) => subsite !== form && subsite.category === 'product') ??
    publicSubsites.find((subsite) => subsite !== form);
  if (!catalog || !form || !subsite)
    throw new ScanError(
      `${origin} names no capability catalog, or fewer than two public subsites.`,
    );
  const sitemap = locations.map(({ pathname }) => pathname);
  const urlsOf = (category: string) =>
    publicSubsites.filter((entry) => entry.category === category).map(({ url }) => url);
  const indexedPages = {
    'front page': '/',
    subsite: subsite.url,
    form: form.url,
    catalog: new URL(catalog).pathname,
    item: findFirstChild(urlsOf('product'), sitemap),
    post: findFirstChild(urlsOf('marketing'), sitemap),
    tool: findFirstChild(['/tools'], sitemap),
  };
  const unindexedPages = {
    'search results': `/find?q=${encodeURIComponent(form.title)}`,
    receipt: '/receipt/sandbox',
    storefront: '/biz/sandbox',
  };
  const describePages = (paths: Record<string, string | undefined>, isIndexed: boolean) =>
    Object.entries(paths).flatMap(([role, path]) => (path ? [{ role, path, isIndexed }] : []));
  return {
    origin,
    sitemap,
    pages: [...describePages(indexedPages, true), ...describePages(unindexedPages, false)],
  };
}
