import { expect } from 'vitest';
import { ledgerEntries, tasks } from '../../db/schema-capabilities.ts';
import { reservedAccountOf } from '../../src/capabilities/ledger.ts';
import { runningStates } from '../../src/capabilities/task-record.ts';
import type { Fixture } from './fixture.ts';

/** Checks invariants of credits and tasks that must always hold. */
export async function expectBalancedAccounts({ database }: Fixture): Promise<void> {
  // A single batch, because a worker may be writing.
  const [entries, rows] = await database.writer.batch([
    database.writer.select().from(ledgerEntries).orderBy(ledgerEntries.id),
    database.writer.select().from(tasks),
  ]);
  const balances = new Map<string, number>();
  const transfers = new Map<string, { sum: number; entries: number }>();
  for (const { account, amount, balance, transfer } of entries) {
    balances.set(account, (balances.get(account) ?? 0) + amount);
    expect(balance, 'the running balance of an account').toBe(balances.get(account));
    if (account !== 'issued')
      expect(balance, `the balance of ${account}`).toBeGreaterThanOrEqual(0);
    const { sum, entries: count } = transfers.get(transfer) ?? { sum: 0, entries: 0 };
    transfers.set(transfer, { sum: sum + amount, entries: count + 1 });
  }
  for (const [transfer, sums] of transfers) expect(sums, transfer).toEqual({ sum: 0, entries: 2 });
  expect([...balances.values()].reduce((sum, balance) => sum + balance, 0)).toBe(0);

  const sumAmounts = (states: readonly string[]) =>
    rows
      .filter(({ status }) => states.includes(status))
      .reduce((sum, { amount }) => sum + amount, 0);
  expect(balances.get('revenue') ?? 0, 'charges match completed tasks').toBe(
    sumAmounts(['completed']),
  );
  for (const key of new Set(rows.map((row) => row.key))) {
    const runningTasks = rows.filter(
      (row) => row.key === key && runningStates.includes(row.status as never),
    );
    expect(balances.get(reservedAccountOf(key)) ?? 0, 'reservations match running tasks').toBe(
      runningTasks.reduce((sum, { amount }) => sum + amount, 0),
    );
  }
  for (const row of rows) {
    if (row.status === 'completed' && row.maxAmount !== null)
      expect(row.amount, 'the accepted maximum').toBeLessThanOrEqual(row.maxAmount);
    expect(row.dueAt === null, `the due time of a ${row.status} task`).toBe(row.endedAt !== null);
    if (row.endedAt !== null) expect(row.input, 'the input of an ended task').toBeNull();
  }
}
