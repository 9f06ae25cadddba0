import { and, eq, or, sql, type SQL } from 'drizzle-orm';
import { leadHistory, leads, outbox } from '../../db/schema.ts';
import { hasEmail, hasPhone } from './contact-conditions.ts';
import { isKeyUnusedAt, storeRowIf, type IdempotencyRow } from '../operation/idempotency.ts';
import { compile, insertWhere, type Statement } from '../operation/statements.ts';

/** Kind of a lead's first event. The event's ID is the lead's reference. */
export const FIRST_EVENT = 'lead.created';

/** Values for the rows of a lead, except those of an effect. */
export interface LeadValues {
  lead: Omit<typeof leads.$inferSelect, 'repeatOf' | 'answeredMs'>;
  /** Earliest creation time of a lead that this lead may repeat. */
  repeatsSince: string;
  /** ID of the outbox entry. */
  eventId: string;
  /** Response to store under the caller's idempotency key; undefined without a key. */
  storedAnswer: IdempotencyRow | undefined;
}

/** Conditions and rows of an effect. */
export interface LeadEffects {
  guards: readonly SQL[];
  rows: (written: SQL) => readonly SQL[];
}

const placeholder = (name: string) => sql.placeholder(name) as never;
const placeholdersFor = <Name extends string>(names: readonly Name[], group: string) =>
  Object.fromEntries(names.map((name) => [name, placeholder(`${group}.${name}`)])) as Record<
    Name,
    never
  >;

const leadColumns = [
  'token',
  'subsite',
  'action',
  'source',
  'channel',
  'status',
  'fields',
  'data',
  'contactName',
  'contactEmail',
  'contactPhone',
  'suspicions',
  'emergency',
  'importKey',
  'notify',
  'createdAt',
  'updatedAt',
  'respondBy',
  'dueAt',
  'retentionDays',
  'eraseAt',
] as const;
const storedAnswerColumns = [
  'scope',
  'key',
  'digest',
  'response',
  'subject',
  'createdAt',
  'expiresAt',
] as const;

/** The person's first lead for the same action within a day. */
function repeatOf(byEmail: boolean, byPhone: boolean): SQL | null {
  if (!byEmail && !byPhone) return null;
  const days = sql`date(${placeholder('more.repeatsSince')}), date(${placeholder('lead.createdAt')})`;
  const person = or(
    byEmail ? hasEmail(placeholder('lead.contactEmail'), days) : undefined,
    byPhone ? hasPhone(placeholder('lead.contactPhone'), days) : undefined,
  );
  // The plus signs keep SQLite from reading every recent lead of the subsite.
  const isRecent = and(
    person,
    sql`+${leads.subsite} = ${placeholder('lead.subsite')}`,
    sql`+${leads.action} is ${placeholder('lead.action')}`,
    sql`+${leads.createdAt} > ${placeholder('more.repeatsSince')}`,
  );
  return sql`(select coalesce(${leads.repeatOf}, ${leads.token}) from ${leads} where ${isRecent} order by ${leads.createdAt} desc limit 1)`;
}

/**
 * The lead depends on the guards, and every other row depends on the lead, so the batch writes all
 * rows or none.
 */
function compileStatements(
  hasKey: boolean,
  byEmail: boolean,
  byPhone: boolean,
  effects: LeadEffects,
) {
  const written = sql`exists (select 1 from ${leads} where ${eq(leads.token, placeholder('lead.token'))})`;
  const guards = [
    ...(hasKey
      ? [
          isKeyUnusedAt(
            placeholder('storedAnswer.scope'),
            placeholder('storedAnswer.key'),
            placeholder('lead.createdAt'),
          ),
        ]
      : []),
    ...effects.guards,
  ];
  const lead = { ...placeholdersFor(leadColumns, 'lead'), repeatOf: repeatOf(byEmail, byPhone) };
  const entry = {
    lead: placeholder('lead.token'),
    status: placeholder('lead.status'),
    at: placeholder('lead.createdAt'),
    actor: 'person' as const,
    note: null,
  };
  const event = {
    id: placeholder('more.eventId'),
    kind: 'lead.created',
    lead: placeholder('lead.token'),
    payload: {},
    createdAt: placeholder('lead.createdAt'),
    attempts: 0,
    dueAt: placeholder('lead.createdAt'),
  };
  return [
    insertWhere(leads, lead, guards.length ? sql.join([...guards], sql` and `) : sql`true`),
    insertWhere(leadHistory, entry, written),
    insertWhere(outbox, event, written),
    ...effects.rows(written),
    ...(hasKey ? [storeRowIf(placeholdersFor(storedAnswerColumns, 'storedAnswer'), written)] : []),
  ].map(compile);
}

const NO_EFFECTS: LeadEffects = { guards: [], rows: () => [] };
const cachedStatements = new Map<string, ReturnType<typeof compileStatements>>();

/**
 * The batch of statements that writes a lead. The result of the first statement shows whether the
 * lead was written.
 */
export function createLeadStatements(
  values: LeadValues,
  effects: LeadEffects | undefined,
): Statement[] {
  const { lead, storedAnswer, repeatsSince, eventId } = values;
  const statementShape = [
    storedAnswer !== undefined,
    lead.contactEmail !== null,
    lead.contactPhone !== null,
  ] as const;
  // Statements with an effect contain values, so they are compiled each time. Without an effect,
  // there are only eight variants, each compiled once.
  let statements = effects
    ? compileStatements(...statementShape, effects)
    : cachedStatements.get(statementShape.join());
  if (!statements)
    cachedStatements.set(
      statementShape.join(),
      (statements = compileStatements(...statementShape, NO_EFFECTS)),
    );
  const valuesByGroup = { lead, storedAnswer, more: { repeatsSince, eventId } };
  return statements.map((statement) => statement(valuesByGroup));
}
