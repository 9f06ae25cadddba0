import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Budget uses, with one row for each budget that a write counts against. A row counts until it
 * expires; it is deleted soon afterward. Who used the budget is stored only as a keyed digest.
 */
export const budgetUses = sqliteTable(
  'budget_uses',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Name of the budget, from src/operation/budgets.ts. */
    budget: text('budget').notNull(),
    /**
     * Keyed digest of the contact, address or API key; `service` for a budget that all callers
     * share.
     */
    subject: text('subject').notNull(),
    /** Token of the row that was written, such as the token of a lead. */
    row: text('row').notNull(),
    /** When the row expires. */
    until: text('until').notNull(),
  },
  (table) => [
    index('budget_uses_subject').on(table.budget, table.subject, table.until),
    index('budget_uses_row').on(table.row),
    index('budget_uses_until').on(table.until),
  ],
);
