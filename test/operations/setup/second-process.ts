import { createContext } from '../../../src/server/create-context.ts';
import { submitAction } from '../../../src/leads/submit/submit-action.ts';
import { openDatabase } from '../../../db/index.ts';
import { loadRegistry } from '../../../src/registry/index.ts';

/**
 * Submits the same lead many times concurrently in a separate process, and prints one receipt per
 * line.
 */
const [url, body, times] = process.argv.slice(2) as [string, string, string];
const database = await openDatabase({ url });
const discard = () => undefined;
const site = {
  registry: loadRegistry('test/fixtures/network-of-four'),
  base: 'https://network.example',
  generatedAt: '2026-11-06T20:40:00.000Z',
  dynamic: true,
};
const context = {
  ...createContext({
    isCustomerEmailEnabled: false,
    site,
    database,
    log: { info: discard, warn: discard, error: discard },
  }),
  // On a busy machine the first call can be slow.
  repeatWaitMs: 60_000,
};
const input = submitAction.parse(JSON.parse(body), context);
const caller = { channel: 'json', idempotencyKey: 'shared-by-three-processes' } as const;
const outputs = await Promise.all(
  Array.from({ length: Number(times) }, () => submitAction.handle(input, caller, context)),
);
for (const { output } of outputs) process.stdout.write(`${JSON.stringify(output)}\n`);
await database.close();
