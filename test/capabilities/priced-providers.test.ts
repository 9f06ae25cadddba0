import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectJobProvider } from '../../src/capabilities/adapters/job-provider.ts';
import { advanceTasks } from '../../src/capabilities/advance-tasks.ts';
import { applyJobReport } from '../../src/capabilities/apply-job-report.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { SECRET, VIDEO_RESULT } from '../providers/http-provider.ts';
import { performOperation } from './fixture.ts';
import { formatDecimal, input, price, setUpPricedFixture, video } from './priced-fixture.ts';

describe('the provider of a priced capability', () => {
  const pricedContext = setUpPricedFixture();
  const { credits, quote, readQuoteStatus, run, read, job, advance } = pricedContext;

  it.each([
    ['refuses it', 'refusing', 'provider_failed', 'accepted'],
    ['fails', 'failing', 'provider_failed', 'accepted'],
    ['returns an invalid response', 'malformed', 'provider_failed', 'accepted'],
    ['is down', 'down', 'provider_unavailable', 'open'],
    ['does not answer', 'silent', 'provider_unavailable', 'open'],
  ] as const)(
    'fails the task and charges nothing when it %s',
    async (_, behavior, code, status) => {
      pricedContext.provider.behavior = behavior;
      const { quoteId } = await quote();
      const { output } = await run({ quoteId });
      for (let step = 0; step < 4; step++) {
        await advance();
        pricedContext.fixture.advanceClock(60_000);
      }
      expect(await read(output.taskId)).toMatchObject({
        status: 'failed',
        error: { code, detail: expect.stringContaining('Nothing was charged.') },
        charge: { amount: '0.00' },
      });
      expect(await credits()).toEqual({ available: '20.00', reserved: '0.00' });
      expect(await readQuoteStatus(quoteId)).toBe(status);
    },
  );

  it('fails the task when it is not connected, and a later task can accept the same quote', async () => {
    const { quoteId } = await quote();
    const { context } = pricedContext.fixture;
    const resultWithoutProvider = await performOperation(
      runCapability,
      { capability: video.id, input, quoteId },
      pricedContext.key,
      { ...pricedContext.fixture, context: { ...context, jobProviders: {} } },
    );
    expect(resultWithoutProvider.output).toMatchObject({
      status: 'failed',
      error: {
        code: 'provider_unavailable',
        detail: `No provider is connected for ${video.id}. Ask the operator to connect one. Nothing was charged.`,
      },
    });
    expect(await readQuoteStatus(quoteId)).toBe('open');
    const { output } = await run({ quoteId });
    expect(output.status).toBe('submitted');
    expect(await readQuoteStatus(quoteId)).toBe('accepted');
    await advanceTasks('a worker without providers', { ...context, jobProviders: {} });
    expect((await read(output.taskId)).status).toBe('failed');
    expect(await readQuoteStatus(quoteId)).toBe('open');
  });

  it('fails the task when its result has the wrong type', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    job(output.taskId).state = {
      status: 'completed',
      result: { url: 'javascript:alert(1)', mediaType: 'video/mp4', durationSeconds: 1 },
    };
    pricedContext.fixture.advanceClock(5_000);
    await advance();
    expect(await read(output.taskId)).toMatchObject({
      status: 'failed',
      error: { code: 'result_invalid' },
    });
  });

  it('is notified when the task gives up at its deadline', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    pricedContext.fixture.advanceClock(121 * 60_000);
    await advance();
    expect(await read(output.taskId)).toMatchObject({
      status: 'failed',
      error: { code: 'provider_timeout' },
    });
    await expect.poll(() => job(output.taskId).isCanceled).toBe(true);
  });

  it('may be unreachable between two polls', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    pricedContext.provider.behavior = 'down';
    for (let step = 0; step < 8; step++) {
      pricedContext.fixture.advanceClock(60_000);
      await advance();
    }
    pricedContext.provider.behavior = 'working';
    job(output.taskId).state = { status: 'completed', result: VIDEO_RESULT };
    await new Promise((resolve) => setTimeout(resolve, 30));
    pricedContext.fixture.advanceClock(60_000);
    await advance();
    expect((await read(output.taskId)).status).toBe('completed');
  });

  it('applies its signed callback only once, and ignores unsigned, old, or mismatched callbacks', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    const running = job(output.taskId);
    running.state = { status: 'completed', result: VIDEO_RESULT };
    const task = output.taskId;
    const signed = pricedContext.provider.callback(running);
    await expect(
      applyJobReport(
        { task, ...signed, body: signed.body.replace('12.5', '13.5') },
        pricedContext.fixture.context,
      ),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(
      applyJobReport({ task, body: signed.body, headers: {} }, pricedContext.fixture.context),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(
      applyJobReport(
        { task, ...pricedContext.provider.callback(running, new Date(Date.now() - 400_000)) },
        pricedContext.fixture.context,
      ),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(
      applyJobReport(
        { task, ...pricedContext.provider.callback({ ...running, jobId: 'job-of-another' }) },
        pricedContext.fixture.context,
      ),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(
      applyJobReport({ task: 'nobody', ...signed }, pricedContext.fixture.context),
    ).rejects.toMatchObject({ code: 'not_found' });
    await Promise.all(
      [1, 2, 3].map(() => applyJobReport({ task, ...signed }, pricedContext.fixture.context)),
    );
    expect(await read(task)).toMatchObject({
      status: 'completed',
      charge: { amount: formatDecimal(price) },
    });
  });

  it('continues after a restart', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    job(output.taskId).state = { status: 'completed', result: VIDEO_RESULT };
    await pricedContext.fixture.reopen();
    pricedContext.fixture.advanceClock(5_000);
    await advanceTasks('another process', pricedContext.fixture.context);
    expect((await read(output.taskId)).status).toBe('completed');
  });

  it('gets one submission from several workers that share the database', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await run({ maxAmount: '4' })).output.taskId),
    );
    const claimCounts = await Promise.all(
      ['a', 'b', 'c', 'd'].map((worker) => advanceTasks(worker, pricedContext.fixture.context)),
    );
    expect(claimCounts.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(ids.map((id) => job(id).submissionCount)).toEqual([1, 1, 1, 1, 1]);
  });

  it('is not called at a private address unless that is allowed', async () => {
    const requestCount = pricedContext.provider.requestCount;
    for (const url of [
      pricedContext.provider.url,
      pricedContext.provider.url.replace('127.0.0.1', 'localhost'),
      pricedContext.provider.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      pricedContext.provider.url.replace('127.0.0.1', '2130706433'),
    ]) {
      const provider = connectJobProvider({
        url,
        secret: SECRET,
        allowPrivate: false,
        now: () => new Date(),
      });
      await expect(provider.read('job-1'), url).rejects.toMatchObject({
        kind: 'unreachable',
        cause: { reason: 'private_address' },
      });
    }
    expect(pricedContext.provider.requestCount).toBe(requestCount);
  });

  it('is not called for a while after five consecutive failures', async () => {
    const RESET_MS = 30_000;
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    pricedContext.provider.behavior = 'down';
    const provider = connectJobProvider({
      url: pricedContext.provider.url,
      secret: SECRET,
      allowPrivate: true,
      now: () => new Date(),
      resetMs: RESET_MS,
    });
    const requestCount = pricedContext.provider.requestCount;
    for (let attempt = 0; attempt < 5; attempt++)
      await expect(provider.read('job-1')).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(provider.read('job-1')).rejects.toMatchObject({ kind: 'resting' });
    expect(pricedContext.provider.requestCount - requestCount).toBe(5);
    pricedContext.provider.behavior = 'refusing';
    vi.setSystemTime(Date.now() + RESET_MS);
    await expect(provider.read('job-1')).rejects.toMatchObject({ kind: 'refused' });
  });
});
