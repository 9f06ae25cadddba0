import * as v from 'valibot';
import { countCodePoints, createMaxLengthCheck } from '../fields/text-length.ts';
import { type TextIndex, createTextIndex } from '../search/index/text-index.ts';
import { readPriceBound } from '../search/price-bound.ts';
import { wordsOf } from '../search/index/terms.ts';
import { findSubsite, listInfoTools, isSoldOrPast } from '../site/registry.ts';
import type { InfoTool } from '../registry/schemas/subsite.ts';
import type { Site } from '../site/site.ts';
import type { Context } from '../operation/context.ts';
import { listHoldSubsites } from '../leads/holds/free-days-query.ts';
import {
  type ItemAvailability,
  readItemAvailability,
} from '../leads/holds/read-item-availability.ts';
import { withExpectation } from '../operation/validate.ts';
import {
  PARTIAL_MATCH_HINT,
  RELATED_MATCH_HINT,
  SUBSITE_MATCH_HINT,
  createFilterHint,
  type MatchingItems,
  createNoMatchHint,
} from './found-items.ts';
import {
  entrySchemas,
  createPageInput,
  pageOf,
  createPageOutput,
  totalOutput,
  type PageRequest,
} from './paging.ts';
import { createItemView, type ListedItem, listItems, createSubsiteView } from './subsite-views.ts';
import { defineTool, type McpTool, READ_ANNOTATIONS } from './tool.ts';

/** Number of characters that count as one question in the question budget. */
const MAX_QUERY_LENGTH = 500;

/** Schema for search words whose length `limit` checks. */
const createQuerySchema = (limit: v.GenericValidation<string>) =>
  v.pipe(
    v.string(),
    v.regex(/\S/),
    limit,
    withExpectation(`Send a query of at most ${MAX_QUERY_LENGTH} characters.`),
    v.description('Words'),
  );

/** Search words that may be a whole sentence about a need. */
export const querySchema = createQuerySchema(createMaxLengthCheck(MAX_QUERY_LENGTH));

/** Search words for items; the tool list, at most 10 KB, has no room to declare the limit. */
const itemQuerySchema = createQuerySchema(
  v.check((text) => countCodePoints(text) <= MAX_QUERY_LENGTH),
);

/** Schema for a choice between a few names; `description` says what is chosen. */
export const createPicklistSchema = <const Names extends readonly string[]>(
  names: Names,
  description: string,
) =>
  v.pipe(
    v.picklist(names),
    withExpectation('Send one of the allowed values.', { allowed: names }),
    v.description(description),
  );

const createSubsiteInput = (subsiteNames: readonly string[]): v.ObjectEntries =>
  subsiteNames.length > 1
    ? { subsite: v.optional(createPicklistSchema(subsiteNames, 'Filter')) }
    : {};

/**
 * There is no state filter if all items have the same state, and no price filter if none has a
 * price.
 */
function createItemFilters(items: readonly ListedItem[]): v.ObjectEntries {
  const states = [...new Set(items.map(stateOf))].sort();
  return {
    ...(states.length > 1 && { status: v.optional(createPicklistSchema(states, 'State')) }),
    ...(items.some(({ item }) => item.price) && {
      maxPrice: v.optional(
        v.pipe(
          v.number(),
          v.finite(),
          withExpectation('Send an amount as a number, such as 150.'),
          v.description('At most'),
        ),
      ),
    }),
  };
}

const createDaySchema = (description: string) =>
  v.optional(
    v.pipe(v.string(), withExpectation('Send a day as YYYY-MM-DD.'), v.description(description)),
  );

/**
 * The days of a hold. If they are given, each item in the result has `free`, its number of
 * available units.
 */
const holdDaysInput = {
  from: createDaySchema('YYYY-MM-DD; adds available units'),
  to: createDaySchema('Last day'),
};

/** The period to which `free` refers, and the closed days in it. */
const describePeriod = ({ days, closedDays }: ItemAvailability) => ({
  period: { ...days, ...(closedDays.length && { closedDays }) },
  ...(closedDays.length && {
    notice: 'The provider is closed on closedDays; a pickup or return on such a day needs a call.',
  }),
});

const stateOf = ({ item }: ListedItem) => item.status ?? 'available';

interface SubsiteFilter {
  subsite?: string | undefined;
}

interface ItemFilters extends SubsiteFilter {
  status?: string | undefined;
  maxPrice?: number | undefined;
}

const matchesFilters =
  ({ subsite, status, maxPrice }: ItemFilters) =>
  (listed: ListedItem): boolean =>
    (subsite === undefined || listed.subsite === subsite) &&
    (status === undefined || stateOf(listed) === status) &&
    (maxPrice === undefined ||
      (listed.item.price !== undefined && listed.item.price.amount <= maxPrice));

const sortAvailableFirst = (items: readonly ListedItem[]): ListedItem[] =>
  items.toSorted(({ item: a }, { item: b }) => Number(isSoldOrPast(a)) - Number(isSoldOrPast(b)));

/** The search words and the maximum price, which a query for items with prices may include. */
function readItemQuery(
  { query, maxPrice }: ItemFilters & { query?: string },
  items: readonly ListedItem[],
): { query: string | undefined; maxPrice: number | undefined } {
  const priceBound = items.some(({ item }) => item.price) ? readPriceBound(query ?? '') : undefined;
  if (priceBound?.maxPrice === undefined) return { query, maxPrice };
  return {
    query: wordsOf(priceBound.rest).length ? priceBound.rest : undefined,
    maxPrice: Math.min(priceBound.maxPrice, maxPrice ?? Infinity),
  };
}

