import { describe, expect, it, vi } from 'vitest';
import { applyJobReport } from '../../src/capabilities/apply-job-report.ts';
import { cancelTask } from '../../src/capabilities/cancel-task.ts';
import { MAX_RESULT_BYTES } from '../../src/capabilities/end-task.ts';
import { taskChanges, versionOf } from '../../src/capabilities/follow-task.ts';
import { revokeKey } from '../../src/keys/keys.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { handleJobReport } from '../../src/http/job-report.ts';
import { createRateLimitCheck } from '../../src/http/rate-limit.ts';
import { waitListOf } from '../../src/operation/waits.ts';
import { VIDEO_RESULT } from '../providers/http-provider.ts';
import { setUpPricedFixture } from './priced-fixture.ts';
import { performOperation, site } from './fixture.ts';

const MINUTE = 60_000;
const UNTOUCHED_CREDITS = { available: '20.00', reserved: '0.00' };
const researchCapability = site.registry.capabilities.find(
  ({ adapter }) => adapter === 'research',
)!;

describe('a provider response', () => {
  const pricedContext = setUpPricedFixture();
  const { credits, run, read, job, advance } = pricedContext;
  /** A task whose job the provider has accepted. */
  const submitTask = async (state?: { status: string; retryAfterSeconds?: number }) => {
    const { taskId } = (await run({ maxAmount: '9' })).output;
    if (state) pricedContext.provider.nextState = state;
    await advance();
    return taskId;
  };
  const advanceClock = async (ms: number) => {
    pricedContext.fixture.advanceClock(ms);
    await advance();
  };

  it('fails only its own task when it is too large to read, and does not suspend the provider', async () => {
    for (let task = 0; task < 6; task++) {
      pricedContext.provider.behavior = 'working';
      const taskId = await submitTask();
      pricedContext.provider.behavior = 'oversized';
      await advanceClock(5_000);
      expect(await read(taskId)).toMatchObject({
        status: 'failed',
        error: {
          code: 'result_too_large',
          detail: expect.stringContaining('Nothing was charged.'),
        },
      });
    }
    pricedContext.provider.behavior = 'working';
    const taskId = await submitTask();
    expect(job(taskId).submissionCount).toBe(1);
    expect(await credits()).not.toEqual(UNTOUCHED_CREDITS);
  });

  it('fails the task when its result is too large to store', async () => {
    const { output } = await performOperation(
      runCapability,
      { capability: researchCapability.id, input: researchCapability.example, maxAmount: '9' },
      pricedContext.key,
      pricedContext.fixture,
    );
    await advance();
    job(output.taskId).state = {
      status: 'completed',
      result: { answer: 'y'.repeat(MAX_RESULT_BYTES), sources: [] },
    };
    await advanceClock(5_000);
    expect(await read(output.taskId)).toMatchObject({
      status: 'failed',
      error: { code: 'result_too_large' },
    });
    expect(await credits()).toEqual(UNTOUCHED_CREDITS);
  });

  it.each(['job-✓', 'job 1', 'job\n1', '', 'x'.repeat(201)])(
    'is invalid with the job ID %j, which cannot be sent in a header',
    async (jobId) => {
      pricedContext.provider.nextJobId = jobId;
      const requestCount = pricedContext.provider.requestCount;
      const taskId = await submitTask();
      for (let step = 0; step < 3; step++) await advanceClock(MINUTE);
      expect(await read(taskId)).toMatchObject({
        status: 'failed',
        error: { code: 'provider_failed' },
      });
      expect(pricedContext.provider.requestCount - requestCount).toBe(1);
      await expect(
        applyJobReport(
          { task: taskId, ...pricedContext.provider.callback({ ...job(taskId), jobId }) },
          pricedContext.fixture.context,
        ),
      ).rejects.toMatchObject({ code: 'malformed_body' });
    },
  );

  it.each([1, 30, 3600])(
    'is requested again after the %d seconds in its Retry-After header',
    async (retryAfterSeconds) => {
      const taskId = await submitTask({ status: 'working', retryAfterSeconds });
      job(taskId).state = { status: 'completed', result: VIDEO_RESULT };
      // Clients that wait for the task get the same delay, within limits.
      expect((await read(taskId)).retryAfterSeconds).toBe(
        Math.min(Math.max(retryAfterSeconds, 5), 300),
      );
      await advanceClock(retryAfterSeconds * 1000 - 1);
      expect((await read(taskId)).status).toBe('working');
      await advanceClock(1);
      expect((await read(taskId)).status).toBe('completed');
    },
  );

  it.each([
    ['completed', 'completed'],
    ['working', 'failed'],
  ] as const)(
    'is requested once more at the deadline, for a job that is %s',
    async (status, finalStatus) => {
      const { output } = await performOperation(
        runCapability,
        { capability: researchCapability.id, input: researchCapability.example, maxAmount: '9' },
        pricedContext.key,
        pricedContext.fixture,
      );
      pricedContext.provider.nextState = { status: 'queued', retryAfterSeconds: 3600 };
      await advance();
      await advanceClock(30 * MINUTE);
      job(output.taskId).state = {
        status,
        ...(status === 'completed' && { result: { answer: 'Two dates matter.', sources: [] } }),
        retryAfterSeconds: 3600,
      };
      await advanceClock(30 * MINUTE);
      expect((await read(output.taskId)).status).toBe(finalStatus);
      await expect.poll(() => job(output.taskId).isCanceled).toBe(status === 'working');
    },
  );

  it.each([
    ['7', 7_000],
    ['in half an hour', MINUTE],
    [undefined, MINUTE],
  ])(
    'may report that the provider is busy, with Retry-After %j, and does not count as an outage',
    async (retryAfter, pause) => {
      const taskId = await submitTask({ status: 'working' });
      Object.assign(pricedContext.provider, { behavior: 'busy', retryAfter });
      await advanceClock(5_000);
      for (let step = 0; step < 6; step++) {
        const requestCount = pricedContext.provider.requestCount;
        await advanceClock(pause - 1);
        expect(pricedContext.provider.requestCount).toBe(requestCount);
        await advanceClock(1);
        expect(pricedContext.provider.requestCount).toBe(requestCount + 1);
      }
      pricedContext.provider.behavior = 'working';
      job(taskId).state = { status: 'completed', result: VIDEO_RESULT };
      await advanceClock(pause);
      expect((await read(taskId)).status).toBe('completed');
    },
  );

  it('may accept a job that was submitted again after the provider was busy', async () => {
    Object.assign(pricedContext.provider, { behavior: 'busy', retryAfter: '30' });
    const taskId = await submitTask();
    for (let step = 0; step < 4; step++) await advanceClock(30_000);
    pricedContext.provider.behavior = 'working';
    await advanceClock(30_000);
    expect(job(taskId).submissionCount).toBe(1);
  });

  it.each([
    ['refusing', 422],
    ['busy', 429],
    ['down', 503],
  ] as const)('is logged with its status and task when it is %s', async (behavior, status) => {
    pricedContext.provider.behavior = behavior;
    const taskId = await submitTask();
    expect(pricedContext.warnings).toEqual([expect.objectContaining({ task: taskId, status })]);
  });

  it('is merged with the progress that a callback reports', async () => {
    const taskId = await submitTask();
    for (const status of ['working', 'input_required', 'working'] as const) {
      await applyJobReport(
        { task: taskId, ...pricedContext.provider.callback({ ...job(taskId), state: { status } }) },
        pricedContext.fixture.context,
      );
      expect((await read(taskId)).status).toBe(status);
    }
  });

  it('is repeated or reported late by callbacks without a change that followers see', async () => {
    const taskId = await submitTask({ status: 'queued' });
    const { context } = pricedContext.fixture;
    const report = async (status: string) => {
      pricedContext.fixture.advanceClock(1_000);
      await applyJobReport(
        { task: taskId, ...pricedContext.provider.callback({ ...job(taskId), state: { status } }) },
        context,
      );
    };
    const changed = vi.spyOn(waitListOf(context.database), 'changed');
    const readProgress = async () => {
      const { status, updatedAt } = await read(taskId);
      return { status, updatedAt };
    };
    await report('working');
    const progress = await readProgress();
    expect(progress.status).toBe('working');
    await report('working');
    await report('queued');
    expect(await readProgress()).toEqual(progress);
    job(taskId).state = { status: 'queued' };
    await advanceClock(MINUTE);
    expect(await readProgress()).toEqual(progress);
    expect(changed).toHaveBeenCalledWith(taskChanges, taskId, versionOf(progress));
  });

  it('does not change the state of its task when it contains no report', async () => {
    const taskId = await submitTask({ status: 'input_required' });
    pricedContext.provider.behavior = 'down';
    await advanceClock(MINUTE);
    expect((await read(taskId)).status).toBe('input_required');
  });

  it.each([
    ['first', 0],
    ['last', 2],
  ])('to the %s submission may be lost after a callback has reported the job', async (_, lost) => {
    const { taskId } = (await run({ maxAmount: '9' })).output;
    pricedContext.provider.behavior = 'down';
    for (let step = 0; step < lost; step++) await advanceClock(MINUTE);
    pricedContext.provider.behavior = 'working';
    let loseResponse = () => {};
    pricedContext.provider.submissionGate = new Promise((resolve) => (loseResponse = resolve));
    const pendingSubmission = advanceClock(MINUTE);
    await expect.poll(() => pricedContext.provider.jobs.has(taskId)).toBe(true);
    await applyJobReport(
      {
        task: taskId,
        ...pricedContext.provider.callback({ ...job(taskId), state: { status: 'working' } }),
      },
      pricedContext.fixture.context,
    );
    await pendingSubmission;
    loseResponse();
    expect((await read(taskId)).status).toBe('working');
    pricedContext.provider.submissionGate = undefined;
    job(taskId).state = { status: 'completed', result: VIDEO_RESULT };
    await advanceClock(MINUTE);
    expect((await read(taskId)).status).toBe('completed');
    expect(job(taskId).submissionCount).toBe(1);
  });

  it('reveals the job of a task that was canceled in the meantime, after which the job is canceled', async () => {
    let sendResponse = () => {};
    pricedContext.provider.submissionGate = new Promise((resolve) => (sendResponse = resolve));
    const { taskId } = (await run({ maxAmount: '9' })).output;
    const pendingSubmission = advance();
    await expect.poll(() => pricedContext.provider.jobs.has(taskId)).toBe(true);
    expect(
      (await performOperation(cancelTask, { id: taskId }, pricedContext.key, pricedContext.fixture))
        .output.status,
    ).toBe('canceled');
    sendResponse();
    await pendingSubmission;
    await expect.poll(() => job(taskId).isCanceled).toBe(true);
    expect(await credits()).toEqual(UNTOUCHED_CREDITS);
  });

  it('may name the job by callback while the task is being canceled, and the job is canceled', async () => {
    pricedContext.provider.submissionGate = new Promise(() => undefined);
    const { taskId } = (await run({ maxAmount: '9' })).output;
    const pendingSubmission = advance();
    await expect.poll(() => pricedContext.provider.jobs.has(taskId)).toBe(true);
    const { context } = pricedContext.fixture;
    const { writer } = context.database;
    const write = writer.batch.bind(writer);
    vi.spyOn(writer, 'batch').mockImplementationOnce(async (statements) => {
      const callback = { ...job(taskId), state: { status: 'working' } };
      await applyJobReport({ task: taskId, ...pricedContext.provider.callback(callback) }, context);
      return write(statements);
    });
    await performOperation(cancelTask, { id: taskId }, pricedContext.key, pricedContext.fixture);
    await pendingSubmission;
    await expect.poll(() => job(taskId).isCanceled).toBe(true);
  });

  it('is too late for an abandoned task, whose job is canceled when the callback arrives', async () => {
    pricedContext.provider.submissionGate = new Promise(() => undefined);
    const taskId = await submitTask();
    for (let step = 0; step < 3; step++) await advanceClock(MINUTE);
    expect(await read(taskId)).toMatchObject({
      status: 'failed',
      error: { code: 'provider_unavailable' },
    });
    await applyJobReport(
      {
        task: taskId,
        ...pricedContext.provider.callback({ ...job(taskId), state: { status: 'working' } }),
      },
      pricedContext.fixture.context,
    );
    await expect.poll(() => job(taskId).isCanceled).toBe(true);
  });

  it('is never requested if the key is revoked before work starts, and nothing is charged', async () => {
    const { taskId } = (await run({ maxAmount: '9' })).output;
    await revokeKey(pricedContext.key.id, pricedContext.fixture.context);
    await advance();
    expect(pricedContext.provider.jobs.has(taskId)).toBe(false);
    expect(await read(taskId)).toMatchObject({ status: 'failed', error: { code: 'key_revoked' } });
    expect(await credits()).toEqual(UNTOUCHED_CREDITS);
  });

  it('may arrive by callback once per job, while unsigned callbacks are rate limited without database queries', async () => {
    const taskId = await submitTask();
    const checkRateLimit = createRateLimitCheck({ reads: 0, writes: 3 });
    const { context } = pricedContext.fixture;
    const send = (body: string, headers: Record<string, string>, database = context.database) =>
      Promise.resolve(
        handleJobReport({ context: { ...context, database }, checkRateLimit })({
          request: new Request(`${site.base}/`, { method: 'POST', headers, body }),
          params: { id: taskId },
          address: '192.0.2.7',
        }),
      ).then(
        ({ status }) => status,
        ({ code }: { code: string }) => code,
      );
    const { body, headers } = pricedContext.provider.callback({
      ...job(taskId),
      state: { status: 'working' },
    });
    const unusableDatabase = new Proxy(context.database, {
      get: () => expect.fail('The database was queried.'),
    });
    const unsignedStatuses = [];
    for (let attempt = 0; attempt < 5; attempt++)
      unsignedStatuses.push(await send(body, {}, unusableDatabase));
    expect(unsignedStatuses).toEqual([
      'unauthorized',
      'unauthorized',
      'unauthorized',
      'rate_limited',
      'rate_limited',
    ]);
    for (let attempt = 0; attempt < 5; attempt++) expect(await send(body, headers)).toBe(204);
  });
});
