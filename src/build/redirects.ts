import { CONTACT_ANCHOR } from '../site/forms/form-inputs.ts';
import type { Registry } from '../site/registry.ts';

/** The path where people expect an organization's contact page. */
const CONTACT_PATH = '/contact';

/**
 * Paths without a document, with their targets: curated links, and the organization's contact form
 * unless the network has a page at that path.
 */
export function listRedirects({
  links,
  subsites,
  pages,
}: Pick<Registry, 'links' | 'subsites' | 'pages'>): (readonly [path: string, target: string])[] {
  const paths = [...subsites.map(({ url }) => url), ...pages.map(({ path }) => path)];
  const about = paths.includes(CONTACT_PATH)
    ? undefined
    : subsites.find(({ schemaType, contactForm }) => schemaType === 'Organization' && contactForm);
  return [
    ...links.map(({ slug, target }) => [`/go/${slug}`, target] as const),
    ...(about ? [[CONTACT_PATH, `${about.url}#${CONTACT_ANCHOR}`] as const] : []),
  ];
}
