import type { Action } from '../../registry/schemas/action.ts';
import type { Catalog, Item } from '../../registry/schemas/catalog.ts';
import type { Pricing, Subsite } from '../../registry/schemas/subsite.ts';
import { describeMessageHint } from '../../site/forms/message-hint.ts';
import { formatClosedDays, formatHours } from '../../site/calendar/opening-hours.ts';
import { listHoldDeposits } from '../../site/prices/prices.ts';
import type { SitePage } from '../../site/pages-of-site.ts';
import {
  formatResponsiveness,
  formatCredential,
  credentialNames,
  itemStates,
  formatRetention,
} from '../../site/words/record-words.ts';
import {
  listActionsFor,
  isSoldOrPast,
  itemPath,
  listOfferedActions,
  childPagesOf,
} from '../../site/registry.ts';
import { type Site, toMarkdownPath } from '../../site/site.ts';
import { formatAddress } from '../../site/words/street-address.ts';
import { formatAttribute, capitalize, formatResponseTime } from '../../site/words/words.ts';
import { renderMarkdownLink, renderMarkdownSection } from './parts.ts';
import { renderRequestBody } from './request-body.ts';

const renderPrice = ({ unit, amount, currency, notes }: Pricing): string =>
  `${amount} ${currency}, ${unit}${notes ? `. ${notes}` : ''}`;

const renderAttributes = ({ attributes: entries = {} }: Item) =>
  Object.entries(entries)
    .map(([name, value]) => formatAttribute(name, value))
    .map(({ label, value }) => `${label}: ${value}`);

const stateOf = ({ status = 'available' }: Item) => itemStates[status];

/** A list entry for an item; an item without a page appears in full. */
export const renderItemLine = (catalog: Catalog, item: Item): string => {
  const path = itemPath(catalog, item);
  const facts = [
    item.summary,
    item.price && `Price: ${item.price.amount} ${item.price.currency}, ${item.price.unit}.`,
    stateOf(item) && `State: ${stateOf(item)}.`,
    !path &&
      renderAttributes(item)
        .map((fact) => `${fact}.`)
        .join(' '),
  ];
  return `- ${path ? renderMarkdownLink(item.title, toMarkdownPath(path)) : `**${item.title}**`}: ${facts.filter(Boolean).join(' ')}`;
};

const renderActionRequest = (subsite: Subsite, action: Action): string =>
  [
    `${action.description} \`POST ${subsite.leadEndpoint}\` with \`${renderRequestBody(subsite, action)}\`.`,
    describeMessageHint(action),
  ]
    .filter(Boolean)
    .join(' ');

/** Response time and retention period for a request. */
const renderTerms = (
  subsite: Subsite,
  {
    respondWithinHours,
    retentionDays,
    purpose,
    fields,
  }: Pick<Action, 'respondWithinHours' | 'retentionDays'> &
    Partial<Pick<Action, 'purpose' | 'fields'>>,
) =>
  capitalize(
    [
      // Nobody has to answer a subscription.
      ...(purpose === 'subscription'
        ? []
        : [`answered ${formatResponseTime(respondWithinHours, subsite)}`]),
      `erased ${formatRetention({ retentionDays, fields })}.`,
    ].join('; '),
  );

