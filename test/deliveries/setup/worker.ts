import { openDatabase } from '../../../db/index.ts';
import { createProviderChannels } from '../../../src/leads/deliveries/index.ts';
import { deliveryPolicy } from '../../../src/leads/deliveries/deliver.ts';
import { createContext } from '../../../src/server/create-context.ts';
import { loadRegistry } from '../../../src/registry/index.ts';
import { startBackgroundJobs } from '../../../src/server/background-jobs.ts';

/**
 * Delivers the events of a database as the server does, with short delays and leases and an
 * advanced clock, until it is killed.
 */
const [url, webhookUrl, webhookSecret, smtpUrl, clockOffsetMs] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
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
    database: await openDatabase({ url }),
    log: { info: discard, warn: discard, error: discard },
  }),
  now: () => new Date(Date.now() + Number(clockOffsetMs)),
};
const channels = createProviderChannels(
  {
    webhookUrl,
    webhookSecret,
    smtpUrl,
    mailFrom: 'leads@network.example',
    leadsTo: 'desk@network.example',
    allowPrivateTargets: true,
  },
  context,
);
startBackgroundJobs({
  channels,
  context,
  policy: { ...deliveryPolicy, leaseMs: 400, computePauseMs: () => 30, attempts: 1_000 },
  pauses: { busy: 1, idle: 10, fault: 20, late: 100, alerts: 100, firstSweep: 0, sweep: 3_600_000 },
});
process.stdout.write('working\n');
