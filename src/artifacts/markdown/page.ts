import {
  type DeveloperGuide,
  createDeveloperGuides,
} from '../../site/developer/developer-guides.ts';
import { guidePath, type SitePage } from '../../site/pages-of-site.ts';
import { itemsOfPage } from '../../site/registry.ts';
import { categories } from '../../site/words/record-words.ts';
import { type Site, toMarkdownPath } from '../../site/site.ts';
import { withDollarSigns } from '../../site/words/words.ts';
import { renderMarkdownLink, renderMarkdownSection } from './parts.ts';
import { renderApiReference, renderCapability, renderProblem } from './reference.ts';
import { renderItemLine, renderItem, renderSubsite } from './subsite.ts';

/** True if a page repeats the capability catalog, the OpenAPI document or a problem page. */
export const isReference = ({ kind }: SitePage): boolean =>
  kind === 'capability' || kind === 'apiReference' || kind === 'problem';

function renderDirectory({ registry }: Site): string[] {
  return Object.entries(categories).flatMap(([category, heading]) =>
    renderMarkdownSection(
      heading,
      registry.subsites
        .filter((subsite) => subsite.category === category)
        .map(
          ({ title, url, purpose, status }) =>
            `- ${renderMarkdownLink(title, toMarkdownPath(url))}: ${purpose}${status === 'auth' ? ' Requires an account.' : ''}`,
        ),
    ),
  );
}

/** A page in the developer area: its text, followed by its samples. */
const renderGuide = ({ title, description, body, samples }: DeveloperGuide): string =>
  [
    `# ${title}`,
    `> ${description}`,
    body,
    ...samples.flatMap((sample) => [
      `${sample.title}:`,
      `\`\`\`${sample.language}\n${sample.text}\n\`\`\``,
    ]),
  ].join('\n\n');

function renderPage(page: SitePage, site: Site): string {
  switch (page.kind) {
    case 'subsite':
      return renderSubsite(site, page.subsite).join('\n\n');
    case 'item':
      return renderItem(site, page).join('\n\n');
    case 'front':
    case 'agentArea': {
      const body = page.page?.body.trim();
      const rest =
        page.kind === 'front'
          ? renderDirectory(site)
          : [
              ...renderMarkdownSection('More for developers', [
                `- ${renderMarkdownLink('Capability catalog', `${site.base}/api/v1/capabilities`)}: every capability, with its input, price and limits`,
                `- ${renderMarkdownLink('API reference', toMarkdownPath(`${page.path}/api`))}: the endpoints and their responses`,
                ...createDeveloperGuides(site).map(
                  (guide) =>
                    `- ${renderMarkdownLink(guide.title, toMarkdownPath(guidePath(site.registry, guide)))}: ${guide.description}`,
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
      return [
        `# ${page.title}`,
        `> ${page.description}`,
        withDollarSigns(body),
        ...(catalog
          ? renderMarkdownSection(
              catalog.title,
              itemsOfPage(site.registry, page.page).map((item) => renderItemLine(catalog, item)),
            )
          : []),
      ].join('\n\n');
    }
    case 'capability':
      return renderCapability(site, page.capability).join('\n\n');
    case 'apiReference':
      return renderApiReference(site, page).join('\n\n');
    case 'guide':
      return renderGuide(page.guide);
    case 'problem':
      return renderProblem(site, page).join('\n\n');
    default:
      return page satisfies never;
  }
}

export const withAbsoluteLinks = (text: string, base: string): string =>
  text.replaceAll(/\]\((?=\/(?!\/))/g, `](${base}`);

/**
 * Renders a page as Markdown without front matter. Links are absolute because readers may copy the
 * text elsewhere.
 */
export const renderPageMarkdown = (page: SitePage, site: Site): string =>
  withAbsoluteLinks(renderPage(page, site), site.base);
