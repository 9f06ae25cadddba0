import { ScanError } from './report.ts';

/** What of a service the scanners look at. */
export interface Surface {
  /** Where it answers; no trailing slash. */
  origin: string;
  /** Site-relative path of every page in its sitemap. */
  sitemap: string[];
  /** The pages that stand for the others. */
  pages: { role: string; path: string }[];
}

interface Listed {
  url: string;
  status: string;
  category: string;
  actions: { fields: Record<string, unknown> }[];
}

async function read(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000) }).catch(() => undefined);
  if (!response?.ok)
    throw new ScanError(
      `${url} does not answer with 200. Give the origin of a running service, for example http://localhost:4321.`,
    );
  return response;
}

const fieldsOf = ({ actions }: Listed) =>
  Math.max(0, ...actions.map(({ fields }) => Object.keys(fields).length));

/**
 * What a service has to look at, from its own documents: the front page, the first public subsite
 * that sells something, the one with the longest form, and the capability catalog, which the front
 * page names as `service-doc`.
 * @throws {ScanError} when the service does not answer or its documents name none.
 */
export async function surfaceOf(origin: string): Promise<Surface> {
  const link = (await read(origin)).headers.get('link') ?? '';
  const catalog = /<([^>]+)>; rel="service-doc"/.exec(link)?.[1];
  const { subsites } = (await (await read(`${origin}/api/agent-index`)).json()) as {
    subsites: Listed[];
  };
  const locations = [
    ...(await (await read(`${origin}/sitemap.xml`)).text()).matchAll(/<loc>([^<]+)<\/loc>/g),
  ].map(([, url]) => new URL(url!));
  const elsewhere = locations.find((url) => url.origin !== origin);
  if (elsewhere)
    throw new ScanError(
      `The documents of ${origin} speak of ${elsewhere.origin}. Scan a service at the address that it was built for (SITE_URL).`,
    );
  const open = subsites.filter(({ status, url }) => status === 'public' && url !== '/');
  const form = open.toSorted((a, b) => fieldsOf(b) - fieldsOf(a))[0];
  const subsite =
    open.find((one) => one !== form && one.category === 'product') ??
    open.find((one) => one !== form);
  if (!catalog || !form || !subsite)
    throw new ScanError(
      `${origin} names no capability catalog, or fewer than two public subsites.`,
    );
  const pages = {
    'front page': '/',
    subsite: subsite.url,
    form: form.url,
    catalog: new URL(catalog).pathname,
  };
  return {
    origin,
    sitemap: locations.map(({ pathname }) => pathname),
    pages: Object.entries(pages).map(([role, path]) => ({ role, path })),
  };
}
