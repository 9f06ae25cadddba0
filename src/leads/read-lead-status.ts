import { asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/index.ts';
import * as v from 'valibot';
import { leadHistory, leads } from '../../db/schema.ts';
import type { Context } from '../operation/context.ts';
import { jsonSchemaOf } from '../operation/json-schema.ts';
import { keepBriefly } from '../capabilities/kept-answers.ts';
import { noticeOf } from './lead-notice.ts';
import { leadStatuses, type LeadStatus } from './lead-states.ts';
import { defineOperation } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import { hoursLater, leadTerms, statusUrl } from './receipt.ts';
import { RECEIPT_TOKEN_PATTERN, SANDBOX_TOKEN } from '../operation/tokens.ts';
import type { Site } from '../site/site.ts';

const status = v.picklist(leadStatuses);
const time = v.pipe(v.string(), v.isoTimestamp());

const leadStatus = v.pipe(
  v.strictObject({
    receiptToken: v.pipe(v.string(), v.description('Token of the receipt.')),
    subsite: v.pipe(v.string(), v.description('Subsite that received the lead.')),
    action: v.pipe(
      v.nullable(v.string()),
      v.description('Verb of the action; null for a plain lead.'),
    ),
    status: v.pipe(
      status,
      v.description('State of the lead now. Only confirmed means that the provider has agreed.'),
    ),
    statusUrl: v.pipe(v.string(), v.url(), v.description('This address.')),
    createdAt: v.pipe(time, v.description('When it was filed.')),
    updatedAt: v.pipe(time, v.description('When its state changed last.')),
    respondBy: v.pipe(time, v.description('Until when an answer is promised.')),
    history: v.pipe(
      v.array(v.strictObject({ status, at: time, note: v.optional(v.string()) })),
      v.description('Its states in order, with a note where the provider left one.'),
    ),
    notice: v.pipe(v.string(), v.description('What the receipt means in the present state.')),
  }),
  v.description('State of a lead, without contact or field values.'),
);

export type LeadState = v.InferOutput<typeof leadStatus>;

/** The lead behind every sandbox receipt: always the same, never stored. */
function sampleLead(site: Site): LeadState {
  const subsite =
    site.registry.subsites.find((other) => other.actions.length) ?? site.registry.subsites[0]!;
  const action = subsite.actions[0]?.verb ?? null;
  const createdAt = '2026-01-05T15:00:00.000Z';
  const from = new Date(createdAt);
  return {
    receiptToken: SANDBOX_TOKEN,
    subsite: subsite.name,
    action,
    status: 'acknowledged',
    statusUrl: statusUrl(site.base, SANDBOX_TOKEN),
    createdAt,
    updatedAt: hoursLater(from, 1),
    respondBy: hoursLater(from, leadTerms(site.registry, subsite, action).respondWithinHours),
    history: [
      { status: 'new', at: createdAt },
      {
        status: 'acknowledged',
        at: hoursLater(from, 1),
        note: 'A sample of what a provider writes.',
      },
    ],
    notice: noticeOf(site.registry, {
      subsite: subsite.name,
      action,
      status: 'acknowledged',
      reachable: true,
    }),
  };
}

const TOKEN = new RegExp(RECEIPT_TOKEN_PATTERN);

const prepare = ({ reader }: Database) =>
  reader
    .select({
      subsite: leads.subsite,
      action: leads.action,
      status: leads.status,
      createdAt: leads.createdAt,
      updatedAt: leads.updatedAt,
      respondBy: leads.respondBy,
      reachable: sql<number>`${leads.contactEmail} is not null or ${leads.contactPhone} is not null`,
      entry: leadHistory.status,
      at: leadHistory.at,
      note: leadHistory.note,
    })
    .from(leads)
    .leftJoin(leadHistory, eq(leadHistory.lead, leads.token))
    .where(eq(leads.token, sql.placeholder('receipt')))
    .orderBy(asc(leadHistory.id))
    .prepare();

const statements = new WeakMap<Database, ReturnType<typeof prepare>>();

function statementFor(database: Database): ReturnType<typeof prepare> {
  let statement = statements.get(database);
  if (!statement) statements.set(database, (statement = prepare(database)));
  return statement;
}

const unknown = () =>
  new Problem(
    'unknown_receipt',
    'No request has this receipt. Check that its address was copied whole.',
  );

const readState = keepBriefly(
  async (receipt: string, { site, database }: Context): Promise<LeadState> => {
    const rows = await statementFor(database).execute({ receipt });
    const [lead] = rows;
    if (!lead) throw unknown();
    if (lead.status === 'erased')
      throw new Problem('gone', 'This request was erased; nothing of it is kept.');
    const { subsite, action, createdAt, updatedAt, respondBy } = lead;
    return {
      receiptToken: receipt,
      subsite,
      action,
      status: lead.status as LeadStatus,
      statusUrl: statusUrl(site.base, receipt),
      createdAt,
      updatedAt,
      respondBy,
      history: rows.map(({ entry, at, note }) => ({
        status: entry as LeadStatus,
        at: at!,
        ...(note !== null && { note }),
      })),
      notice: noticeOf(site.registry, {
        subsite,
        action,
        status: lead.status as LeadStatus,
        reachable: Boolean(lead.reachable),
      }),
    };
  },
);

/** What became of a lead, for whoever holds its receipt. */
export const readLeadStatus = defineOperation<{ receipt: string }, LeadState>({
  name: 'read-lead-status',
  summary: 'Read the state of a lead',
  description:
    'The state and history of a lead, by the token of its receipt. It never shows a contact or a field value.',
  method: 'GET',
  path: '/api/lead/{receipt}',
  problems: ['unknown_receipt', 'gone'],

  describe: (site) => ({
    parameters: [
      {
        name: 'receipt',
        in: 'path',
        required: true,
        description: 'Token of the receipt; sandbox answers a fixed sample.',
        schema: { type: 'string', pattern: `${RECEIPT_TOKEN_PATTERN}|^${SANDBOX_TOKEN}$` },
        example: SANDBOX_TOKEN,
      },
    ],
    response: { $ref: '#/components/schemas/LeadStatus' },
    responseExample: sampleLead(site),
    components: { LeadStatus: jsonSchemaOf(leadStatus) },
  }),

  parse(value) {
    const { receipt } = value as { receipt: string };
    if (receipt !== SANDBOX_TOKEN && !TOKEN.test(receipt)) throw unknown();
    return { receipt };
  },

  async handle({ receipt }, _call, context) {
    return {
      output:
        receipt === SANDBOX_TOKEN ? sampleLead(context.site) : await readState(receipt, context),
      replayed: false,
    };
  },
});
