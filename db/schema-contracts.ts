import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The action contracts that the service has served, from which it lists the changes for callers
 * with an older one.
 */
export const contracts = sqliteTable('contracts', {
  /** `sha-256:` and the SHA-256 of the canonical JSON, hexadecimal. */
  digest: text('digest').primaryKey(),
  /** Canonical JSON (RFC 8785) of the contract, src/site/contract.ts. */
  contract: text('contract').notNull(),
  /** When it was first served. */
  servedAt: text('served_at').notNull(),
});
