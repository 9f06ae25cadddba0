import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, openDatabase } from '../../db/index.ts';
import { authenticateKey } from '../../src/keys/authenticate-key.ts';
import type { ActiveKey } from '../../src/operation/operation.ts';
import type { Context } from '../../src/operation/context.ts';
import { createKey, creditKey } from '../../src/keys/keys.ts';
import type { Operation, Outcome } from '../../src/operation/operation.ts';
import { createContext } from '../../src/server/create-context.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import type { Site } from '../../src/site/site.ts';
import { openInFile } from '../operations/setup/fixture.ts';

/** The main network as a served site. */
export const site: Site = {
  registry: loadRegistry('registry'),
  base: 'http://localhost:4321',
  generatedAt: '2026-11-21T00:00:00.000Z',
  dynamic: true,
};

/** A log that discards everything. */
export const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A new database with a clock that only tests advance. */
export interface Fixture {
  context: Context;
  database: Database;
  url: string;
  /** Advances the clock, in ms. */
  advanceClock(ms: number): void;
  /** Reopens the database as another process would, with the same clock. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a fixture; `parts` are added to its context. */
export async function makeFixture(parts: Partial<Context> = {}): Promise<Fixture> {
  const { database, url } = await openInFile();
  let time = Date.parse('2026-11-21T09:00:00.000Z');
  const now = () => new Date(time);
  const createTestContext = (database: Database): Context => ({
    ...createContext({ isCustomerEmailEnabled: false, site, database, log: silentLog }),
    now,
    ...parts,
  });
  const fixture: Fixture = {
    database,
    context: createTestContext(database),
    url,
    advanceClock: (ms) => {
      time += ms;
    },
    async reopen() {
      await fixture.database.close();
      fixture.database = await openDatabase({ url, usesThread: false });
      fixture.context = createTestContext(fixture.database);
    },
    async close() {
      await fixture.database.close();
      rmSync(dirname(fileURLToPath(url)), { recursive: true });
    },
  };
  return fixture;
}

/** Creates an active key with optional credits as decimal text. */
export async function makeKey(
  fixture: Fixture,
  scopes: string[] = ['*'],
  credits?: string,
): Promise<ActiveKey & { secret: string }> {
  const { key, id } = await createKey(
    { name: 'Test agent', scopes, expiresAt: null },
    fixture.context,
  );
  if (credits) await creditKey(id, credits, fixture.context);
  return { ...(await authenticateKey(`Bearer ${key}`, fixture.context)), secret: key };
}

/** Runs an operation as its JSON endpoint does. */
export async function performOperation<Input, Output>(
  operation: Operation<Input, Output>,
  value: unknown,
  key: ActiveKey | undefined,
  fixture: Fixture,
  idempotencyKey?: string,
): Promise<Outcome<Output>> {
  const call = {
    channel: 'json' as const,
    ...(key && { key }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  return operation.handle(operation.parse(value, fixture.context), call, fixture.context);
}
