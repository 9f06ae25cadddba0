import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The action contracts that the service has published, used to list the changes for callers with an
 * older contract.
 */
export const contracts = sqliteTable('contracts', {
  /** `sha-256:` and the SHA-256 of the canonical JSON, hexadecimal. */
  digest: text('digest').primaryKey(),
  /** Canonical JSON (RFC 8785) of the contract, src/site/contract.ts. */
  contract: text('contract').notNull(),
  /** When the contract was first published. */
  servedAt: text('served_at').notNull(),
});
