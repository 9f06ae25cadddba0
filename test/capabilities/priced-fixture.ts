import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { connectJobProvider } from '../../src/capabilities/adapters/job-provider.ts';
import { advanceTasks } from '../../src/capabilities/advance-tasks.ts';
import type { ActiveKey } from '../../src/operation/operation.ts';
import { readKeyDetails } from '../../src/keys/keys.ts';
import { readQuote } from '../../src/capabilities/read-quote.ts';
import { readTask } from '../../src/capabilities/read-task.ts';
import { createDocumentSigner } from '../../src/capabilities/receipt-signature.ts';
import { requestQuote } from '../../src/capabilities/request-quote.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { type HttpProvider, SECRET, startHttpProvider } from '../providers/http-provider.ts';
import { expectBalancedAccounts } from './accounts.ts';
import {
  makeKey,
  makeFixture,
  performOperation,
  silentLog,
  site,
  type Fixture,
} from './fixture.ts';

/** Receipt signing key for these fixtures, as PEM. */
export const signingKey = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
export const video = site.registry.capabilities.find(({ adapter }) => adapter === 'video')!;
export const input = { script: 'x'.repeat(1500), title: 'Fifteen hundred characters' };
/** Price of the script in cents, according to the record. */
export const price =
  video.costs!.baseMinor + 2 * video.costs!.perUnitMinor + video.costs!.operationsFeeMinor;
export const formatDecimal = (minorUnits: number) => (minorUnits / 100).toFixed(2);

/**
 * A provider over HTTP and, for each test, a new fixture with a key that has credits. Checks
 * account balances after each test.
 */
export function setUpPricedFixture() {
  const pricedContext = { warnings: [] as Record<string, unknown>[] } as {
    provider: HttpProvider;
    fixture: Fixture;
    key: ActiveKey;
    warnings: Record<string, unknown>[];
  };

  beforeAll(async () => {
    pricedContext.provider = await startHttpProvider();
  });
  afterAll(() => pricedContext.provider.close());
  beforeEach(async () => {
    Object.assign(pricedContext.provider, {
      behavior: 'working',
      nextJobId: undefined,
      nextState: undefined,
      retryAfter: undefined,
      submissionGate: undefined,
    });
    const now = () => new Date();
    const connectedProvider = connectJobProvider({
      url: pricedContext.provider.url,
      secret: SECRET,
      allowPrivate: true,
      now,
      timeoutMs: 500,
      resetMs: 20,
    });
    pricedContext.warnings.length = 0;
    const log = {
      ...silentLog,
      warn: (fields: Record<string, unknown>) => void pricedContext.warnings.push(fields),
    };
    pricedContext.fixture = await makeFixture({
      jobProviders: { video: connectedProvider, research: connectedProvider },
      ...(await createDocumentSigner(signingKey)),
      log,
    });
    pricedContext.key = await makeKey(pricedContext.fixture, ['*'], '20.00');
  });
  afterEach(async () => {
    await expectBalancedAccounts(pricedContext.fixture);
    expect(pricedContext.provider.invalidSignatureCount).toBe(0);
    await pricedContext.fixture.close();
  });

  return Object.assign(pricedContext, {
    credits: async () =>
      (await readKeyDetails(pricedContext.key.id, pricedContext.fixture.context)).credits,
    quote: async (requestInput: Record<string, unknown> = input) =>
      (
        await performOperation(
          requestQuote,
          { capability: video.id, input: requestInput },
          pricedContext.key,
          pricedContext.fixture,
        )
      ).output,
    readQuoteStatus: async (id: string) =>
      (await performOperation(readQuote, { id }, pricedContext.key, pricedContext.fixture)).output
        .status,
    run: (body: Record<string, unknown>, idempotencyKey?: string) =>
      performOperation(
        runCapability,
        { capability: video.id, input, ...body },
        pricedContext.key,
        pricedContext.fixture,
        idempotencyKey,
      ),
    read: async (id: string) =>
      (await performOperation(readTask, { id }, pricedContext.key, pricedContext.fixture)).output,
    job: (taskId: string) => pricedContext.provider.jobs.get(taskId)!,
    advance: () => advanceTasks('worker', pricedContext.fixture.context),
  });
}
