import type { Action } from '../registry/action.ts';
import type { Catalog, Item } from '../registry/catalog.ts';
import type { Pricing, Subsite } from '../registry/subsite.ts';
import { type Site, twinPath } from '../site/site.ts';
import { type DeveloperGuide, developerGuides } from '../site/developer-guides.ts';
import { guidePath, type SitePage } from '../site/pages-of-site.ts';
import { actionsFor, itemPath, offeredActions, pagesBelow } from '../site/registry.ts';
import { attributeInWords, daysInWords, hoursInWords } from '../site/words.ts';
import {
  answersInWords,
  categories,
  credentialInWords,
  credentialNames,
  itemStates,
} from '../site/record-words.ts';
import { hoursInOneLine } from '../site/opening-hours.ts';
import { link, section } from './markdown-parts.ts';
import { apiReferenceText, capabilityText, problemText } from './reference-markdown.ts';
import { requestBody } from './request-body.ts';

/**
 * Whether a page repeats what the capability catalog, the OpenAPI document or a problem document
 * have as data.
 */
export const isReference = ({ kind }: SitePage): boolean =>
  kind === 'capability' || kind === 'apiReference' || kind === 'problem';

const price = ({ unit, amount, currency, notes }: Pricing): string =>
  `${amount} ${currency}, ${unit}${notes ? `. ${notes}` : ''}`;

const attributes = ({ attributes: given = {} }: Item) =>
  Object.entries(given)
    .map(([name, value]) => attributeInWords(name, value))
    .map(({ label, value }) => `${label}: ${value}`);

const stateOf = ({ status = 'available' }: Item) => itemStates[status];

/** An item in a list; one without its own page is shown in full. */
const itemLine = (catalog: Catalog, item: Item): string => {
  const path = itemPath(catalog, item);
  const facts = [
    item.summary,
    item.price && `Price: ${item.price.amount} ${item.price.currency}, ${item.price.unit}.`,
    stateOf(item) && `State: ${stateOf(item)}.`,
    !path &&
      attributes(item)
        .map((fact) => `${fact}.`)
        .join(' '),
  ];
  return `- ${path ? link(item.title, twinPath(path)) : `**${item.title}**`}: ${facts.filter(Boolean).join(' ')}`;
};

/** What an action asks for and the request that submits it. */
const request = (subsite: Subsite, action: Action): string =>
  `${action.description} \`POST ${subsite.leadEndpoint}\` with \`${requestBody(subsite, action)}\`.`;

/** When a request is answered, and how long it is kept. */
const terms = ({
  respondWithinHours,
  retentionDays,
}: Pick<Action, 'respondWithinHours' | 'retentionDays'>) =>
  `Answered within ${hoursInWords(respondWithinHours)}; erased ${daysInWords(retentionDays)} after its last change.`;

