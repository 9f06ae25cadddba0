import { createContext } from '../../../src/server/create-context.ts';
import { submitAction } from '../../../src/leads/submit-action.ts';
import { openDatabase } from '../../../db/index.ts';
import { loadRegistry } from '../../../src/registry/index.ts';

/* A process of its own that submits the same lead many times at once and prints its receipts, one a line. */
const [url, body, times] = process.argv.slice(2) as [string, string, string];
const database = await openDatabase({ url });
const quiet = () => undefined;
const site = {
  registry: loadRegistry('registry'),
  base: 'https://network.example',
  generatedAt: '2026-11-06T20:40:00.000Z',
  dynamic: true,
};
const context = createContext({ site, database, log: { info: quiet, warn: quiet, error: quiet } });
const input = submitAction.parse(JSON.parse(body), context);
const outcomes = await Promise.all(
  Array.from({ length: Number(times) }, () =>
    submitAction.handle(
      input,
      { channel: 'json', idempotencyKey: 'shared-by-three-processes' },
      context,
    ),
  ),
);
for (const { output } of outcomes) process.stdout.write(`${JSON.stringify(output)}\n`);
await database.close();
