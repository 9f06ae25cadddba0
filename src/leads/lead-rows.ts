import { and, eq, gt, or, sql, type SQL } from 'drizzle-orm';
import { leadHistory, leads, outbox } from '../../db/schema.ts';
import { isKeyUnusedAt, storeRowWhere, type IdempotencyRow } from '../operation/idempotency.ts';
import { compile, insertWhere, type Statement } from '../operation/statements.ts';

/** Kind of a lead’s first event, whose id is the lead’s reference. */
export const FIRST_EVENT = 'lead.created';

/** Values for the rows of a lead, besides those that an effect adds. */
export interface LeadValues {
  lead: Omit<typeof leads.$inferSelect, 'repeatOf' | 'answeredMs'>;
  /** Earliest time of a lead that this one may repeat. */
  repeatsSince: string;
  /** Id of the outbox entry. */
  eventId: string;
  /** The caller’s key and the answer to store for it. */
  remembered: IdempotencyRow | undefined;
}

/** Conditions and rows that an effect adds to the write of a lead. */
export interface LeadEffects {
  guards: readonly SQL[];
  rows: (written: SQL) => readonly SQL[];
}

const value = (name: string) => sql.placeholder(name) as never;
const valuesOf = <Name extends string>(names: readonly Name[], above: string) =>
  Object.fromEntries(names.map((name) => [name, value(`${above}.${name}`)])) as Record<Name, never>;

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
  'importKey',
  'notify',
  'createdAt',
  'updatedAt',
  'respondBy',
  'dueAt',
  'retentionDays',
  'eraseAt',
] as const;
const rememberedColumns = [
  'scope',
  'key',
  'digest',
  'response',
  'subject',
  'createdAt',
  'expiresAt',
] as const;

/** The first lead of the same person for the same action within a day. */
function repeatOf(byEmail: boolean, byPhone: boolean): SQL | null {
  if (!byEmail && !byPhone) return null;
  const person = or(
    byEmail ? eq(leads.contactEmail, value('lead.contactEmail')) : undefined,
    byPhone ? eq(leads.contactPhone, value('lead.contactPhone')) : undefined,
  );
  const recent = and(
    person,
    eq(leads.subsite, value('lead.subsite')),
    sql`${leads.action} is ${value('lead.action')}`,
    gt(leads.createdAt, value('more.repeatsSince')),
  );
  return sql`(select coalesce(${leads.repeatOf}, ${leads.token}) from ${leads} where ${recent} order by ${leads.createdAt} desc limit 1)`;
}

/**
 * Every other row depends on the lead, and the lead on the guards, so that the batch writes all of
 * them or none.
 */
function statementsOf(keyed: boolean, byEmail: boolean, byPhone: boolean, effects: LeadEffects) {
  const written = sql`exists (select 1 from ${leads} where ${eq(leads.token, value('lead.token'))})`;
  const guards = [
    ...(keyed
      ? [isKeyUnusedAt(value('remembered.scope'), value('remembered.key'), value('lead.createdAt'))]
      : []),
    ...effects.guards,
  ];
  const lead = { ...valuesOf(leadColumns, 'lead'), repeatOf: repeatOf(byEmail, byPhone) };
  const entry = {
    lead: value('lead.token'),
    status: value('lead.status'),
    at: value('lead.createdAt'),
    actor: 'person' as const,
    note: null,
  };
  const event = {
    id: value('more.eventId'),
    kind: 'lead.created',
    lead: value('lead.token'),
    payload: {},
    createdAt: value('lead.createdAt'),
    attempts: 0,
    dueAt: value('lead.createdAt'),
  };
  return [
    insertWhere(leads, lead, guards.length ? sql.join([...guards], sql` and `) : sql`true`),
    insertWhere(leadHistory, entry, written),
    insertWhere(outbox, event, written),
    ...effects.rows(written),
    ...(keyed ? [storeRowWhere(valuesOf(rememberedColumns, 'remembered'), written)] : []),
  ].map(compile);
}

const plain: LeadEffects = { guards: [], rows: () => [] };
const compiled = new Map<string, ReturnType<typeof statementsOf>>();

/**
 * The statements that write a lead, for one batch; the first one reports whether it was written.
 */
export function leadStatements(values: LeadValues, effects: LeadEffects | undefined): Statement[] {
  const { lead, remembered, repeatsSince, eventId } = values;
  const shape = [
    remembered !== undefined,
    lead.contactEmail !== null,
    lead.contactPhone !== null,
  ] as const;
  // An effect’s conditions contain values; without an effect there are eight statement texts, each
  // made once.
  let statements = effects ? statementsOf(...shape, effects) : compiled.get(shape.join());
  if (!statements) compiled.set(shape.join(), (statements = statementsOf(...shape, plain)));
  const grouped = { lead, remembered, more: { repeatsSince, eventId } };
  return statements.map((statement) => statement(grouped));
}
