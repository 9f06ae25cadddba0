import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/*
 * Keys, quotes, tasks and credits. Amounts are whole minor units (cents). Times are ISO 8601 in UTC
 * with milliseconds. Enum columns that may get new values (status, kind) have no CHECK constraint.
 */

/** Bearer keys. The secret itself is shown once and never stored. */
export const keys = sqliteTable('keys', {
  /** Public part of the key, which identifies it in commands and logs. */
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** SHA-256 of the secret part, hexadecimal. */
  hash: text('hash').notNull(),
  /** Standard Webhooks secret that signs callbacks; null without the callbacks scope. */
  callbackSecret: text('callback_secret'),
  /** Capability IDs or globs. */
  scopes: text('scopes', { mode: 'json' }).$type<string[]>().notNull(),
  createdAt: text('created_at').notNull(),
  /** When the key expires; null if never. */
  expiresAt: text('expires_at'),
  revokedAt: text('revoked_at'),
  /** Updated at most once a minute. */
  lastUsedAt: text('last_used_at'),
});

/** A column that refers to a key. */
export const keyColumn = () =>
  text('key')
    .notNull()
    .references(() => keys.id);

/** Quotes, each for one capability and one exact input. */
export const quotes = sqliteTable(
  'quotes',
  {
    id: text('id').primaryKey(),
    key: keyColumn(),
    capability: text('capability').notNull(),
    /** SHA-256 of the canonical validated input (RFC 8785), hexadecimal. */
    inputDigest: text('input_digest').notNull(),
    currency: text('currency').notNull(),
    amount: integer('amount').notNull(),
    breakdown: text('breakdown', { mode: 'json' })
      .$type<{ label: string; amount: number }[]>()
      .notNull(),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [index('quotes_expires').on(table.expiresAt)],
);

/** Runs of capabilities. */
export const tasks = sqliteTable(
  'tasks',
  {
    id: text('id').primaryKey(),
    key: keyColumn(),
    capability: text('capability').notNull(),
    inputDigest: text('input_digest').notNull(),
    /** Personal: the validated input; null once the task has ended. */
    input: text('input', { mode: 'json' }).$type<Record<string, unknown>>(),
    /** The accepted quote, which no other task can accept; null if it was released. */
    quote: text('quote').references(() => quotes.id),
    /** Maximum price accepted by the caller; null if free. */
    maxAmount: integer('max_amount'),
    currency: text('currency').notNull(),
    /** The price, charged when the task completes. */
    amount: integer('amount').notNull(),
    /** State: submitted, working, input_required, completed, failed, canceled, rejected. */
    status: text('status', {
      enum: [
        'submitted',
        'working',
        'input_required',
        'completed',
        'failed',
        'canceled',
        'rejected',
      ],
    }).notNull(),
    /** The result; null before the task completes and after resultUntil. */
    result: text('result', { mode: 'json' }).$type<Record<string, unknown>>(),
    error: text('error', { mode: 'json' }).$type<{ code: string; detail: string }>(),
    /** Receipt of a completed task, kept indefinitely. */
    receipt: text('receipt', { mode: 'json' }).$type<Record<string, unknown>>(),
    /**
     * Personal: the caller’s idempotency key, passed on to the effect; null once the task has
     * ended.
     */
    idempotencyKey: text('idempotency_key'),
    /** The provider’s job ID. */
    job: text('job'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    endedAt: text('ended_at'),
    /** When the next step is due; null once the task has ended. */
    dueAt: text('due_at'),
    /** When the task times out. */
    deadline: text('deadline').notNull(),
    /** The process that is working on the task, and the end of its lease. */
    leaseOwner: text('lease_owner'),
    leaseUntil: text('lease_until'),
    /** Number of consecutive failed attempts to reach the provider. */
    attempts: integer('attempts').notNull().default(0),
    /** When the result is to be deleted. */
    resultUntil: text('result_until'),
  },
  (table) => [
    uniqueIndex('tasks_quote').on(table.quote),
    index('tasks_due').on(table.dueAt),
    index('tasks_key').on(table.key, table.createdAt),
    index('tasks_result').on(table.resultUntil),
    // Finds tasks that returned an erased lead.
    index('tasks_lead')
      .on(sql`result ->> '$.receiptToken'`)
      .where(sql`result is not null`),
  ],
);

/**
 * Credits in double-entry bookkeeping: each transfer is two entries whose amounts sum to zero.
 * Append-only. The accounts are `issued`, `revenue` and, for each key, `available:<id>` and
 * `reserved:<id>`, which never go below zero.
 */
export const ledgerEntries = sqliteTable(
  'ledger_entries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Unique name of the transfer: `credit:<id>`, `reserve:<task>` or `settle:<task>`. */
    transfer: text('transfer').notNull(),
    account: text('account').notNull(),
    /** Positive for a transfer into the account, negative for a transfer out of it. */
    amount: integer('amount').notNull(),
    /** Balance of the account after this entry. */
    balance: integer('balance').notNull(),
    currency: text('currency').notNull(),
    at: text('at').notNull(),
  },
  (table) => [
    uniqueIndex('ledger_once').on(table.transfer, table.account),
    index('ledger_account').on(table.account, table.id),
  ],
);

/** Questions that the network could not answer. */
export const demand = sqliteTable(
  'demand',
  {
    id: text('id').primaryKey(),
    /**
     * Significant words of the question, sorted so that questions with the same words have the same
     * topic.
     */
    topic: text('topic').notNull(),
    /** Personal: the question as asked; deleted at `eraseAt`. */
    question: text('question').notNull(),
    at: text('at').notNull(),
    eraseAt: text('erase_at').notNull(),
  },
  (table) => [
    index('demand_topic').on(table.topic, table.at),
    index('demand_erase').on(table.eraseAt),
  ],
);
