import {
  findContradictions,
  findPurchaseTermsContradictions,
} from '../registry/contradictions/contradictions.ts';
import { findLinkedPriceContradictions } from '../registry/contradictions/linked-prices.ts';
import { findCurlyQuotedTexts, findTruncatedTexts } from '../registry/source/truncated-texts.ts';
import type { RecordProblem } from '../registry/describe-issue.ts';
import type { Fault } from '../registry/fault.ts';
import { locateProblems } from '../registry/source/locate-problems.ts';
import type { Source } from '../registry/source/source.ts';
import { findUnofferedService } from '../search/not-offered.ts';
import type { Catalog } from '../registry/schemas/catalog.ts';
import type { Network } from '../registry/schemas/network.ts';
import { ownClosedDaysOf } from '../registry/network-closed-days.ts';
import { isYearly } from '../site/calendar/days.ts';
import type { ClosedDay } from '../site/calendar/opening-hours.ts';
import type { Subsite } from '../registry/schemas/subsite.ts';
import type { Registry } from '../site/registry.ts';

function findSubsiteWarnings(subsite: Subsite, { search, leadTerms }: Network): RecordProblem[] {
  const notOfferedService = findUnofferedService(search.notOffered, subsite.title);
  const words = notOfferedService?.words.filter((phrase) =>
    findUnofferedService([{ what: notOfferedService.what, words: [phrase] }], subsite.title),
  );
  return [
    ...(notOfferedService === undefined
      ? []
      : [
          {
            path: ['title'],
            problem: `has words that search.notOffered in network.yaml lists under “${notOfferedService.what}”: ${words?.join(', ')}. Remove them there, because the network offers the service.`,
          },
        ]),
    ...findContradictions(subsite, leadTerms.respondWithinHours),
  ];
}

/** Warns if the newest date with a year in a list of closed days is in the past. */
function findOutdatedClosedDays(closedDays: readonly ClosedDay[], today: string): RecordProblem[] {
  const newest = closedDays
    .map(({ date }) => date)
    .filter((date) => !isYearly(date))
    .sort()
    .at(-1);
  return newest !== undefined && newest < today
    ? [
        {
          path: ['closedDays'],
          problem: `has no date after ${newest}, which is in the past. Add the next dates, and remove the past ones.`,
        },
      ]
    : [];
}

/** The problem with an item's date, if there is one. */
function describeDateProblem(
  schemaType: Catalog['schemaType'],
  { date, status }: Catalog['items'][number],
  today: string,
): string | undefined {
  if (date === undefined) return undefined;
  if (schemaType === 'Article' && date > today)
    return 'is in the future, but the article is already published. Use today’s date or an earlier one.';
  return status === 'upcoming' && date < today
    ? 'is in the past, but the status is upcoming. Change the date or the status.'
    : undefined;
}

/** Warns about articles that pages show before their date, and items called upcoming after it. */
const findMisdatedItems = ({ schemaType, items }: Catalog, today: string): RecordProblem[] =>
  items.flatMap((item, index) => {
    const problem = describeDateProblem(schemaType, item, today);
    return problem === undefined ? [] : [{ path: ['items', index, 'date'], problem }];
  });

/** Warns about items that are for sale according to `purchaseTerms` but have no price. */
const findUnpricedItems = ({ purchaseTerms, schemaType, items }: Catalog): RecordProblem[] =>
  purchaseTerms === undefined || schemaType !== 'Product'
    ? []
    : items.flatMap(({ status = 'available', price }, index) =>
        status !== 'available' || price?.amount
          ? []
          : [
              {
                path: ['items', index, ...(price ? ['price', 'amount'] : [])],
                problem: price
                  ? 'is 0, but the item is for sale. Write its price, unless it is free.'
                  : 'has no price, but is for sale. Add its price, or change its status.',
              },
            ],
      );

/**
 * Finds likely mistakes in a valid registry, each with its location, truncated text first.
 * `sources` are the files of the registry in `folder`; `today` is YYYY-MM-DD.
 */
export function findRecordWarnings(
  folder: string,
  sources: readonly Source[],
  registry: Registry,
  today: string,
): Fault[] {
  const { network, subsites, catalogs } = registry;
  const locate = (record: string, warnings: readonly RecordProblem[]) => {
    const source =
      warnings.length && sources.find(({ file }) => file.startsWith(`${folder}/${record}.`));
    return source
      ? locateProblems(source, warnings).sort((one, other) => one.line - other.line)
      : [];
  };
  return [
    ...sources.flatMap(findTruncatedTexts),
    ...sources.flatMap(findCurlyQuotedTexts),
    ...locate('network', findOutdatedClosedDays(network.closedDays, today)),
    ...subsites.flatMap((subsite) =>
      locate(`subsites/${subsite.name}`, [
        ...findSubsiteWarnings(subsite, network),
        ...findOutdatedClosedDays(ownClosedDaysOf(subsite), today),
      ]),
    ),
    ...subsites.flatMap((subsite) => {
      const catalog = catalogs[subsite.name];
      return catalog
        ? locate(`catalog/${subsite.name}`, [
            ...findPurchaseTermsContradictions(subsite, catalog),
            ...findMisdatedItems(catalog, today),
            ...findUnpricedItems(catalog),
          ])
        : [];
    }),
    ...findLinkedPriceContradictions(registry).flatMap(({ record, problems }) =>
      locate(record, problems),
    ),
  ];
}
