import type { Sqlite } from './sqlite.ts';

/**
 * Minimum ratio of the purge rate to the rate of plain SQL that changes the same columns in one
 * transaction. A rate in leads per second would measure the disk: each lead changes about five
 * pages (its row, indexes, history and event), each written twice, to the log and to the file, so
 * 30,000 leads a second would take 1.2 GB a second. After each write, a purge also pauses for as
 * long as the write took, so that others can write; the ratio is therefore at most one half.
 */
export const PURGE_SHARE = 0.33;

/**
 * Copies the log into the file and empties it. Otherwise the next measurement would include copying
 * what the benchmark itself wrote.
 */
const emptyLog = (driver: Sqlite) =>
  driver.exec('PRAGMA busy_timeout=5000; PRAGMA wal_checkpoint(TRUNCATE);');

/** Makes every fiftieth lead due for a purge, and closes the connection. */
export function markDue(driver: Sqlite, offset: number): void {
  driver.exec(
    `update leads set erase_at = '2020-01-01T00:00:00.000Z' where status <> 'erased' and token in (select token from leads where cast(substr(token, 2) as integer) % 50 = ${offset})`,
  );
  emptyLog(driver);
  driver.close();
}

/**
 * Makes the row changes of a purge with plain SQL in one durable transaction, copies the log into
 * the file and closes the connection. Returns the duration in seconds. Unlike a purge, it does not
 * look for lead data in other tables, and it blocks other writers.
 */
export function purgeWithPlainSql(driver: Sqlite): number {
  const startedAt = performance.now();
  driver.exec(`
    PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=0;
    BEGIN IMMEDIATE;
    CREATE TEMP TABLE due AS SELECT token, status FROM leads WHERE erase_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AND status <> 'erased';
    INSERT INTO outbox (id, kind, lead, payload, created_at, due_at)
      SELECT 'bare-' || token, 'lead.changed', token, json_object('from', status, 'to', 'erased', 'by', 'system', 'revision', 2), '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z' FROM due;
    INSERT INTO lead_history (lead, status, at, actor) SELECT token, 'erased', '2020-01-01T00:00:00.000Z', 'system' FROM due;
    UPDATE leads SET status = 'erased', source = 'erased', due_at = NULL, fields = NULL, data = NULL, contact_name = NULL, contact_email = NULL, contact_phone = NULL, updated_at = '2020-01-01T00:00:00.000Z'
      WHERE token IN (SELECT token FROM due);
    UPDATE deliveries SET due_at = NULL, outcome = 'erased'
      WHERE event IN (SELECT id FROM outbox WHERE lead IN (SELECT token FROM due)) AND sent_at IS NULL;
    COMMIT;
    PRAGMA wal_checkpoint(PASSIVE);
  `);
  const seconds = (performance.now() - startedAt) / 1000;
  emptyLog(driver);
  driver.close();
  return seconds;
}
