import { queryValue, type Sqlite } from './sqlite.ts';

/**
 * Minimum speed of a purge of the oldest leads, relative to plain SQL that changes the same columns
 * in one transaction. A purge also looks for lead data in other tables, commits every 25 ms and
 * pauses for other writers. Beside a running server, it reaches 0.30 to 0.36.
 */
export const MIN_PURGE_RATIO = 0.25;

/**
 * Minimum rate of a purge of the oldest leads, in leads per second. The limit is the CPU time of
 * SQLite: a lead changes about 20 rows and index entries, which take about 30 µs of one core, and
 * SQLite writes with only one. An idle machine reaches 30,000 leads a second; the server and the
 * probe next to the purge use some of its cores.
 */
export const MIN_PURGED_PER_SECOND = 10_000;

/**
 * Copies the log into the file and empties the log. Otherwise the next measurement would include
 * copying what the benchmark itself wrote.
 */
const truncateWal = (driver: Sqlite) =>
  driver.exec('PRAGMA busy_timeout=5000; PRAGMA wal_checkpoint(TRUNCATE);');

/**
 * Which leads are due for a purge. In the service, the oldest leads come first, and their rows are
 * adjacent; `scattered`, every fiftieth lead, is the worst case.
 */
export type DueLeadSelection = { fromShare: number; toShare: number } | 'scattered';

/** Makes some of `count` leads due for a purge, and closes the connection. */
export function markLeadsDue(driver: Sqlite, count: number, due: DueLeadSelection): void {
  const number = 'cast(substr(token, 2) as integer)';
  const condition =
    due === 'scattered'
      ? `${number} % 50 = 1`
      : `${number} >= ${due.fromShare * count} and ${number} < ${due.toShare * count}`;
  driver.exec(
    `update leads set erase_at = '2020-01-01T00:00:00.000Z' where status <> 'erased' and token like 'L%' and ${condition}`,
  );
  truncateWal(driver);
  driver.close();
}

/** Number of leads that are due for a purge. */
export const countDueLeads = (path: string) =>
  Number(
    queryValue(
      path,
      "select count(*) from leads where erase_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now') and status <> 'erased'",
    ),
  );

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
      WHERE lead IN (SELECT token FROM due) AND sent_at IS NULL;
    UPDATE lead_history SET note = NULL WHERE lead IN (SELECT token FROM due) AND note IS NOT NULL;
    DELETE FROM offers WHERE lead IN (SELECT token FROM due);
    COMMIT;
    PRAGMA wal_checkpoint(PASSIVE);
  `);
  const seconds = (performance.now() - startedAt) / 1000;
  truncateWal(driver);
  driver.close();
  return seconds;
}
