import { inArray } from 'drizzle-orm';
import * as v from 'valibot';
import { contracts } from '../../../db/schema-contracts.ts';
import { compareContracts } from '../../registry/compare/compare-contract.ts';
import {
  CONTRACT_PATTERN,
  type Contract,
  digestContract,
  contractOf,
  serializeContract,
} from '../../site/contract.ts';
import { actionOf, findSubsite } from '../../site/registry.ts';
import type { Context } from '../../operation/context.ts';
import { type Call, headerParameter } from '../../operation/operation.ts';
import { Problem } from '../../operation/problem.ts';
import { withExpectation } from '../../operation/validate.ts';

const BATCH_SIZE = 200;

/** Body member for the contract of the action that the caller has read. */
export const contractSchema = v.pipe(
  v.string(),
  v.regex(new RegExp(CONTRACT_PATTERN)),
  withExpectation(
    'Send the contract from the action’s record: sha-256: followed by 64 hexadecimal digits.',
  ),
  v.description(
    'contract of the action as you read it. If the action has changed since, the request is rejected with the changes.',
  ),
);

/** The header that corresponds to the body member `contract`. */
export const contractParameter = headerParameter(
  'If-Match',
  'The contract of the action in quotes, instead of contract in the body.',
);

/** Stores the current contracts of a site. */
export async function storeContracts({ site, database, now }: Context): Promise<void> {
  const rows = await database.writer.select({ digest: contracts.digest }).from(contracts);
  const knownDigests = new Set(rows.map(({ digest }) => digest));
  const servedAt = now().toISOString();
  const newRows = site.registry.subsites.flatMap((subsite) =>
    subsite.actions.flatMap((action) => {
      const digest = digestContract(subsite, action);
      if (knownDigests.has(digest)) return [];
      return [{ digest, contract: serializeContract(contractOf(subsite, action)), servedAt }];
    }),
  );
  for (let first = 0; first < newRows.length; first += BATCH_SIZE)
    await database.writer
      .insert(contracts)
      .values(newRows.slice(first, first + BATCH_SIZE))
      .onConflictDoNothing();
}

const UNKNOWN_CONTRACT_REASON = 'This service does not recognize the submitted contract.';

/**
 * The stored contracts with these digests; digests that this service never published are ignored.
 */
async function readContracts(
  digests: readonly string[],
  { database }: Context,
): Promise<Contract[]> {
  const rows = await database.reader
    .select({ contract: contracts.contract })
    .from(contracts)
    .where(inArray(contracts.digest, digests.slice(0, BATCH_SIZE)));
  return rows.map(({ contract }) => JSON.parse(contract) as Contract);
}

const isSameAction = (first: Contract, second: Contract): boolean =>
  first.subsite === second.subsite && first.verb === second.verb;

/**
 * Explains how the submitted contracts differ from the current one: a reason and, if this service
 * published one of them, one sentence per change. An earlier contract of the same action takes
 * precedence over other contracts that If-Match lists.
 */
function explainDifference(
  submitted: readonly Contract[],
  current: Contract,
): { reason: string; changes?: string[] } {
  const earlier = submitted.find((contract) => isSameAction(contract, current));
  if (earlier)
    return {
      reason: `The action ${current.verb} has changed since its contract was read.`,
      changes: compareContracts(earlier, current),
    };
  const [other] = submitted;
  if (!other) return { reason: UNKNOWN_CONTRACT_REASON };
  const reason = `The submitted contract belongs to ${other.subsite}.${other.verb}.`;
  return { reason, changes: [reason] };
}

/**
 * Rejects a request with an outdated contract in the body or in If-Match. @throws {Problem}
 * contract_changed, with the changes
 */
export async function requireContract(
  { contract, ...named }: { subsite?: string; action: string | null; contract?: string },
  { contracts: headerContracts }: Pick<Call, 'contracts'>,
  context: Context,
): Promise<void> {
  const { registry, base } = context.site;
  const subsite = findSubsite(registry, named.subsite ?? '');
  const action = subsite && actionOf(registry, { ...named, subsite: subsite.name });
  const current = subsite && action && contractOf(subsite, action);
  const digest = subsite && action && digestContract(subsite, action);
  for (const accepted of [contract !== undefined && [contract], headerContracts]) {
    if (!accepted || (digest !== undefined && accepted.includes(digest))) continue;
    if (!current || digest === undefined)
      throw new Problem('contract_changed', 'Omit contract: this request names no action.', {
        changes: ['This request names no action, and only actions have contracts.'],
      });
    const manifest = `${base}/api/agent/${current.subsite}`;
    const { reason, changes } = explainDifference(await readContracts(accepted, context), current);
    throw new Problem(
      'contract_changed',
      `${reason} The contract of ${current.verb} is now ${digest}. Read ${manifest}, and send the request again with that contract if you accept its terms.`,
      {
        ...(changes && { changes }),
        current: { contract: digest, manifest },
      },
    );
  }
}
