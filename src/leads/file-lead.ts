import type { SQL } from 'drizzle-orm';
import { callbacks } from '../../db/schema-deliveries.ts';
import { kindOf } from '../fields/fields.ts';
import { insertWhere } from '../operation/statements.ts';
import { callbackKeyOf } from './callback.ts';
import type { Action } from '../registry/action.ts';
import { findAction, findSubsite } from '../site/registry.ts';
import type { Context } from '../operation/context.ts';
import { planEffect } from './effects/index.ts';
import type { EffectPlan } from './effects/effect.ts';
import { type Intent, once, recall, remembering } from '../operation/idempotency.ts';
import { requireContract } from './contracts.ts';
import { digestOf, type LeadInput } from './lead-input.ts';
import { leadStatements } from './lead-rows.ts';
import type { Call, Outcome } from '../operation/operation.ts';
import { withProof } from './proof.ts';
import { leadTerms, receipt, type Receipt } from './receipt.ts';
import { daysLater, hoursLater } from '../operation/later.ts';
import { suspicionsOf } from './suspicion.ts';
import { SANDBOX_TOKEN } from '../operation/tokens.ts';

/** Hours within which a second lead of the same person for the same action is linked to the first. */
const REPEAT_HOURS = 24;
/** Times that a write is planned anew after another one took its place. */
const TRIES = 5;

const noEffect: EffectPlan = {
  extra: {},
  guards: [],
  rows: () => [],
  refusal: async () => 'again',
};

/** Who the lead is about, from the contact and, where that is silent, from fields of these kinds; and every mail address that was given. */
function personOf(
  { contact, fields }: LeadInput,
  action: Action | undefined,
): { email: string | null; phone: string | null; addresses: string[] } {
  const given = (reach: 'email' | 'phone') =>
    [
      contact[reach],
      ...Object.entries(action?.fields ?? {}).map(([name, field]) =>
        kindOf(field).reach === reach ? fields[name] : undefined,
      ),
    ].flatMap((value) => (value === undefined ? [] : [String(value)]));
  const addresses = given('email');
  return {
    email: addresses[0]?.toLowerCase() ?? null,
    phone: given('phone')[0] ?? null,
    addresses,
  };
}

interface Filing {
  input: LeadInput;
  call: Call;
  context: Context;
  intent: Intent | undefined;
  /** Key of the program that is called at each change. */
  caller: string | undefined;
  fieldsAt: readonly string[];
}

/** One attempt. `undefined` when another write took this one’s place and it is to be planned anew. */
async function attempt({
  input,
  call,
  context,
  intent,
  caller,
  fieldsAt,
}: Filing): Promise<Outcome<Receipt> | undefined> {
  const { site, database, tokens } = context;
  const now = context.now();
  const createdAt = now.toISOString();
  const token = input.sandbox ? SANDBOX_TOKEN : tokens.receipt(now);
  const subsite = findSubsite(site.registry, input.subsite)!;
  const action = input.action === null ? undefined : findAction(subsite, input.action)!;
  const person = personOf(input, action);
  const written = {
    source: input.source,
    fields: input.fields,
    data: input.data,
    contactName: input.contact.name ?? null,
    contactEmail: person.email,
    contactPhone: person.phone,
  };
  const plan = action?.effect
    ? await planEffect({
        effect: action.effect,
        input,
        written,
        call,
        subsite,
        action,
        token,
        now,
        context,
        fieldsAt,
      })
    : noEffect;
  const reachable = person.email !== null || person.phone !== null;
  const answer = receipt(site, { ...input, reachable }, token, createdAt, plan.extra);
  if (input.sandbox) {
    const refusal = await plan.refusal();
    // A trial of an import counts what is known; for others the sandbox is empty.
    return { output: answer, replayed: call.door === 'import' && refusal !== 'again' };
  }

  const { respondWithinHours, retentionDays } = leadTerms(site.registry, subsite, input.action);
  const lead = {
    token,
    subsite: input.subsite,
    action: input.action,
    ...written,
    door: call.door,
    status: answer.status,
    suspicions: suspicionsOf({ honeypot: call.suspected === true, addresses: person.addresses }),
    importKey: plan.importKey ?? null,
    notify: input.notify ?? true,
    createdAt,
    updatedAt: createdAt,
    respondBy: hoursLater(now, respondWithinHours),
    retentionDays,
    eraseAt: daysLater(now, retentionDays),
  };
  const called = (made: SQL) =>
    input.callback && caller
      ? [insertWhere(callbacks, { lead: token, url: input.callback.url, key: caller }, made)]
      : [];
  const statements = leadStatements(
    {
      lead,
      repeatsSince: hoursLater(now, -REPEAT_HOURS),
      eventId: tokens.event(now),
      remembered: intent && remembering(intent, token, answer, now),
    },
    plan === noEffect && !caller
      ? undefined
      : { ...plan, rows: (made) => [...plan.rows(made), ...called(made)] },
  );
  const [first] = await database.writer.$client.batch(statements, 'write');
  if (first!.rowsAffected > 0) return { output: answer, replayed: false };

  const earlier = intent && (await recall<Receipt>(intent, context));
  if (earlier) return earlier;
  const refusal = await plan.refusal();
  if (refusal === 'again') return undefined;
  return {
    output: receipt(site, { ...input, reachable }, refusal.existing, refusal.createdAt, plan.extra),
    replayed: true,
  };
}

/**
 * Writes a validated lead with its history, its outbox entry, its effect’s rows and its idempotency record, all or none.
 * `fieldsAt` says where the fields stand in the caller’s body, for the pointers of a refusal.
 * A repeat has the first answer, also where the contract of its action has changed since.
 * @throws {Problem} contract_changed; unauthorized or insufficient_scope where a callback comes without a key for it; invalid_input, conflict, budget_exceeded, idempotency_mismatch or gone when an effect refuses; idempotency_mismatch; in_flight
 * @throws {DatabaseUnavailable}
 */
export async function fileLead(
  input: LeadInput,
  call: Call,
  context: Context,
  fieldsAt: readonly string[] = ['fields'],
): Promise<Outcome<Receipt>> {
  const { idempotencyKey: key } = call;
  const { contract, ...asked } = input;
  const caller = input.callback && (await callbackKeyOf(call));
  const intent =
    key === undefined || input.sandbox
      ? undefined
      : { scope: 'lead', key, digest: digestOf(asked) };
  const { output, ...outcome } = await once(intent, context, async () => {
    if (contract !== undefined || call.contracts) {
      const earlier = intent && (await recall<Receipt>(intent, context));
      if (earlier) return earlier;
      await requireContract(input, call, context);
    }
    for (let tries = 0; tries < TRIES; tries++) {
      const outcome = await attempt({ input, call, context, intent, caller, fieldsAt });
      if (outcome) return outcome;
    }
    throw new Error('A lead found its place taken each time that it was planned.');
  });
  return { ...outcome, output: await withProof(output, context) };
}
