import * as v from 'valibot';
import { type TextIndex, textIndex } from '../search/text-index.ts';
import { findSubsite, infoTools } from '../site/registry.ts';
import type { InfoTool } from '../registry/subsite.ts';
import type { Site } from '../site/site.ts';
import { expecting } from '../operation/validate.ts';
import { ALL_OF_SUBSITE, filteredHint, type Found, nothingHint } from './found-items.ts';
import { listed, pageInputFor, pageOf, pageOutput, type PageRequest } from './paging.ts';
import { itemView, type ListedItem, listedItems, subsiteOffer } from './subsite-views.ts';
import { defineTool, type McpTool, READS } from './tool.ts';

const MAX_QUERY = 200;

/** Search words. */
export const words = v.pipe(
  v.string(),
  v.regex(/\S/),
  v.check((text) => text.length <= MAX_QUERY),
  expecting(`Write words, at most ${MAX_QUERY} characters.`),
  v.description('Words'),
);

/** One of a few names; `about` describes the choice. */
export const oneOf = <const Names extends readonly string[]>(names: Names, about: string) =>
  v.pipe(
    v.picklist(names),
    expecting('Write one of the values listed.', { allowed: names }),
    v.description(about),
  );

/** The subsite to answer for; a tool for one subsite has no such member. */
const subsiteInput = (of: readonly string[]): v.ObjectEntries =>
  of.length > 1 ? { subsite: v.optional(oneOf(of, 'Only of it')) } : {};

/**
 * Useful filters for these items: no state filter if all have the same state, no price filter
 * without prices.
 */
function itemFilters(items: readonly ListedItem[]): v.ObjectEntries {
  const states = [...new Set(items.map(stateOf))].sort();
  return {
    ...(states.length > 1 && { status: v.optional(oneOf(states, 'Item state')) }),
    ...(items.some(({ item }) => item.price) && {
      maxPrice: v.optional(
        v.pipe(
          v.number(),
          v.finite(),
          expecting('Write an amount as a number, such as 150.'),
          v.description('At most'),
        ),
      ),
    }),
  };
}

const stateOf = ({ item }: ListedItem) => item.status ?? 'available';

interface SubsiteFilter {
  subsite?: string | undefined;
}

interface ItemFilters extends SubsiteFilter {
  status?: string | undefined;
  maxPrice?: number | undefined;
}

const passes =
  ({ subsite, status, maxPrice }: ItemFilters) =>
  (listed: ListedItem): boolean =>
    (subsite === undefined || listed.subsite === subsite) &&
    (status === undefined || stateOf(listed) === status) &&
    (maxPrice === undefined ||
      (listed.item.price !== undefined && listed.item.price.amount <= maxPrice));

function itemIndex(
  { registry: { network, catalogs } }: Site,
  items: readonly ListedItem[],
): TextIndex<ListedItem> {
  return textIndex(network, items, ({ subsite, item }) => {
    const { title, summary, tags = [], place, attributes = {}, body = '' } = item;
    // Negated attributes must not make an item match.
    const details = Object.entries(attributes).flatMap(([name, value]) =>
      value === false
        ? []
        : [name.replaceAll('_', ' '), ...(value === true ? [] : [String(value)])],
    );
    return {
      title,
      text: [title, summary, ...tags, ...details].join(' '),
      words: [catalogs[subsite]?.noun ?? '', body].join(' '),
      place,
    };
  });
}

/** `shows: subsites`: the published data of each subsite. */
function subsitesTool(site: Site, { name, title, description, of }: InfoTool): McpTool {
  const subsites = of.map((other) => findSubsite(site.registry, other)!);
  return defineTool({
    name,
    title,
    description,
    annotations: READS,
    pure: true,
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- it names what spreads lose
    input: v.strictObject({ ...subsiteInput(of), ...pageInputFor(of.length) }) as v.GenericSchema<
      unknown,
      SubsiteFilter & PageRequest
    >,
    output: pageOutput('subsites', listed.subsite),
    handle(input) {
      const { subsite } = input;
      const { page, ...more } = pageOf(
        subsites.filter((other) => subsite === undefined || other.name === subsite),
        input,
        (other) => subsiteOffer(other, site.base),
      );
      return { subsites: page, ...more };
    },
  });
}

/** Subsites by words about their purpose, which their items may lack. */
const subsiteIndex = ({ registry }: Site, of: readonly string[]): TextIndex<string> =>
  textIndex(registry.network, of, (name) => {
    const { title, keywords = [] } = findSubsite(registry, name)!;
    return { title, text: keywords.join(' '), words: name };
  });

/**
 * `shows: catalog` and `shows: search`: filtered items, most relevant first for words, otherwise in
 * catalog order.
 */
function itemsTool(site: Site, { name, title, description, of, shows }: InfoTool): McpTool {
  const items = listedItems(site.registry, of);
  const index = itemIndex(site, items);
  const subsites = subsiteIndex(site, of);
  const matchingItems = (query: string): Found => {
    const found = index.search(query).map(({ entry: listed }) => listed);
    if (found.length) return { found };
    const named = subsites.search(query).map(({ entry }) => entry);
    const itemsOfNamed = items.filter(({ subsite }) => named.includes(subsite));
    return itemsOfNamed.length
      ? { found: itemsOfNamed, hint: ALL_OF_SUBSITE }
      : { found, hint: nothingHint(shows, items) };
  };
  return defineTool({
    name,
    title,
    description,
    annotations: READS,
    pure: true,
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- it names what spreads lose
    input: v.strictObject({
      ...(shows === 'search' ? { query: words } : { query: v.optional(words) }),
      ...subsiteInput(of),
      ...itemFilters(items),
      ...pageInputFor(items.length),
    }) as v.GenericSchema<unknown, { query?: string } & ItemFilters & PageRequest>,
    output: pageOutput('items', listed.item),
    handle(input) {
      const { query } = input;
      const { found, hint }: Found = query === undefined ? { found: items } : matchingItems(query);
      const kept = found.filter(passes(input));
      const { page, ...more } = pageOf(kept, input, (listed) => itemView(site, listed));
      const said = found.length && !kept.length ? filteredHint(input) : hint;
      return { items: page, ...more, ...(said !== undefined && { hint: said }) };
    },
  });
}

/** The information tools that the records define, by name. */
export const recordTools = (site: Site): McpTool[] =>
  infoTools(site.registry).map((tool) =>
    tool.shows === 'subsites' ? subsitesTool(site, tool) : itemsTool(site, tool),
  );
