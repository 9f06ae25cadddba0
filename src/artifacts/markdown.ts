import type { Action, Catalog, Item, Pricing, Site, SitePage, Subsite } from '../registry/index.ts';
import { itemPath } from '../registry/index.ts';
import { link, section } from './markdown-parts.ts';
import { apiReferenceText, capabilityText } from './reference-markdown.ts';
import { requestBody } from './request-body.ts';

/** Path of a page’s Markdown twin; the front page’s is /index.md. */
export const twinPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

/** Pages that have a Markdown twin; a problem is answered as JSON where it happens. */
export type TwinnedPage = Exclude<SitePage, { kind: 'problem' }>;

export const hasTwin = (page: SitePage): page is TwinnedPage => page.kind !== 'problem';

/** Whether a page only says what the capability catalog and the OpenAPI document have as data. */
export const isReference = ({ kind }: SitePage): boolean => kind === 'capability' || kind === 'apiReference';

export const price = ({ unit, amount, currency, notes }: Pricing): string => `${amount} ${currency}, ${unit}${notes ? `. ${notes}` : ''}`;

const itemLine = (catalog: Catalog, item: Item): string => {
  const path = itemPath(catalog, item);
  const facts = [item.summary, item.price && `Price: ${item.price.amount} ${item.price.currency}, ${item.price.unit}.`, item.status && item.status !== 'available' && `State: ${item.status}.`];
  return `- ${path ? link(item.title, twinPath(path)) : `**${item.title}**`}: ${facts.filter(Boolean).join(' ')}`;
};

const attribute = ([name, value]: [string, unknown]) => `- ${name.replaceAll('_', ' ')}: ${value}`;

function actionText(subsite: Subsite, action: Action): string {
  const { title, description, fields } = action;
  const rows = Object.entries(fields).map(([name, { type, required, enum: values, description: hint }]) =>
    [`- \`${name}\` (${type}${required ? ', required' : ''})`, [hint, values && `One of ${values.join(', ')}.`].filter(Boolean).join(' ')].filter(Boolean).join(': '),
  );
  return [`### ${title}`, `${description} \`POST ${subsite.leadEndpoint}\` with \`${requestBody(subsite, action)}\`.`, rows.join('\n')].filter(Boolean).join('\n\n');
}

/** What can be asked of a subsite; where only documents are served, by whom it is answered, as its page says. */
function requestText({ registry: { network }, dynamic }: Site, subsite: Subsite): string[] {
  const { actions } = subsite;
  if (!actions.length) return [];
  if (dynamic) return ['## Requests', ...actions.map((action) => actionText(subsite, action)), network.leadNotice];
  const offered = actions.filter(({ effect }) => effect?.kind !== 'import').map(({ title, description }) => `- ${title}: ${description}`);
  return section('Requests', offered.length ? [...offered, '', `Write to ${link(network.organization.email, `mailto:${network.organization.email}`)}.`] : []);
}

function subsiteText(site: Site, subsite: Subsite): string[] {
  const { registry, base } = site;
  const { name, title, purpose, status, serviceArea, availability, pricing = [], facts = [], guide = [], questions = [], snapshots = [] } = subsite;
  const catalog = registry.catalogs[name];
  return [
    `# ${title}`,
    `> ${purpose}`,
    ...(status === 'auth' ? ['This subsite needs an account.'] : []),
    ...(subsite.intro ? [subsite.intro.trim()] : []),
    ...section('Where and when', [...(serviceArea ? [`- Area: ${serviceArea}`] : []), ...(availability ? [`- When: ${availability}`] : [])]),
    ...section('Published prices', pricing.map((entry) => `- ${price(entry)}`)),
    ...section('Facts', facts.map((fact) => `- ${fact}`)),
    ...(guide.length ? ['## Guide', guide.map((step, index) => `${index + 1}. **${step.title}**: ${step.text}`).join('\n')] : []),
    ...(catalog ? section(catalog.title, catalog.items.map((item) => itemLine(catalog, item))) : []),
    ...requestText(site, subsite),
    ...section('Questions answered here', questions.map((question) => `- ${question}`)),
    ...section('Machine-readable', [`- ${link('Record', `${base}/api/agent/${name}`)}`, ...snapshots.map((snapshot) => `- ${link(snapshot.title, `${base}${snapshot.path}`)}: ${snapshot.description}`)]),
  ];
}

function itemText(page: Extract<SitePage, { kind: 'item' }>): string[] {
  const { item, catalog, subsite } = page;
  return [
    `# ${item.title}`,
    `> ${item.summary}`,
    ...(item.body ? [item.body.trim()] : []),
    ...section(`About this ${catalog.noun}`, [
      ...(item.status ? [`- State: ${item.status}`] : []),
      ...(item.price ? [`- Price: ${price(item.price)}`] : []),
      ...(item.date ? [`- Date: ${item.date}`] : []),
      ...(item.place ? [`- Place: ${item.place}`] : []),
      ...Object.entries(item.attributes ?? {}).map(attribute),
    ]),
    `From ${link(subsite.title, twinPath(subsite.url))}.`,
  ];
}

/** Headings of the three parts of a network. */
export const CATEGORIES = { product: 'Services and products', marketing: 'Information and marketing', misc: 'About the network' } as const;

function directory({ registry }: Site): string[] {
  return Object.entries(CATEGORIES).flatMap(([category, heading]) =>
    section(heading, registry.subsites.filter((subsite) => subsite.category === category && subsite.url !== '/').map(({ title, url, purpose, status }) => `- ${link(title, twinPath(url))}: ${purpose}${status === 'auth' ? ' Needs an account.' : ''}`)),
  );
}

function pageText(page: TwinnedPage, site: Site): string {
  switch (page.kind) {
    case 'subsite':
      return subsiteText(site, page.subsite).join('\n\n');
    case 'item':
      return itemText(page).join('\n\n');
    case 'front':
    case 'agentArea': {
      const body = page.page?.body.trim();
      const rest = page.kind === 'front' ? directory(site) : section('Capabilities', [`- ${link('Capability catalog', `${site.base}/api/v1/capabilities`)}: every capability with its input, price and limits`]);
      return [`# ${page.title}`, `> ${page.description}`, ...(body ? [body] : []), ...rest].join('\n\n');
    }
    case 'page': {
      const { body, items } = page.page;
      const catalog = items && site.registry.catalogs[items.catalog];
      const listed = catalog?.items.filter((item) => (!items?.status || (item.status ?? 'available') === items.status) && (!items?.tag || item.tags?.includes(items.tag))) ?? [];
      return [`# ${page.title}`, `> ${page.description}`, body, ...(catalog ? section(catalog.title, listed.map((item) => itemLine(catalog, item))) : [])].join('\n\n');
    }
    case 'capability':
      return capabilityText(site, page.capability).join('\n\n');
    case 'apiReference':
      return apiReferenceText(site, page).join('\n\n');
    default:
      return page satisfies never;
  }
}

const withAbsoluteLinks = (text: string, base: string): string => text.replaceAll(/\]\((?=\/(?!\/))/g, `](${base}`);

/**
 * The Markdown of a page, without front matter: a heading of level 1, then what the page says. Links are absolute, for
 * a text that is read far from its address.
 */
export const pageMarkdown = (page: TwinnedPage, site: Site): string => withAbsoluteLinks(pageText(page, site), site.base);

/** The Markdown of a subsite’s front page, in the same form. */
export const subsiteMarkdown = (site: Site, subsite: Subsite): string => withAbsoluteLinks(subsiteText(site, subsite).join('\n\n'), site.base);
