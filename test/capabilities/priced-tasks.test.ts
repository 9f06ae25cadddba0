import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { quotes, tasks } from '../../db/schema-capabilities.ts';
import { eraseOldResults } from '../../src/capabilities/advance-tasks.ts';
import { applyJobReport } from '../../src/capabilities/apply-job-report.ts';
import { cancelTask } from '../../src/capabilities/cancel-task.ts';
import { readTask } from '../../src/capabilities/read-task.ts';
import { publicPemOf, verifyReceipt } from '../../src/capabilities/receipt-signature.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { VIDEO_RESULT } from '../providers/http-provider.ts';
import {
  formatDecimal,
  input,
  price,
  setUpPricedFixture,
  signingKey,
  video,
} from './priced-fixture.ts';
import { makeKey, performOperation, site } from './fixture.ts';

const research = site.registry.capabilities.find(({ adapter }) => adapter === 'research')!;

describe('a priced capability', () => {
  const pricedContext = setUpPricedFixture();
  const { credits, quote, readQuoteStatus, run, read, job, advance } = pricedContext;

  it('goes from a quote to a charged task and a receipt that anyone can verify offline', async () => {
    const { quoteId, amount, breakdown } = await quote();
    expect(amount).toBe(formatDecimal(price));
    expect(breakdown.map((line) => line.amount)).toEqual(
      [video.costs!.baseMinor, 2 * video.costs!.perUnitMinor, video.costs!.operationsFeeMinor].map(
        formatDecimal,
      ),
    );

    const { output, status, headers } = await run({ quoteId });
    expect({
      status,
      retry: headers?.['retry-after'],
      hint: output.retryAfterSeconds,
      state: output.status,
    }).toEqual({ status: 202, retry: '5', hint: 5, state: 'submitted' });
    expect(await credits()).toEqual({ available: formatDecimal(2000 - price), reserved: amount });
    expect(await readQuoteStatus(quoteId)).toBe('accepted');

    await advance();
    expect(job(output.taskId)).toMatchObject({
      capability: video.id,
      input,
      callbackUrl: `${site.base}/api/v1/tasks/${output.taskId}/callback`,
    });
    job(output.taskId).state = { status: 'working' };
    pricedContext.fixture.advanceClock(5_000);
    await advance();
    expect((await read(output.taskId)).status).toBe('working');
    job(output.taskId).state = {
      status: 'completed',
      result: { ...VIDEO_RESULT, secret: 'dropped' },
    };
    pricedContext.fixture.advanceClock(5_000);
    await advance();

    const completed = await read(output.taskId);
    expect(completed).toMatchObject({
      status: 'completed',
      result: VIDEO_RESULT,
      charge: { amount, currency: 'USD' },
      receipt: { taskId: output.taskId, quoteId, amount, capability: video.id },
    });
    expect(completed.result).not.toHaveProperty('secret');
    expect(await credits()).toEqual({ available: formatDecimal(2000 - price), reserved: '0.00' });
    const { jws, ...claims } = completed.receipt as { jws: string };
    expect(await verifyReceipt(jws, publicPemOf(signingKey))).toEqual(claims);
    const other = generateKeyPairSync('ed25519')
      .publicKey.export({ type: 'spki', format: 'pem' })
      .toString();
    await expect(verifyReceipt(jws, other)).rejects.toThrow();
    await expect(
      verifyReceipt(
        jws.replace(/\.(.)/, (_, first: string) => `.${first === 'a' ? 'b' : 'a'}`),
        publicPemOf(signingKey),
      ),
    ).rejects.toThrow();
  });

  it('charges only for the script, per unit or part of a unit', async () => {
    for (const [length, units] of [
      [40, 1],
      [1000, 1],
      [1001, 2],
      [200_000, 200],
    ] as const) {
      const { amount } = await quote({ script: '✓'.repeat(length), title: 'y'.repeat(200) });
      expect(amount, `${length} characters`).toBe(
        formatDecimal(
          video.costs!.baseMinor +
            units * video.costs!.perUnitMinor +
            video.costs!.operationsFeeMinor,
        ),
      );
    }
  });

  it('rejects a task whose input differs from the quote', async () => {
    const { quoteId } = await quote();
    await expect(run({ quoteId, input: { ...input, title: 'Another' } })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/quoteId' }],
    });
  });

  it('rejects a quote that is expired, unknown, already used, or from another key', async () => {
    const { quoteId } = await quote();
    const other = await makeKey(pricedContext.fixture, ['*'], '20.00');
    const otherKeyRun = performOperation(
      runCapability,
      { capability: video.id, input, quoteId },
      other,
      pricedContext.fixture,
    );
    await expect(otherKeyRun).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/quoteId' }],
    });
    await expect(run({ quoteId: 'nothing' })).rejects.toMatchObject({ code: 'invalid_input' });
    await run({ quoteId });
    await expect(run({ quoteId })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/quoteId' }],
    });
    const expired = await quote();
    pricedContext.fixture.advanceClock(25 * 3_600_000);
    await expect(run({ quoteId: expired.quoteId })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/quoteId' }],
    });
  });

  it('runs once when two tasks accept one quote at the same time', async () => {
    const { quoteId } = await quote();
    const outcomes = await Promise.allSettled([
      run({ quoteId }),
      run({ quoteId }),
      run({ quoteId }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('asks for an accepted price if none is given', async () => {
    await expect(run({})).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/maxAmount' }],
    });
  });

  it.each(['0', '0.01', formatDecimal(price - 1)])(
    'rejects a task over the accepted maximum of %s and charges nothing',
    async (maxAmount) => {
      const { output, status } = await run({ maxAmount });
      expect(status).toBeUndefined();
      expect(output).toMatchObject({
        status: 'rejected',
        error: { code: 'over_maximum' },
        charge: { amount: '0.00' },
      });
      expect(await credits()).toEqual({ available: '20.00', reserved: '0.00' });
    },
  );

  it('uses the stated maximum instead of a higher quote', async () => {
    const { quoteId } = await quote();
    expect((await run({ quoteId, maxAmount: '1.00' })).output.status).toBe('rejected');
    expect((await run({ quoteId })).output.status).toBe('submitted');
  });

  it('rejects a task that costs more than the available credits, even when several arrive together', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => run({ maxAmount: '9' })));
    const states = outcomes.map(({ output }) => output.status);
    expect(states.filter((state) => state === 'submitted')).toHaveLength(Math.floor(2000 / price));
    expect(outcomes.find(({ output }) => output.status === 'rejected')!.output.error).toMatchObject(
      { code: 'insufficient_credits' },
    );
  });

  it('returns the same task for the same idempotency key, and rejects the key with different input', async () => {
    const first = await run({ maxAmount: '9' }, 'once');
    const repeated = await run({ maxAmount: '9' }, 'once');
    expect(repeated).toMatchObject({ replayed: true, output: { taskId: first.output.taskId } });
    await expect(run({ maxAmount: '8' }, 'once')).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
    const other = await makeKey(pricedContext.fixture, ['*'], '20.00');
    const otherKeyTask = await performOperation(
      runCapability,
      { capability: video.id, input, maxAmount: '9' },
      other,
      pricedContext.fixture,
      'once',
    );
    expect(otherKeyTask.output.taskId).not.toBe(first.output.taskId);
  });

  it('returns the same response, with its status and headers, to identical calls that arrive together', async () => {
    const [first, repeated] = await Promise.all([
      run({ maxAmount: '9' }, 'together'),
      run({ maxAmount: '9' }, 'together'),
    ]);
    expect(first).toMatchObject({ replayed: false, status: 202 });
    expect(repeated).toEqual({ ...first, replayed: true });
  });

  it('keeps the input and the idempotency key of a task only while it runs', async () => {
    const { output } = await run({ maxAmount: '9' }, 'canceled');
    await run({ maxAmount: '0.01' }, 'rejected');
    const readKeysAndInputs = () =>
      pricedContext.fixture.database.writer
        .select({ key: tasks.idempotencyKey, input: tasks.input })
        .from(tasks)
        .orderBy(tasks.status);
    const cleared = { key: null, input: null };
    expect(await readKeysAndInputs()).toEqual([cleared, { key: 'canceled', input }]);
    const { key, fixture } = pricedContext;
    await performOperation(cancelTask, { id: output.taskId }, key, fixture);
    expect(await readKeysAndInputs()).toEqual([cleared, cleared]);
  });

  it('cancels a running task, refunds the credits, and notifies the provider', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    const canceled = await performOperation(
      cancelTask,
      { id: output.taskId },
      pricedContext.key,
      pricedContext.fixture,
    );
    expect(canceled.output).toMatchObject({ status: 'canceled', charge: { amount: '0.00' } });
    expect(
      (
        await performOperation(
          cancelTask,
          { id: output.taskId },
          pricedContext.key,
          pricedContext.fixture,
        )
      ).output,
    ).toEqual(canceled.output);
    await expect.poll(() => job(output.taskId).isCanceled).toBe(true);
    job(output.taskId).state = { status: 'completed', result: VIDEO_RESULT };
    await applyJobReport(
      { task: output.taskId, ...pricedContext.provider.callback(job(output.taskId)) },
      pricedContext.fixture.context,
    );
    expect((await read(output.taskId)).status).toBe('canceled');
  });

  it('returns the completed task if it completes while it is being canceled', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    const { key, fixture, provider } = pricedContext;
    const { context } = fixture;
    const { writer } = context.database;
    const ownJob = job(output.taskId);
    ownJob.state = { status: 'completed', result: VIDEO_RESULT };
    vi.spyOn(writer, 'batch').mockImplementationOnce(async (queries) => {
      await applyJobReport({ task: output.taskId, ...provider.callback(ownJob) }, context);
      return writer.batch(queries);
    });
    const { output: task } = await performOperation(
      cancelTask,
      { id: output.taskId },
      key,
      fixture,
    );
    expect(task).toMatchObject({ status: 'completed', charge: { amount: formatDecimal(price) } });
    expect(task).toEqual(await read(output.taskId));
  });

  it('lets only its own key read or cancel a task', async () => {
    const { output } = await run({ maxAmount: '9' });
    const other = await makeKey(pricedContext.fixture, ['*']);
    for (const operation of [readTask, cancelTask])
      await expect(
        performOperation(operation, { id: output.taskId }, other, pricedContext.fixture),
      ).rejects.toMatchObject({ code: 'not_found' });
    expect((await read(output.taskId)).status).toBe('submitted');
  });

  it('keeps a result for 30 days and its receipt permanently', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    job(output.taskId).state = { status: 'completed', result: VIDEO_RESULT };
    pricedContext.fixture.advanceClock(5_000);
    await advance();
    const { receipt, resultExpiresAt } = await read(output.taskId);
    expect(Date.parse(resultExpiresAt!) - pricedContext.fixture.context.now().getTime()).toBe(
      30 * 86_400_000,
    );
    pricedContext.fixture.advanceClock(30 * 86_400_000);
    await eraseOldResults(pricedContext.fixture.context);
    const expiredTask = await read(output.taskId);
    expect(expiredTask).not.toHaveProperty('result');
    expect(expiredTask).toMatchObject({ status: 'completed', receipt });
  });

  it('keeps a quote for 30 days after it expires, or as long as its task', async () => {
    const [open, accepted] = [await quote(), await quote()];
    await run({ quoteId: accepted.quoteId });
    const eraseAndListQuotes = async () => {
      await eraseOldResults(pricedContext.fixture.context);
      return (await pricedContext.fixture.database.writer.select({ id: quotes.id }).from(quotes))
        .map(({ id }) => id)
        .sort();
    };
    pricedContext.fixture.advanceClock(31 * 86_400_000 - 1);
    expect(await eraseAndListQuotes()).toEqual([open.quoteId, accepted.quoteId].sort());
    pricedContext.fixture.advanceClock(1);
    expect(await eraseAndListQuotes()).toEqual([accepted.quoteId]);
  });

  it('works the same way for research', async () => {
    const { output } = await performOperation(
      runCapability,
      { capability: research.id, input: research.example, maxAmount: '9' },
      pricedContext.key,
      pricedContext.fixture,
    );
    await advance();
    job(output.taskId).state = {
      status: 'completed',
      result: { answer: 'Two dates matter.', sources: [{ url: 'https://example.org/a' }] },
    };
    pricedContext.fixture.advanceClock(5_000);
    await advance();
    expect(await read(output.taskId)).toMatchObject({
      status: 'completed',
      result: { answer: 'Two dates matter.' },
    });
  });
});