function actionText(subsite: Subsite, action: Action): string {
  const { title, fields } = action;
  const rows = Object.entries(fields).map(
    ([name, { type, required, enum: values, description: hint }]) =>
      [
        `- \`${name}\` (${type}${required ? ', required' : ''})`,
        [hint, values && `One of ${values.join(', ')}.`].filter(Boolean).join(' '),
      ]
        .filter(Boolean)
        .join(': '),
  );
  return [`### ${title}`, `${request(subsite, action)} ${terms(action)}`, rows.join('\n')]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * What can be requested from a subsite; where only documents are served, whom to contact instead,
 * as on its page.
 */
function requestText(
  { registry: { network, responsiveness }, dynamic }: Site,
  subsite: Subsite,
): string[] {
  const { name, actions } = subsite;
  const measured = responsiveness[name];
  const answered = measured ? [`Of the requests so far, ${answersInWords(measured)}.`] : [];
  if (!actions.length) return [];
  if (dynamic)
    return [
      '## Requests',
      ...actions.map((action) => actionText(subsite, action)),
      ...answered,
      network.leadNotice,
    ];
  const offered = offeredActions(subsite).map(
    ({ title, description }) => `- ${title}: ${description}`,
  );
  return section(
    'Requests',
    offered.length
      ? [
          ...offered,
          '',
          `Write to ${link(network.organization.email, `mailto:${network.organization.email}`)}.`,
        ]
      : [],
  );
}

function subsiteText(site: Site, subsite: Subsite): string[] {
  const { registry, base } = site;
  const {
    name,
    title,
    purpose,
    status,
    serviceArea,
    availability,
    hours,
    phone,
    access,
    credentials = [],
    since,
    pricing = [],
    facts = [],
    guide = [],
    questions = [],
    snapshots = [],
  } = subsite;
  const catalog = registry.catalogs[name];
  return [
    `# ${title}`,
    `> ${purpose}`,
    ...(status === 'auth' ? ['An account is needed.'] : []),
    ...(subsite.intro ? [subsite.intro.trim()] : []),
    ...section('Where and when', [
      ...(serviceArea ? [`- Area: ${serviceArea}`] : []),
      ...(availability ? [`- When: ${availability}`] : []),
      ...(hours ? [`- Hours: ${hoursInOneLine(hours, subsite.afterHours)}`] : []),
      ...(phone ? [`- Phone: ${phone}`] : []),
      ...(since === undefined ? [] : [`- In business: since ${since}`]),
      ...credentials.map((one) => `- ${credentialNames[one.kind]}: ${credentialInWords(one)}`),
    ]),
    ...(access
      ? section('How to get an account', [
          `For ${access.for}.`,
          '',
          ...access.steps.map((step, index) => `${index + 1}. ${step}`),
        ])
      : []),
    ...section(
      'Published prices',
      pricing.map((entry) => `- ${price(entry)}`),
    ),
    ...section(
      'Facts',
      facts.map((fact) => `- ${fact}`),
    ),
    ...(guide.length
      ? [
          '## Guide',
          guide.map((step, index) => `${index + 1}. **${step.title}**: ${step.text}`).join('\n'),
        ]
      : []),
    ...(catalog
      ? section(
          catalog.title,
          catalog.items.map((item) => itemLine(catalog, item)),
        )
      : []),
    ...requestText(site, subsite),
    ...section(
      `More from ${title}`,
      pagesBelow(registry, subsite).map(
        (page) => `- ${link(page.title, twinPath(page.path))}: ${page.description}`,
      ),
    ),
    ...section(
      'Questions answered here',
      questions.map((question) => `- ${question}`),
    ),
    ...section('Machine-readable', [
      `- ${link('Record', `${base}/api/agent/${name}`)}`,
      ...snapshots.map(
        (snapshot) =>
          `- ${link(snapshot.title, `${base}${snapshot.path}`)}: ${snapshot.description}`,
      ),
    ]),
  ];
}

function itemText({ dynamic }: Site, page: Extract<SitePage, { kind: 'item' }>): string[] {
  const { item, catalog, subsite } = page;
  const asks = actionsFor(item, subsite);
  return [
    `# ${item.title}`,
    `> ${item.summary}`,
    ...(item.body ? [item.body.trim()] : []),
    ...section(`About this ${catalog.noun}`, [
      ...(stateOf(item) ? [`- State: ${stateOf(item)}`] : []),
      ...(item.price ? [`- Price: ${price(item.price)}`] : []),
      ...(item.date ? [`- Date: ${item.date}`] : []),
      ...(item.place ? [`- Place: ${item.place}`] : []),
      ...attributes(item).map((fact) => `- ${fact}`),
    ]),
    ...section(
      'Requests',
      asks.map(
        (action) =>
          `- **${action.title}**: ${dynamic ? request(subsite, action) : action.description}`,
      ),
    ),
    `From ${link(subsite.title, twinPath(subsite.url))}.`,
  ];
}

function directory({ registry }: Site): string[] {
  return Object.entries(categories).flatMap(([category, heading]) =>
    section(
      heading,
      registry.subsites
        .filter((subsite) => subsite.category === category && subsite.url !== '/')
        .map(
          ({ title, url, purpose, status }) =>
            `- ${link(title, twinPath(url))}: ${purpose}${status === 'auth' ? ' Needs an account.' : ''}`,
        ),
    ),
  );
}

/** A page of the developers’ area: its text, then its samples. */
const guideText = ({ title, description, body, samples }: DeveloperGuide): string =>
  [
    `# ${title}`,
    `> ${description}`,
    body,
    ...samples.flatMap((sample) => [
      `${sample.title}:`,
      `\`\`\`${sample.language}\n${sample.text}\n\`\`\``,
    ]),
  ].join('\n\n');

function pageText(page: SitePage, site: Site): string {
  switch (page.kind) {
    case 'subsite':
      return subsiteText(site, page.subsite).join('\n\n');
    case 'item':
      return itemText(site, page).join('\n\n');
    case 'front':
    case 'agentArea': {
      const body = page.page?.body.trim();
      const rest =
        page.kind === 'front'
          ? directory(site)
          : [
              ...section('More for developers', [
                `- ${link('Capability catalog', `${site.base}/api/v1/capabilities`)}: every capability with its input, price and limits`,
                `- ${link('API reference', twinPath(`${page.path}/api`))}: every endpoint`,
                ...developerGuides(site).map(
                  (guide) =>
                    `- ${link(guide.title, twinPath(guidePath(site.registry, guide)))}: ${guide.description}`,
                ),
              ]),
            ];
      return [`# ${page.title}`, `> ${page.description}`, ...(body ? [body] : []), ...rest].join(
        '\n\n',
      );
    }
    case 'page': {
      const { body, items } = page.page;
      const catalog = items && site.registry.catalogs[items.catalog];
      const listed =
        catalog?.items.filter(
          (item) =>
            (!items?.status || (item.status ?? 'available') === items.status) &&
            (!items?.tag || item.tags?.includes(items.tag)),
        ) ?? [];
      return [
        `# ${page.title}`,
        `> ${page.description}`,
        body,
        ...(catalog
          ? section(
              catalog.title,
              listed.map((item) => itemLine(catalog, item)),
            )
          : []),
      ].join('\n\n');
    }
    case 'capability':
      return capabilityText(site, page.capability).join('\n\n');
    case 'apiReference':
      return apiReferenceText(site, page).join('\n\n');
    case 'guide':
      return guideText(page.guide);
    case 'problem':
      return problemText(site, page).join('\n\n');
    default:
      return page satisfies never;
  }
}

/** Markdown whose links to the site are absolute. */
export const withAbsoluteLinks = (text: string, base: string): string =>
  text.replaceAll(/\]\((?=\/(?!\/))/g, `](${base}`);

/**
 * The Markdown of a page, without front matter: a heading of level 1, then what the page says.
 * Links are absolute, because the text is read away from its address.
 */
export const pageMarkdown = (page: SitePage, site: Site): string =>
  withAbsoluteLinks(pageText(page, site), site.base);
