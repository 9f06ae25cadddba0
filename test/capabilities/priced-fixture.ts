import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { connectProvider } from '../../src/capabilities/adapters/provider.ts';
import { advanceTasks } from '../../src/capabilities/advance-tasks.ts';
import type { ActiveKey } from '../../src/operation/operation.ts';
import { showKey } from '../../src/keys/keys.ts';
import { readTask } from '../../src/capabilities/read-task.ts';
import { signersOf } from '../../src/capabilities/receipt-signature.ts';
import { requestQuote } from '../../src/capabilities/request-quote.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { type HttpProvider, SECRET, startHttpProvider } from '../providers/http-provider.ts';
import { expectBalancedAccounts } from './accounts.ts';
import { makeKey, makeFixture, perform, silent, site, type Fixture } from './fixture.ts';

/** Receipt signing key of these fixtures, PEM. */
export const signingKey = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
export const video = site.registry.capabilities.find(({ adapter }) => adapter === 'video')!;
export const input = { script: 'x'.repeat(1500), title: 'Fifteen hundred characters' };
/** Price of the script in cents, according to the record. */
export const price =
  video.costs!.baseMinor + 2 * video.costs!.perUnitMinor + video.costs!.operationsFeeMinor;
export const decimal = (minor: number) => (minor / 100).toFixed(2);

/**
 * A provider over HTTP and, for each test, a new fixture with a key that has credits. Checks
 * account balances after each test.
 */
export function pricedFixture() {
  const priced = { warnings: [] as Record<string, unknown>[] } as {
    provider: HttpProvider;
    fixture: Fixture;
    key: ActiveKey;
    warnings: Record<string, unknown>[];
  };

  beforeAll(async () => {
    priced.provider = await startHttpProvider();
  });
  afterAll(() => priced.provider.close());
  beforeEach(async () => {
    Object.assign(priced.provider, {
      behavior: 'working',
      nextJobId: undefined,
      nextState: undefined,
      retryAfter: undefined,
      submissionGate: undefined,
    });
    const now = () => new Date();
    const connectedProvider = connectProvider({
      url: priced.provider.url,
      secret: SECRET,
      allowPrivate: true,
      now,
      timeoutMs: 500,
      resetMs: 20,
    });
    priced.warnings.length = 0;
    const log = {
      ...silent,
      warn: (fields: Record<string, unknown>) => void priced.warnings.push(fields),
    };
    priced.fixture = await makeFixture({
      providers: { video: connectedProvider, research: connectedProvider },
      ...(await signersOf(signingKey)),
      log,
    });
    priced.key = await makeKey(priced.fixture, ['*'], '20.00');
  });
  afterEach(async () => {
    await expectBalancedAccounts(priced.fixture);
    expect(priced.provider.unsigned).toBe(0);
    await priced.fixture.close();
  });

  return Object.assign(priced, {
    credits: async () => (await showKey(priced.key.id, priced.fixture.context)).credits,
    quote: async (requestInput: Record<string, unknown> = input) =>
      (
        await perform(
          requestQuote,
          { capability: video.id, input: requestInput },
          priced.key,
          priced.fixture,
        )
      ).output,
    run: (body: Record<string, unknown>, idempotencyKey?: string) =>
      perform(
        runCapability,
        { capability: video.id, input, ...body },
        priced.key,
        priced.fixture,
        idempotencyKey,
      ),
    read: async (id: string) =>
      (await perform(readTask, { id }, priced.key, priced.fixture)).output,
    job: (taskId: string) => priced.provider.jobs.get(taskId)!,
    advance: () => advanceTasks('worker', priced.fixture.context),
  });
}