function renderAction(subsite: Subsite, action: Action): string {
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
  return [
    `### ${title}`,
    `${renderActionRequest(subsite, action)} ${renderTerms(subsite, action)}`,
    rows.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The actions of a subsite, or, in a static build, the contact address. */
function renderRequest(
  { registry: { network, responsiveness }, dynamic }: Site,
  subsite: Subsite,
): string[] {
  const { name, actions } = subsite;
  const figures = responsiveness[name];
  const responseTimeLines = figures
    ? [`Of the requests so far, ${formatResponsiveness(figures)}.`]
    : [];
  if (!actions.length) return [];
  if (dynamic)
    return [
      '## Requests',
      ...actions.map((action) => renderAction(subsite, action)),
      ...responseTimeLines,
      network.leadNotice,
    ];
  const actionTexts = listOfferedActions(subsite).map(
    ({ title, description }) => `- ${title}: ${description}`,
  );
  return renderMarkdownSection(
    'Requests',
    actionTexts.length
      ? [
          ...actionTexts,
          '',
          `Write to ${renderMarkdownLink(network.organization.email, `mailto:${network.organization.email}`)}.`,
        ]
      : [],
  );
}

/** The page of a subsite as Markdown paragraphs. */
export function renderSubsite(site: Site, subsite: Subsite): string[] {
  const { registry, base } = site;
  const { name, title, credentials = [], since, commission, access, guide = [] } = subsite;
  const catalog = registry.catalogs[name];
  return [
    `# ${title}`,
    `> ${subsite.purpose}`,
    ...(subsite.status === 'auth' ? ['Requires an account.'] : []),
    ...(subsite.intro ? [subsite.intro.trim()] : []),
    ...renderMarkdownSection('Where and when', [
      ...(subsite.serviceArea ? [`- Area: ${subsite.serviceArea}`] : []),
      ...(subsite.address ? [`- Address: ${formatAddress(subsite.address)}`] : []),
      ...(subsite.availability ? [`- When: ${subsite.availability}`] : []),
      ...(subsite.hours ? [`- Hours: ${formatHours(subsite.hours, subsite.afterHours)}`] : []),
      ...(subsite.closedDays?.length ? [`- Closed: ${formatClosedDays(subsite.closedDays)}`] : []),
      ...(subsite.phone ? [`- Phone: ${subsite.phone}`] : []),
      ...(since === undefined ? [] : [`- In business since: ${since}`]),
      ...credentials.map(
        (credential) => `- ${credentialNames[credential.kind]}: ${formatCredential(credential)}`,
      ),
    ]),
    ...(access
      ? renderMarkdownSection('How to get an account', [
          `For ${access.for}.`,
          '',
          ...access.steps.map((step, index) => `${index + 1}. ${step}`),
        ])
      : []),
    ...renderMarkdownSection('Published prices', [
      ...(subsite.pricing ?? []).map((entry) => `- ${renderPrice(entry)}`),
      ...(commission
        ? [`- ${commission.percent}%, commission${commission.notes ? `. ${commission.notes}` : ''}`]
        : []),
      ...listHoldDeposits(subsite).map(
        ({ amount, currency }) => `- ${amount} ${currency}, refundable deposit`,
      ),
    ]),
    ...renderMarkdownSection(
      'Facts',
      (subsite.facts ?? []).map((fact) => `- ${fact}`),
    ),
    ...(guide.length
      ? [
          '## Guide',
          guide.map((step, index) => `${index + 1}. **${step.title}**: ${step.text}`).join('\n'),
        ]
      : []),
    ...(catalog
      ? renderMarkdownSection(
          catalog.title,
          catalog.items.map((item) => renderItemLine(catalog, item)),
        )
      : []),
    ...renderRequest(site, subsite),
    ...renderMarkdownSection(
      `More from ${title}`,
      childPagesOf(registry, subsite).map(
        (page) =>
          `- ${renderMarkdownLink(page.title, toMarkdownPath(page.path))}: ${page.description}`,
      ),
    ),
    ...renderMarkdownSection(
      'Questions answered here',
      (subsite.questions ?? []).map((question) => `- ${question}`),
    ),
    ...renderMarkdownSection('Machine-readable', [
      `- ${renderMarkdownLink('Record', `${base}/api/agent/${name}`)}`,
      ...(subsite.snapshots ?? []).map(
        (snapshot) =>
          `- ${renderMarkdownLink(snapshot.title, `${base}${snapshot.path}`)}: ${snapshot.description}`,
      ),
    ]),
  ];
}

export function renderItem({ dynamic }: Site, page: Extract<SitePage, { kind: 'item' }>): string[] {
  const { item, catalog, subsite } = page;
  const itemActions = listActionsFor(item, subsite);
  return [
    `# ${item.title}`,
    `> ${item.summary}`,
    ...(item.body ? [item.body.trim()] : []),
    ...renderMarkdownSection(`About this ${catalog.noun}`, [
      ...(stateOf(item) ? [`- State: ${stateOf(item)}`] : []),
      ...(item.price ? [`- Price: ${renderPrice(item.price)}`] : []),
      ...(item.date ? [`- Date: ${item.date}`] : []),
      ...(item.place ? [`- Place: ${item.place}`] : []),
      ...renderAttributes(item).map((fact) => `- ${fact}`),
    ]),
    ...renderMarkdownSection(
      'How you get it',
      isSoldOrPast(item) ? [] : (catalog.purchaseTerms ?? []).map((term) => `- ${term}`),
    ),
    ...renderMarkdownSection(
      'Requests',
      itemActions.map(
        (action) =>
          `- **${action.title}**: ${dynamic ? renderActionRequest(subsite, action) : action.description}`,
      ),
    ),
    `From ${renderMarkdownLink(subsite.title, toMarkdownPath(subsite.url))}.`,
  ];
}
