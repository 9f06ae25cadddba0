import { wrapChartName, assignSubsitesToShores } from '../../src/components/front/chart-labels.ts';
import { findNonEmptyCategories } from '../../src/components/filled-categories.ts';
import {
  createDrawing,
  createDrawings,
  computeScale,
} from '../../src/components/drawing/drawing.ts';
import { describeDrawing, describeDrawings } from '../../src/components/drawing/words.ts';
import { createControl } from '../../src/components/forms/control.ts';
import { kindOf } from '../../src/fields/fields.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import {
  listContactParts,
  createFormNames,
  listContactMethodInputs,
} from '../../src/components/forms/names.ts';
import { listFooterSubsites } from '../../src/components/frame/footer-subsites.ts';
import { renderIcon } from '../../src/components/icons/icon-drawing.ts';
import { iconsOf } from '../../src/components/icons/icons.ts';
import { renderMarkdown } from '../../src/components/markdown.ts';
import { computePageKey } from '../../src/components/page-key.ts';
import { listSocialImages } from '../../src/components/social-image/choice.ts';
import { createPageGraph } from '../../src/components/structured-data/page.ts';
import { createCapabilitySamples } from '../../src/components/agent-area/samples.ts';
import { createSchemaRows } from '../../src/components/agent-area/schema-rows.ts';
import { findSubsiteAbove } from '../../src/site/subsite-above.ts';
import type { Catalog } from '../../src/registry/schemas/catalog.ts';
import type { Subsite } from '../../src/registry/schemas/subsite.ts';
import { searchKnowledge } from '../../src/search/knowledge.ts';
import { createServiceDocument } from '../../src/search/services.ts';
import type { SitePage } from '../../src/site/pages-of-site.ts';
import { listActionsFor, itemFieldOf, itemsOf } from '../../src/site/registry.ts';
import type { Site } from '../../src/site/site.ts';
import {
  formatAttribute,
  formatDay,
  formatHourCount,
  formatMoney,
  formatTime,
} from '../../src/site/words/words.ts';
import {
  formatResponsiveness,
  formatHeadlinePrice,
  formatItemDay,
  formatItemPrice,
  formatRetention,
} from '../../src/site/words/record-words.ts';

/** View data of a page, computed on demand. */
interface View {
  name: string;
  view: () => unknown;
}

const createFormViewData = ({ registry }: Site, subsite: Subsite): unknown =>
  subsite.actions.map((action) => {
    const names = createFormNames(subsite, action);
    const parts = listContactParts(names, Object.keys(action.fields));
    return [
      names.hidden,
      listContactMethodInputs(action, names, parts),
      formatHourCount(action.respondWithinHours),
      formatRetention(action),
      Object.entries(action.fields).map(([name, field]) => [
        labelOf(name, field),
        kindOf(field).instruction(field),
        createControl(name, field, registry, itemsOf(registry, subsite.name)),
      ]),
    ];
  });

const createItemViewData = (subsite: Subsite, catalog: Catalog): unknown => [
  computeScale(createDrawings(catalog.items)),
  describeDrawings(createDrawings(catalog.items)),
  catalog.items.map((item) => [
    item.price && formatItemPrice(item.price, catalog.noun),
    item.date && formatItemDay(item.date, catalog),
    item.body && renderMarkdown(item.body),
    Object.entries(item.attributes ?? {}).map(([name, value]) => formatAttribute(name, value)),
    listActionsFor(item, subsite).map(itemFieldOf),
    describeDrawing(createDrawing(item) ?? { item, views: [] }),
  ]),
];

/** View data of the layout, the front page and the search. */
export const createSiteViews = (site: Site): View[] => {
  const { registry } = site;
  return [
    { name: 'chart', view: () => [assignSubsitesToShores(registry), listFooterSubsites(registry)] },
    {
      name: 'chart names',
      view: () => registry.subsites.map((subsite) => wrapChartName(subsite, registry, 160)),
    },
    { name: 'categories', view: () => findNonEmptyCategories(registry) },
    { name: 'icons', view: () => iconsOf(registry).map(renderIcon) },
    { name: 'pictures', view: () => listSocialImages(registry) },
    { name: 'search', view: () => createServiceDocument(registry) },
    { name: 'answers', view: () => searchKnowledge(site, { question: 'What does it cost?' }) },
    { name: 'time', view: () => formatTime(site.generatedAt, registry.network.timeZone) },
  ];
};

const createSubsiteViewData = (site: Site, subsite: Subsite): unknown => {
  const catalog = site.registry.catalogs[subsite.name];
  const responsiveness = site.registry.responsiveness[subsite.name];
  return [
    formatHeadlinePrice(subsite),
    subsite.pricing?.map(({ amount, currency }) => formatMoney(amount, currency)),
    subsite.intro && renderMarkdown(subsite.intro),
    formatDay(subsite.updated),
    responsiveness && formatResponsiveness(responsiveness),
    createFormNames(subsite).hidden,
    createFormViewData(site, subsite),
    catalog && createItemViewData(subsite, catalog),
  ];
};

/** View data of a single page. */
export const createPageViews = (site: Site, page: SitePage): View[] => [
  {
    name: `${page.path} graph`,
    view: () => [createPageGraph(site, page), computePageKey(site, page) ?? ''],
  },
  {
    name: `${page.path} text`,
    view: () =>
      page.kind === 'subsite'
        ? createSubsiteViewData(site, page.subsite)
        : page.kind === 'page'
          ? [renderMarkdown(page.page.body), findSubsiteAbove(site.registry, page.path)?.name]
          : page.kind === 'capability'
            ? [
                createCapabilitySamples(site, page.capability),
                createSchemaRows(page.capability.inputSchema),
              ]
            : formatDay(page.lastmod),
  },
];
