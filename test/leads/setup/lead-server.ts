import { once } from 'node:events';
import { openDatabase } from '../../../db/index.ts';
import { submitAction } from '../../../src/leads/submit/submit-action.ts';
import { createContext } from '../../../src/server/create-context.ts';
import { loadRegistry } from '../../../src/registry/index.ts';

/**
 * Submits a lead, prints its token, and keeps the database open like a server until the end of
 * input.
 */
const [url, body] = process.argv.slice(2) as [string, string];
const discard = () => undefined;
const site = {
  registry: loadRegistry(process.env['REGISTRY_DIR']!),
  base: 'https://network.example',
  generatedAt: '2026-11-06T20:40:00.000Z',
  dynamic: true,
};
const database = await openDatabase({ url });
const context = createContext({
  isCustomerEmailEnabled: false,
  site,
  database,
  log: { info: discard, warn: discard, error: discard },
});
const { output } = await submitAction.handle(
  submitAction.parse(JSON.parse(body), context),
  { channel: 'json' },
  context,
);
process.stdout.write(`${output.receiptToken}\n`);
await once(process.stdin.resume(), 'end');
await database.close();
