import { sql, type SQL } from 'drizzle-orm';
import { ledgerEntries, tasks } from '../../db/schema-capabilities.ts';
import type { Database } from '../../db/index.ts';
import { CURRENCY } from '../site/prices/currency.ts';
import { insertWhere } from '../operation/statements.ts';

/**
 * Ledger accounts. The balances of a key's accounts never go below zero; credits come from `issued`
 * and go to `revenue`.
 */
export const ISSUED_ACCOUNT = 'issued';
const REVENUE_ACCOUNT = 'revenue';
export const availableAccountOf = (key: string): string => `available:${key}`;
export const reservedAccountOf = (key: string): string => `reserved:${key}`;

const balanceOf = (account: string): SQL =>
  sql`coalesce((select balance from ${ledgerEntries} where account = ${account} order by id desc limit 1), 0)`;

export const hasTransfer = (transfer: string): SQL =>
  sql`exists (select 1 from ${ledgerEntries} where transfer = ${transfer})`;

interface Transfer {
  /** Unique name of the transfer, which therefore happens only once. */
  transfer: string;
  from: string;
  to: string;
  /** Amount in minor units, above zero. */
  amount: number;
  at: string;
}

/**
 * The two entries of a transfer, to write in one batch. Both are written if `condition` holds, the
 * balance is sufficient, and the transfer does not exist yet; otherwise neither is. The condition
 * must not depend on the entries themselves.
 */
export function createTransferEntries(
  { transfer, from, to, amount, at }: Transfer,
  condition: SQL,
): [SQL, SQL] {
  const createEntry = (account: string, change: number) => ({
    transfer,
    account,
    amount: change,
    balance: sql`${balanceOf(account)} + ${change}`,
    currency: CURRENCY,
    at,
  });
  const isCovered = from === ISSUED_ACCOUNT ? sql`true` : sql`${balanceOf(from)} >= ${amount}`;
  return [
    insertWhere(
      ledgerEntries,
      createEntry(from, -amount),
      sql`(${condition}) and ${isCovered} and not ${hasTransfer(transfer)}`,
    ),
    insertWhere(
      ledgerEntries,
      createEntry(to, amount),
      sql`(${condition}) and ${hasTransfer(transfer)} and not exists (select 1 from ${ledgerEntries} where transfer = ${transfer} and amount > 0)`,
    ),
  ];
}

export const reservationIdOf = (task: string): string => `reserve:${task}`;

/**
 * Settles a finished task: the reserved credits go to revenue if it completed, otherwise back to
 * its key. Both transfers have the same name, so only one of them ever happens.
 */
export function settleTask(
  { id, key, amount }: { id: string; key: string; amount: number },
  time: string,
): SQL[] {
  if (amount === 0) return [];
  const transferTo = (to: string, states: string) =>
    createTransferEntries(
      { transfer: `settle:${id}`, from: reservedAccountOf(key), to, amount, at: time },
      sql`${hasTransfer(reservationIdOf(id))} and exists (select 1 from ${tasks} where id = ${id} and status in (${sql.raw(states)}))`,
    );
  return [
    ...transferTo(REVENUE_ACCOUNT, `'completed'`),
    ...transferTo(availableAccountOf(key), `'failed', 'canceled'`),
  ];
}

/** A key's credits in minor units, read from the primary. */
export const readCredits = (
  key: string,
  { writer }: Database,
): Promise<{ available: number; reserved: number }> =>
  writer.get(
    sql`select ${balanceOf(availableAccountOf(key))} as available, ${balanceOf(reservedAccountOf(key))} as reserved`,
  );
