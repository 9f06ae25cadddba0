import type { Action } from '../../registry/action.ts';
import type { Catalog, Item } from '../../registry/catalog.ts';
import type { Pricing, Subsite } from '../../registry/subsite.ts';
import { hoursInOneLine } from '../../site/calendar/opening-hours.ts';
import type { SitePage } from '../../site/pages-of-site.ts';
import {
  answersInWords,
  credentialInWords,
  credentialNames,
  itemStates,
} from '../../site/words/record-words.ts';
import { actionsFor, itemPath, offeredActions, childPagesOf } from '../../site/registry.ts';
import { type Site, markdownPath } from '../../site/site.ts';
import { addressInOneLine } from '../../site/words/street-address.ts';
import {
  attributeInWords,
  capitalize,
  daysInWords,
  responseInWords,
} from '../../site/words/words.ts';
import { link, section } from './parts.ts';
import { requestBody } from './request-body.ts';

const price = ({ unit, amount, currency, notes }: Pricing): string =>
  `${amount} ${currency}, ${unit}${notes ? `. ${notes}` : ''}`;

const attributes = ({ attributes: entries = {} }: Item) =>
  Object.entries(entries)
    .map(([name, value]) => attributeInWords(name, value))
    .map(({ label, value }) => `${label}: ${value}`);

const stateOf = ({ status = 'available' }: Item) => itemStates[status];

/** A list entry for an item; an item without a page appears in full. */
export const itemLine = (catalog: Catalog, item: Item): string => {
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
  return `- ${path ? link(item.title, markdownPath(path)) : `**${item.title}**`}: ${facts.filter(Boolean).join(' ')}`;
};

/** The fields of an action and the request that submits it. */
const request = (subsite: Subsite, action: Action): string =>
  `${action.description} \`POST ${subsite.leadEndpoint}\` with \`${requestBody(subsite, action)}\`.`;

/** Response time and retention period of a request. */
const terms = (
  subsite: Subsite,
  {
    respondWithinHours,
    retentionDays,
    purpose,
  }: Pick<Action, 'respondWithinHours' | 'retentionDays'> & Partial<Pick<Action, 'purpose'>>,
) =>
  capitalize(
    [
      // Nobody has to answer a subscription.
      ...(purpose === 'subscription'
        ? []
        : [`answered ${responseInWords(respondWithinHours, subsite)}`]),
      `erased ${daysInWords(retentionDays)} after the last change.`,
    ].join('; '),
  );

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
  return [`### ${title}`, `${request(subsite, action)} ${terms(subsite, action)}`, rows.join('\n')]
    .filter(Boolean)
    .join('\n\n');
}

/** The actions of a subsite, or in a static build the contact address. */
function requestText(
  { registry: { network, responsiveness }, dynamic }: Site,
  subsite: Subsite,
): string[] {
  const { name, actions } = subsite;
  const figures = responsiveness[name];
  const responseTime = figures ? [`Of the requests so far, ${answersInWords(figures)}.`] : [];
  if (!actions.length) return [];
  if (dynamic)
    return [
      '## Requests',
      ...actions.map((action) => actionText(subsite, action)),
      ...responseTime,
      network.leadNotice,
    ];
  const actionTexts = offeredActions(subsite).map(
    ({ title, description }) => `- ${title}: ${description}`,
  );
  return section(
    'Requests',
    actionTexts.length
      ? [
          ...actionTexts,
          '',
          `Write to ${link(network.organization.email, `mailto:${network.organization.email}`)}.`,
        ]
      : [],
  );
}

/** The page of a subsite as Markdown paragraphs. */
export function subsiteText(site: Site, subsite: Subsite): string[] {
  const { registry, base } = site;
  const {
    name,
    title,
    purpose,
    status,
    serviceArea,
    address,
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
    ...(status === 'auth' ? ['Requires an account.'] : []),
    ...(subsite.intro ? [subsite.intro.trim()] : []),
    ...section('Where and when', [
      ...(serviceArea ? [`- Area: ${serviceArea}`] : []),
      ...(address ? [`- Address: ${addressInOneLine(address)}`] : []),
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
      childPagesOf(registry, subsite).map(
        (page) => `- ${link(page.title, markdownPath(page.path))}: ${page.description}`,
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

/** The page of an item as Markdown paragraphs. */
export function itemText({ dynamic }: Site, page: Extract<SitePage, { kind: 'item' }>): string[] {
  const { item, catalog, subsite } = page;
  const itemActions = actionsFor(item, subsite);
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
      itemActions.map(
        (action) =>
          `- **${action.title}**: ${dynamic ? request(subsite, action) : action.description}`,
      ),
    ),
    `From ${link(subsite.title, markdownPath(subsite.url))}.`,
  ];
}
