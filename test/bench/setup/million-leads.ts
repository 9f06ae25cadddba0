import { closeSync, fsyncSync, openSync } from 'node:fs';
import { openDatabase } from '../../../db/index.ts';
import { fileUrlOf } from '../../../db/connection.ts';
import { openSqlite } from './sqlite.ts';

/** Every nth lead is answered, is undelivered, or has an offer; these are the values of n. */
const oneOf = { answered: 2, offered: 10, undelivered: 3 } as const;

/** Share of the leads in one purge. */
export const DUE_SHARE = 0.05;

/**
 * Fills a new database with leads from one year, each with its history, event and delivery. The
 * oldest are past their retention period. SQLite generates the rows and indexes them at the end,
 * which takes a minute for a million leads. As in the service, tokens and IDs sort by time, and
 * contacts are in random order.
 */
export async function fillWithLeads(
  path: string,
  count: number,
  subsites: readonly { name: string; leadSource: string; actions: readonly string[] }[],
): Promise<void> {
  await (await openDatabase({ url: fileUrlOf(path) })).close();
  const driver = openSqlite(path);
  try {
    driver.exec('PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF; PRAGMA cache_size=-400000');
    const indexes = driver
      .prepare(
        "select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in ('leads', 'lead_history', 'offers', 'outbox', 'deliveries')",
      )
      .raw()
      .all([]) as [string, string][];
    const values = subsites.map(
      ({ name, leadSource, actions }, index) =>
        `(${index}, '${name}', '${leadSource}', ${actions[0] ? `'${actions[0]}'` : 'null'})`,
    );
    const day = (expression: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${expression})`;
    const createdAt = `julianday('now', '-364 days') + n * 363.0 / ${count}`;
    // A different number for each n, in random order.
    const scatteredNumber = 'n * 2654435761 % 4294967296';
    driver.exec('BEGIN');
    for (const [name] of indexes) driver.exec(`DROP INDEX "${name}"`);
    driver.exec(`
      CREATE TEMP TABLE site (number integer primary key, name text, source text, action text);
      INSERT INTO site VALUES ${values.join(', ')};
      CREATE TEMP TABLE numbers AS WITH RECURSIVE counting(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counting WHERE n < ${count - 1}) SELECT n FROM counting;
      INSERT INTO leads (token, subsite, action, source, channel, status, fields, data, contact_name, contact_email, contact_phone, suspicions, created_at, updated_at, respond_by, due_at, answered_ms, retention_days, erase_at)
        SELECT printf('L%020d', n), name, action, source, 'json',
          CASE WHEN n % ${oneOf.answered} = 0 THEN 'acknowledged' ELSE 'new' END,
          json_object('zip', printf('%05d', n % 99999), 'notes', 'Runs but does not cool, since the storm of Tuesday night.'), NULL,
          'Dana Reyes ' || n, printf('%08x@example.com', ${scatteredNumber}), printf('+1%010d', ${scatteredNumber}), '[]',
          ${day(createdAt)}, ${day(createdAt)}, ${day("'now', '+30 days'")},
          CASE WHEN n % ${oneOf.answered} = 0 THEN NULL ELSE ${day("'now', '+30 days'")} END,
          CASE WHEN n % ${oneOf.answered} = 0 THEN 60000 + (n * 7919) % 86000000 END,
          90, ${day(`CASE WHEN n < ${count * DUE_SHARE} THEN julianday('now', '-1 day') ELSE julianday('now', '+90 days') END`)}
        FROM numbers JOIN site ON site.number = n % ${values.length};
      INSERT INTO lead_history (lead, status, at, actor, note)
        SELECT token, step.value, created_at, iif(step.value = 'new', 'person', 'provider'),
          iif(step.value = 'new', NULL, 'Thank you. We can come on Thursday between 9 and 12.')
        FROM leads, json_each(iif(status = 'new', '["new"]', json_array('new', status))) AS step
        ORDER BY token, step.key;
      INSERT INTO offers (entry, id, lead, amount, currency, payer, description, expires_at, confirm_on_accept)
        SELECT id, printf('R%015d', id), lead, '450.00', 'USD', 'person', 'Parts and labor.', at, 0
        FROM lead_history WHERE status <> 'new' AND cast(substr(lead, 2) AS integer) % ${oneOf.offered} = 0;
      INSERT INTO outbox (id, kind, lead, payload, created_at, due_at)
        SELECT printf('R%015d', n), 'lead.created', printf('L%020d', n), '{}', ${day(createdAt)}, NULL FROM numbers;
      INSERT INTO deliveries (event, channel, lead, created_at, attempts, due_at, sent_at, outcome)
        SELECT id, 'mail', lead, created_at, 1, NULL,
          CASE WHEN rowid % ${oneOf.undelivered} = 0 THEN NULL ELSE created_at END,
          CASE WHEN rowid % ${oneOf.undelivered} = 0 THEN 'no_address' ELSE 'sent' END FROM outbox;
    `);
    for (const [, sql] of indexes) driver.exec(sql);
    driver.exec('COMMIT; DROP TABLE numbers; DROP TABLE site; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    driver.close();
  }
  // Otherwise, the system would write the file to disk during the first measurements.
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