function createItemIndex(
  { registry: { network, catalogs } }: Site,
  items: readonly ListedItem[],
): TextIndex<ListedItem> {
  return createTextIndex(network, items, ({ subsite, item }) => {
    const { title, summary, tags = [], place, attributes = {}, body = '' } = item;
    // Negated attributes, such as “no ramp”, must not make an item match.
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

/** The tool for `shows: subsites`: the published data of each subsite. */
function createSubsitesTool(
  site: Site,
  { name, title, description, of: subsiteNames }: InfoTool,
): McpTool {
  const subsites = subsiteNames.map((other) => findSubsite(site.registry, other)!);
  return defineTool({
    name,
    title,
    description,
    annotations: READ_ANNOTATIONS,
    pure: true,
    // The assertion restores the types that spreading loses.
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion
    input: v.strictObject({
      ...createSubsiteInput(subsiteNames),
      ...createPageInput(subsiteNames.length),
    }) as v.GenericSchema<unknown, SubsiteFilter & PageRequest>,
    output: createPageOutput('subsites', entrySchemas.subsite),
    handle(input) {
      const { subsite } = input;
      const { page, ...more } = pageOf(
        subsites.filter((other) => subsite === undefined || other.name === subsite),
        input,
        (other) => createSubsiteView(other, site),
      );
      return { subsites: page, ...more };
    },
  });
}

/** Search index of subsites by title and keywords, because items may lack those words. */
const createSubsiteIndex = (
  { registry }: Site,
  subsiteNames: readonly string[],
): TextIndex<string> =>
  createTextIndex(registry.network, subsiteNames, (name) => {
    const { title, keywords = [] } = findSubsite(registry, name)!;
    return { title, text: keywords.join(' '), words: name };
  });

/**
 * The tool for `shows: catalog` and `shows: search`: filtered items, most relevant first if words
 * are given, otherwise in catalog order; sold and past items come last.
 */
function createItemsTool(
  context: Context,
  { name, title, description, of: subsiteNames, shows }: InfoTool,
): McpTool {
  const { site } = context;
  const holdSubsite = listHoldSubsites(site.registry).find(
    ({ name: other }) => subsiteNames.length === 1 && subsiteNames[0] === other,
  );
  const items = sortAvailableFirst(listItems(site.registry, subsiteNames));
  const index = createItemIndex(site, items);
  const subsites = createSubsiteIndex(site, subsiteNames);
  const findMatchingItems = (query: string): MatchingItems => {
    const matches = index.search(query);
    const found = matches.map(({ entry: listed }) => listed);
    if (found.length) {
      const fullMatches = matches.filter(({ match }) => match.coverage === 1);
      const hint = !fullMatches.length
        ? PARTIAL_MATCH_HINT
        : fullMatches.some(({ match }) => match.hasOwnTerms)
          ? undefined
          : RELATED_MATCH_HINT;
      return { items: sortAvailableFirst(found), ...(hint !== undefined && { hint }) };
    }
    // Do not list all items of a subsite in a search: a shop has the word “couch” even when it has
    // no couch.
    const matchingSubsites =
      shows === 'search' ? [] : subsites.search(query).map(({ entry }) => entry);
    const itemsOfSubsites = items.filter(({ subsite }) => matchingSubsites.includes(subsite));
    return itemsOfSubsites.length
      ? { items: itemsOfSubsites, hint: SUBSITE_MATCH_HINT }
      : { items: found, hint: createNoMatchHint(shows, items) };
  };
  return defineTool({
    name,
    title,
    description,
    annotations: READ_ANNOTATIONS,
    pure: !holdSubsite,
    // The assertion restores the types that spreading loses.
    input: v.strictObject({
      ...(shows === 'search' ? { query: itemQuerySchema } : { query: v.optional(itemQuerySchema) }),
      ...createSubsiteInput(subsiteNames),
      ...createItemFilters(items),
      ...(holdSubsite && holdDaysInput),
      ...createPageInput(items.length),
    }) as v.GenericSchema<
      unknown,
      { query?: string; from?: string; to?: string } & ItemFilters & PageRequest
    >,
    output: createPageOutput(
      'items',
      entrySchemas.item,
      shows === 'search' ? { last: totalOutput } : {},
    ),
    async handle(input) {
      const { from, to } = input;
      const availability =
        holdSubsite && (from !== undefined || to !== undefined)
          ? await readItemAvailability(holdSubsite, { from, to }, context)
          : undefined;
      const { query, maxPrice } = readItemQuery(input, items);
      const { items: found, hint }: MatchingItems =
        query === undefined ? { items } : findMatchingItems(query);
      const filteredItems = found.filter(matchesFilters({ ...input, maxPrice }));
      const period = availability && describePeriod(availability);
      const { page, ...more } = pageOf(
        filteredItems,
        input,
        (listed) => ({
          ...createItemView(site, listed),
          ...(availability && { free: availability.units.get(listed.item.id) ?? 0 }),
        }),
        period,
      );
      const shownHint =
        found.length && !filteredItems.length ? createFilterHint(input, maxPrice) : hint;
      return {
        ...period,
        items: page,
        ...more,
        ...(shownHint !== undefined && { hint: shownHint }),
      };
    },
  });
}

/** The information tools that the records define, by name. */
export const createRecordTools = (context: Context): McpTool[] =>
  listInfoTools(context.site.registry).map((tool) =>
    tool.shows === 'subsites'
      ? createSubsitesTool(context.site, tool)
      : createItemsTool(context, tool),
  );
