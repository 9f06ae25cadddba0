import { and, eq, getTableColumns, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { budgetUses } from '../../db/schema-budgets.ts';
import { idempotency, leadHistory, leads, outbox } from '../../db/schema.ts';
import { hasEmail, hasPhone } from './contact-conditions.ts';
import { type BudgetUse, isBudgetLeft } from '../operation/budgets.ts';
import { isKeyUnusedAt, storeRowIf, type IdempotencyRow } from '../operation/idempotency.ts';
import { compileStatement, insertWhere, type Statement } from '../operation/statements.ts';

/** Kind of a lead's first event. The event's ID is the lead's reference. */
export const FIRST_EVENT_KIND = 'lead.created';

/**
 * SQL for the number of a lead's history entries as of an event with this payload. The number
 * orders the events; their IDs are in random order within the same second.
 */
export const eventRevisionOf = (payload: SQLWrapper): SQL<number> =>
  sql<number>`coalesce(json_extract(${payload}, '$.revision'), 1)`;

/** Values for the rows of a lead, except those of an effect. */
export interface LeadValues {
  lead: Omit<typeof leads.$inferSelect, 'repeatOf' | 'answeredMs' | 'callDueAt'>;
  /** Earliest creation time of a lead that this lead may repeat. */
  repeatsSince: string;
  /** ID of the outbox entry. */
  eventId: string;
  /** Response to store under the caller's idempotency key; undefined without a key. */
  storedResponse: IdempotencyRow | undefined;
  /**
   * Budgets with a limit that the lead counts against; the lead is written only if none is used up.
   */
  uses: readonly BudgetUse[];
  /**
   * ID of the budget uses. It differs from the lead's ID, so that nothing links the caller's
   * address to the lead.
   */
  usesId: string;
}

export interface EffectStatements {
  guards: readonly SQL[];
  rows: (written: SQL) => readonly SQL[];
}

const createPlaceholder = (name: string) => sql.placeholder(name) as never;
const createPlaceholders = <Name extends string>(columns: Record<Name, unknown>, group: string) =>
  Object.fromEntries(
    Object.keys(columns).map((name) => [name, createPlaceholder(`${group}.${name}`)]),
  ) as Record<Name, never>;

/** Name of the placeholder group for the values that one use of a budget supplies. */
const groupNameOfUse = (index: number): string => `use${index}`;

const {
  repeatOf: _repeatOf,
  answeredMs: _answeredMs,
  callDueAt: _callDueAt,
  ...leadColumns
} = getTableColumns(leads);

/** The person's first lead for the same action within a day. */
function createRepeatSubquery(matchesEmail: boolean, matchesPhone: boolean): SQL | null {
  if (!matchesEmail && !matchesPhone) return null;
  const days = sql`date(${createPlaceholder('more.repeatsSince')}), date(${createPlaceholder('lead.createdAt')})`;
  const person = or(
    matchesEmail ? hasEmail(createPlaceholder('lead.contactEmail'), days) : undefined,
    matchesPhone ? hasPhone(createPlaceholder('lead.contactPhone'), days) : undefined,
  );
  // The plus signs keep SQLite from reading every recent lead of the subsite.
  const isRecent = and(
    person,
    sql`+${leads.subsite} = ${createPlaceholder('lead.subsite')}`,
    sql`+${leads.action} is ${createPlaceholder('lead.action')}`,
    sql`+${leads.createdAt} > ${createPlaceholder('more.repeatsSince')}`,
  );
  return sql`(select coalesce(${leads.repeatOf}, ${leads.token}) from ${leads} where ${isRecent} order by ${leads.createdAt} desc limit 1)`;
}

/**
 * The lead depends on the guards, and every other row depends on the lead, so the batch writes all
 * rows or none.
 */
function compileStatements(
  hasKey: boolean,
  matchesEmail: boolean,
  matchesPhone: boolean,
  useCount: number,
  effectStatements: EffectStatements,
) {
  const written = sql`exists (select 1 from ${leads} where ${eq(leads.token, createPlaceholder('lead.token'))})`;
  const uses = Array.from({ length: useCount }, (_, index) =>
    createPlaceholders({ budget: 1, subject: 1, limit: 1, until: 1 }, groupNameOfUse(index)),
  );
  const guards = [
    ...uses.map((use) => isBudgetLeft(use, createPlaceholder('lead.createdAt'))),
    ...(hasKey
      ? [
          isKeyUnusedAt(
            createPlaceholder('storedResponse.scope'),
            createPlaceholder('storedResponse.key'),
            createPlaceholder('lead.createdAt'),
          ),
        ]
      : []),
    ...effectStatements.guards,
  ];
  const lead = {
    ...createPlaceholders(leadColumns, 'lead'),
    repeatOf: createRepeatSubquery(matchesEmail, matchesPhone),
  };
  const entry = {
    lead: createPlaceholder('lead.token'),
    status: createPlaceholder('lead.status'),
    at: createPlaceholder('lead.createdAt'),
    actor: 'person' as const,
  };
  const event = {
    id: createPlaceholder('more.eventId'),
    kind: FIRST_EVENT_KIND,
    lead: createPlaceholder('lead.token'),
    payload: {},
    createdAt: createPlaceholder('lead.createdAt'),
    dueAt: createPlaceholder('lead.createdAt'),
  };
  return [
    insertWhere(leads, lead, and(...guards) ?? sql`true`),
    insertWhere(leadHistory, entry, written),
    insertWhere(outbox, event, written),
    ...effectStatements.rows(written),
    ...uses.map(({ budget, subject, until }) =>
      insertWhere(
        budgetUses,
        { budget, subject, until, row: createPlaceholder('more.usesId') },
        written,
      ),
    ),
    ...(hasKey
      ? [storeRowIf(createPlaceholders(getTableColumns(idempotency), 'storedResponse'), written)]
      : []),
  ].map(compileStatement);
}

const NO_EFFECT_STATEMENTS: EffectStatements = { guards: [], rows: () => [] };
const cachedStatements = new Map<string, ReturnType<typeof compileStatements>>();

/**
 * The batch of statements that writes a lead. The result of the first statement shows whether the
 * lead was written.
 */
export function createLeadStatements(
  values: LeadValues,
  effectStatements: EffectStatements | undefined,
): Statement[] {
  const { lead, storedResponse, repeatsSince, eventId, uses, usesId } = values;
  const statementShape = [
    storedResponse !== undefined,
    lead.contactEmail !== null,
    lead.contactPhone !== null,
    uses.length,
  ] as const;
  // Statements with an effect contain values, so they are compiled each time. Without an effect,
  // there are only a few variants, each compiled once.
  let statements = effectStatements
    ? compileStatements(...statementShape, effectStatements)
    : cachedStatements.get(statementShape.join());
  if (!statements)
    cachedStatements.set(
      statementShape.join(),
      (statements = compileStatements(...statementShape, NO_EFFECT_STATEMENTS)),
    );
  const valuesByGroup = {
    lead,
    storedResponse,
    more: { repeatsSince, eventId, usesId },
    ...Object.fromEntries(uses.map((use, index) => [groupNameOfUse(index), { ...use }])),
  };
  return statements.map((statement) => statement(valuesByGroup));
}
