import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { keyColumn } from './schema-capabilities.ts';

/*
 * A2A tasks, without personal data: message content, and the state of a task that has created a
 * lead, are stored only with the lead.
 */

/** One A2A task; anyone who knows its ID may read it. */
export const a2aTasks = sqliteTable(
  'a2a_tasks',
  {
    /** 122 random bits, because the ID is the only credential. */
    id: text('id').primaryKey(),
    /** The task as A2A 1.0 JSON, with its messages but without their content. */
    task: text('task', { mode: 'json' }).$type<unknown>().notNull(),
    /**
     * Context ID that callers use to list the tasks in the context; null if the ID is guessable.
     */
    contextId: text('context_id'),
    /** Token of the task's lead, for erasures; null until the lead exists, and in the sandbox. */
    lead: text('lead'),
    updatedAt: text('updated_at').notNull(),
    /**
     * When the task ended or created its lead, after which this row does not change. Null while the
     * task waits for its caller.
     */
    endedAt: text('ended_at'),
    /** When the task is to be deleted; a date far in the future if it is deleted with its lead. */
    eraseAt: text('erase_at').notNull(),
  },
  (table) => [
    index('a2a_tasks_lead').on(table.lead),
    index('a2a_tasks_context').on(table.contextId),
    index('a2a_tasks_erase').on(table.eraseAt),
  ],
);

/** Push notification configurations of a task; deleted with the task. */
export const a2aPushConfigs = sqliteTable(
  'a2a_push_configs',
  {
    /**
     * Derived from the task, the key and the client's ID so that setting the configuration again
     * replaces it.
     */
    id: text('id').primaryKey(),
    /** ID of the task. */
    task: text('task').notNull(),
    /** The key that set the configuration; its secret signs the notifications. */
    key: keyColumn(),
    /** The configuration as A2A 1.0 JSON, including its credentials. */
    config: text('config', { mode: 'json' }).$type<unknown>().notNull(),
    /** A2A version of the notifications: 1.0 or 0.3. */
    version: text('version').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [index('a2a_push_configs_task').on(table.task)],
);
