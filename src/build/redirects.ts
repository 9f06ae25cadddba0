import { CONTACT_ANCHOR } from '../site/forms/form-inputs.ts';
import type { Registry } from '../site/registry.ts';

/** The address at which people look for a way to contact an organization. */
const CONTACT_PATH = '/contact';

/**
 * Paths without a document and where they lead: curated links, and the contact form of the
 * organization, unless the network has a page at that address.
 */
export const listRedirects = ({
  links,
  subsites,
}: Pick<Registry, 'links' | 'subsites'>): (readonly [path: string, target: string])[] => [
  ...links.map(({ slug, target }) => [`/go/${slug}`, target] as const),
  ...subsites
    .filter(({ schemaType, contactForm }) => schemaType === 'Organization' && contactForm)
    .slice(0, 1)
    .map(({ url }) => [CONTACT_PATH, `${url}#${CONTACT_ANCHOR}`] as const),
];
