import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { keys } from './schema-capabilities.ts';

/*
 * Tasks of A2A. They hold no personal data: what a message says goes into the lead alone, and so
 * does the state of a task that filed one.
 */

/** One A2A task as its caller reads it later; anyone who knows its id may read it. */
export const a2aTasks = sqliteTable(
  'a2a_tasks',
  {
    /** 122 random bits: the id is the only credential. */
    id: text('id').primaryKey(),
    /** The task as A2A 1.0 writes it in JSON, its messages without their content. */
    task: text('task', { mode: 'json' }).$type<unknown>().notNull(),
    /**
     * Its context, where that is an id which cannot be guessed, so that its tasks may be listed.
     */
    contextId: text('context_id'),
    /**
     * Token of the lead that it filed, by which an erase finds it; null until there is one, and in
     * the sandbox.
     */
    lead: text('lead'),
    updatedAt: text('updated_at').notNull(),
    /**
     * When it ended or filed its lead, after which this row does not change; null while it waits
     * for its caller.
     */
    endedAt: text('ended_at'),
    /** When it is removed; a date in the far future where it is removed with its lead. */
    eraseAt: text('erase_at').notNull(),
  },
  (table) => [
    index('a2a_tasks_lead').on(table.lead),
    index('a2a_tasks_context').on(table.contextId),
    index('a2a_tasks_erase').on(table.eraseAt),
  ],
);

/** Where changes of the lead of a task are posted; removed with the task. */
export const a2aPushConfigs = sqliteTable(
  'a2a_push_configs',
  {
    /**
     * Derived from the task, the key and the id that the client gave it: setting it again replaces
     * it.
     */
    id: text('id').primaryKey(),
    /** Id of the task. */
    task: text('task').notNull(),
    /** The key that set it, whose secret signs what is posted. */
    key: text('key')
      .notNull()
      .references(() => keys.id),
    /** The configuration as A2A 1.0 writes it in JSON, with the credentials that it names. */
    config: text('config', { mode: 'json' }).$type<unknown>().notNull(),
    /** Version of A2A that is posted: 1.0 or 0.3. */
    version: text('version').notNull(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [index('a2a_push_configs_task').on(table.task)],
);
