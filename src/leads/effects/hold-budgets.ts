import { and, asc, gt, isNotNull, lte, sql, type SQL } from 'drizzle-orm';
import { holds } from '../../../db/schema.ts';
import type { Item } from '../../registry/catalog.ts';
import { type BudgetCount, callerSubject, overBudget, subjectOf } from '../../operation/budgets.ts';
import type { Problem } from '../../operation/problem.ts';
import { hoursLater } from '../../operation/later.ts';
import type { Days } from '../../site/days.ts';
import { daysBetween } from '../../site/days.ts';
import type { EffectCall } from './effect.ts';
import { allOf } from '../../operation/statements.ts';
import { overlapping } from './live-holds.ts';

type Planned = EffectCall<'hold'>;

/** Whether the budgets hold for a call: the operator’s own import is not limited. */
const budgetsOf = ({ call, context }: Pick<Planned, 'call' | 'context'>) =>
  call.channel === 'import' ? undefined : context.budgets;

const contactsOf = ({ written }: Pick<Planned, 'written'>): string[] =>
  [written.contactEmail, written.contactPhone].filter((contact) => contact !== null);

/** Until when an unconfirmed hold lasts: shorter where nobody can be asked about it. */
export function holdTerm(planned: Planned): string {
  const { effect, now } = planned;
  const hours =
    contactsOf(planned).length || !budgetsOf(planned)
      ? effect.hours
      : Math.min(effect.hours, effect.minutesWithoutContact / 60);
  return hoursLater(now, hours);
}

/** What a hold counts as: one of its contact’s and one of its caller’s. */
export async function holdCounts(planned: Planned, until: string): Promise<BudgetCount[]> {
  const { call, context } = planned;
  const budgets = budgetsOf(planned);
  if (!budgets) return [];
  const caller = await callerSubject(call, context);
  const contacts = await Promise.all(
    contactsOf(planned).map((contact) => subjectOf('contact', contact, context)),
  );
  return [
    ...contacts.map((subject) => ({
      budget: 'holds' as const,
      subject,
      limit: budgets.holdsPerContact,
      noun: 'unconfirmed hold',
      scope: 'of one contact at a time',
      until,
    })),
    ...(caller === undefined
      ? []
      : [
          {
            budget: 'holds' as const,
            subject: caller,
            limit: budgets.holdsPerAddress,
            noun: 'unconfirmed hold',
            scope: `from one ${call.key ? 'key' : 'address'} at a time`,
            until,
          },
        ]),
  ];
}

/**
 * Units of a catalog that unconfirmed holds may take on one day; at least one, so that a single
 * item can be held.
 */
const mostUnconfirmed = (items: readonly Item[], percent: number): number =>
  Math.max(1, Math.floor((items.reduce((sum, { units = 1 }) => sum + units, 0) * percent) / 100));

const unconfirmed = (catalog: string, days: Days, now: Date): SQL =>
  allOf(overlapping(catalog, days, now), isNotNull(holds.expiresAt));

/**
 * Holds where one more unconfirmed hold leaves the rest of the catalog free on each of the days.
 * The maximum is on the first day, or on a day on which one of them begins.
 */
function underShare(most: number, catalog: string, days: Days, now: Date): SQL {
  const begins = sql`select ${days.from} as day union select ${holds.fromDay} from ${holds} where ${and(unconfirmed(catalog, days, now), gt(holds.fromDay, days.from))}`;
  const on = sql`select count(*) from ${holds} where ${and(unconfirmed(catalog, days, now), lte(holds.fromDay, sql`begins.day`))} and ${holds.toDay} >= begins.day`;
  return sql`not exists (select 1 from (${begins}) as begins where (${on}) >= ${most})`;
}

/** The condition under which a hold leaves enough of the catalog to others. */
export function leavesEnough(
  items: readonly Item[],
  catalog: string,
  days: Days,
  planned: Planned,
): SQL[] {
  const percent = budgetsOf(planned)?.holdsShare ?? 0;
  return percent === 0
    ? []
    : [underShare(mostUnconfirmed(items, percent), catalog, days, planned.now)];
}

/** The refusal of a hold that would not leave enough; undefined where it does. */
export async function catalogRefusal(
  items: readonly Item[],
  catalog: string,
  days: Days,
  planned: Planned,
): Promise<Problem | undefined> {
  const { context, now } = planned;
  const percent = budgetsOf(planned)?.holdsShare ?? 0;
  if (percent === 0) return undefined;
  const most = mostUnconfirmed(items, percent);
  const { writer } = context.database;
  const [room] = await writer.all<{ enough: number }>(
    sql`select ${underShare(most, catalog, days, now)} as enough`,
  );
  if (room?.enough) return undefined;
  const [first] = await writer
    .select({ expiresAt: holds.expiresAt })
    .from(holds)
    .where(unconfirmed(catalog, days, now))
    .orderBy(asc(holds.expiresAt))
    .limit(1);
  if (!first?.expiresAt) return undefined;
  return overBudget(
    `of all items together, at most ${most} can be held without a confirmation on one day, and that limit is reached ${daysBetween(days)}`,
    first.expiresAt,
    now,
    'Or choose other days.',
  );
}
