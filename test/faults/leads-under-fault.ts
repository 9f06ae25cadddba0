import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { onTestFinished } from 'vitest';

/** A lead to submit, with its receipt once acknowledged. */
export interface Intent {
  key: string;
  receipt?: string;
}

/** Creates a folder that is deleted after the test. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Submits a lead. Returns whether it was acknowledged and, if not, the status (0: no response). */
export async function submitLead(origin: string, intent: Intent): Promise<number> {
  const response = await fetch(`${origin}/api/lead/action`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': intent.key },
    body: JSON.stringify({
      subsite: 'bus',
      action: 'wish-for-a-book',
      fields: { book: intent.key },
    }),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => undefined);
  if (!response?.ok) return response?.status ?? 0;
  const body = (await response.json().catch(() => undefined)) as
    { receiptToken: string } | undefined;
  if (!body) return 0;
  intent.receipt = body.receiptToken;
  return 200;
}

/** Submits leads from several concurrent callers until stopped, and returns all of them. `started`
 * resolves after the first acknowledgment, or when all callers have failed.
 */
export function submitContinuously(
  origin: string,
  callers: number,
): { intents: Intent[]; started: Promise<unknown>; stop(): Promise<void> } {
  const intents: Intent[] = [];
  let isRunning = true;
  const first = Promise.withResolvers<void>();
  const caller = async () => {
    while (isRunning) {
      const intent: Intent = { key: randomUUID() };
      intents.push(intent);
      if ((await submitLead(origin, intent)) === 0) return;
      if (intent.receipt !== undefined) first.resolve();
    }
  };
  const allCallers = Promise.all(Array.from({ length: callers }, caller));
  return {
    intents,
    started: Promise.race([first.promise, allCallers]),
    async stop() {
      isRunning = false;
      await allCallers;
    },
  };
}

/** Stored receipts by key, read directly from the database file. */
export async function readStoredReceipts(file: string): Promise<Map<string, string[]>> {
  const client = createClient({ url: `file:${file}` });
  const { rows } = await client.execute(
    "SELECT token, json_extract(fields, '$.book') AS key FROM leads",
  );
  client.close();
  const receiptsByKey = new Map<string, string[]>();
  for (const { token, key } of rows)
    receiptsByKey.set(String(key), [...(receiptsByKey.get(String(key)) ?? []), String(token)]);
  return receiptsByKey;
}
