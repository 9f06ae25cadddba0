import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tasks } from '../../db/schema-capabilities.ts';
import {
  connectJobProvider,
  type JobProvider,
} from '../../src/capabilities/adapters/job-provider.ts';
import { advanceTasks, LEASE_MS } from '../../src/capabilities/advance-tasks.ts';
import { applyJobReport } from '../../src/capabilities/apply-job-report.ts';
import type { ActiveKey } from '../../src/operation/operation.ts';
import { cancelTask } from '../../src/capabilities/cancel-task.ts';
import { Problem } from '../../src/operation/problem.ts';
import { requestQuote } from '../../src/capabilities/request-quote.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { runningStates, type TaskStatus } from '../../src/capabilities/task-record.ts';
import {
  type HttpProvider,
  type ProviderBehavior,
  SECRET,
  startHttpProvider,
  VIDEO_RESULT,
} from '../providers/http-provider.ts';
import { expectBalancedAccounts } from './accounts.ts';
import { makeKey, makeFixture, performOperation, site, type Fixture } from './fixture.ts';
import { chooseRepeatCount, createPropertyParameters } from '../setup/seeds.ts';

const video = site.registry.capabilities.find(({ adapter }) => adapter === 'video')!;

interface RealSystem {
  fixture: Fixture;
  key: ActiveKey;
  provider: HttpProvider;
  /** If set, the next provider call never returns, as if its worker had crashed. */
  crashState: { next: boolean };
  quotes: { id: string; input: Record<string, unknown>; amount: string }[];
}

/** Expected state: the final status of each ended task. */
type Model = { ended: Map<string, TaskStatus> };

const createInput = (units: number) => ({ script: 'x'.repeat(units * 1000 - 500) });
const pick = <Entry>(entries: readonly Entry[], index: number): Entry | undefined =>
  entries.length ? entries[index % entries.length] : undefined;

/** Checks account balances, and that ended tasks keep their status. */
async function check({ ended }: Model, realSystem: RealSystem): Promise<void> {
  await expectBalancedAccounts(realSystem.fixture);
  const rows = await realSystem.fixture.database.writer.select().from(tasks);
  for (const row of rows) {
    const status = row.status as TaskStatus;
    if (ended.has(row.id)) expect(status, 'an ended task').toBe(ended.get(row.id));
    if (!runningStates.includes(status)) ended.set(row.id, status);
  }
  for (const { taskId } of realSystem.provider.jobs.values())
    expect(rows.filter(({ id }) => id === taskId).length, 'a job has a task').toBeLessThanOrEqual(
      1,
    );
}

/** A command without a precondition. It may be rejected; any other error fails the test. */
const command = (
  name: string,
  run: (realSystem: RealSystem) => Promise<unknown>,
): fc.AsyncCommand<Model, RealSystem> => ({
  check: () => true,
  toString: () => name,
  async run(model, realSystem) {
    await run(realSystem).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
    });
    await check(model, realSystem);
  },
});

const index = fc.nat({ max: 20 });
const behaviors: ProviderBehavior[] = [
  ...Array.from({ length: 6 }, () => 'working' as const),
  'failing',
  'refusing',
  'busy',
  'down',
  'silent',
  'malformed',
  'oversized',
];

const commands = [
  fc.integer({ min: 1, max: 5 }).map((units) =>
    command(`quote(${units})`, async (realSystem) => {
      const input = createInput(units);
      const { output } = await performOperation(
        requestQuote,
        { capability: video.id, input },
        realSystem.key,
        realSystem.fixture,
      );
      realSystem.quotes.push({ id: output.quoteId, input, amount: output.amount });
    }),
  ),
  fc
    .tuple(
      index,
      fc.boolean(),
      fc.option(fc.constantFrom('1.00', '2.80', '9.00'), { nil: undefined }),
      fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    )
    .map(([taskIndex, changed, maxAmount, idempotencyKey]) =>
      command(
        `accept(${taskIndex}, ${changed}, ${maxAmount}, ${idempotencyKey})`,
        async (realSystem) => {
          const quote = pick(realSystem.quotes, taskIndex);
          if (!quote) return;
          const body = {
            capability: video.id,
            input: changed ? createInput(7) : quote.input,
            quoteId: quote.id,
            ...(maxAmount && { maxAmount }),
            ...(idempotencyKey && { idempotencyKey }),
          };
          const { output } = await performOperation(
            runCapability,
            body,
            realSystem.key,
            realSystem.fixture,
          );
          expect(changed, 'a task whose input differs from its quote').toBe(false);
          if (maxAmount && Number(maxAmount) < Number(quote.amount))
            expect(output.status).toBe('rejected');
        },
      ),
    ),
  fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('1.00', '3.00', '9.00'))
    .map(([units, maxAmount]) =>
      command(`run(${units}, ${maxAmount})`, (realSystem) =>
        performOperation(
          runCapability,
          { capability: video.id, input: createInput(units), maxAmount },
          realSystem.key,
          realSystem.fixture,
        ),
      ),
    ),
  fc
    .integer({ min: 1, max: 3 })
    .map((workers) =>
      command(`advance(${workers})`, ({ fixture }) =>
        Promise.all(
          Array.from({ length: workers }, (_, name) =>
            advanceTasks(`worker ${name}`, fixture.context),
          ),
        ),
      ),
    ),
  fc.constant(
    command('die', async ({ fixture, crashState }) => {
      crashState.next = true;
      // The crashed call never returns; whether it reached the provider is random.
      void advanceTasks('dying', fixture.context);
      await new Promise((resolve) => setTimeout(resolve, 15));
      crashState.next = false;
    }),
  ),
  fc
    .tuple(index, fc.constantFrom('working', 'completed', 'failed', 'input_required'))
    .map(([taskIndex, status]) =>
      command(`job(${taskIndex}, ${status})`, async ({ provider }) => {
        const job = pick([...provider.jobs.values()], taskIndex);
        if (job && job.state.status !== 'completed' && job.state.status !== 'failed')
          job.state = { status, ...(status === 'completed' && { result: VIDEO_RESULT }) };
      }),
    ),
  fc.constant(
    command('finish', async ({ provider, fixture }) => {
      provider.behavior = 'working';
      for (const job of provider.jobs.values())
        if (job.state.status !== 'failed')
          job.state = { status: 'completed', result: VIDEO_RESULT };
      fixture.advanceClock(LEASE_MS);
      await advanceTasks('finishing', fixture.context);
    }),
  ),
  fc.tuple(index, fc.integer({ min: 1, max: 3 })).map(([taskIndex, times]) =>
    command(`callback(${taskIndex}, ${times})`, async ({ provider, fixture }) => {
      const job = pick([...provider.jobs.values()], taskIndex);
      if (job)
        await Promise.all(
          Array.from({ length: times }, () =>
            applyJobReport({ task: job.taskId, ...provider.callback(job) }, fixture.context),
          ),
        );
    }),
  ),
  index.map((taskIndex) =>
    command(`cancel(${taskIndex})`, async ({ fixture, key, provider }) => {
      const rows = await fixture.database.writer.select({ id: tasks.id }).from(tasks);
      const task = pick(rows, taskIndex);
      if (!task) return;
      const job = provider.jobs.get(task.id);
      // A callback races with the cancellation; only the first ends the task.
      await Promise.all([
        performOperation(cancelTask, { id: task.id }, key, fixture),
        job && applyJobReport({ task: task.id, ...provider.callback(job) }, fixture.context),
      ]);
    }),
  ),
  fc.constantFrom(...behaviors).map((behavior) =>
    command(`behavior(${behavior})`, async ({ provider }) => {
      provider.behavior = behavior;
    }),
  ),
  fc.constantFrom(1_000, 5_000, LEASE_MS, 30 * 60_000, 3 * 3_600_000).map((ms) =>
    command(`pass(${ms})`, async ({ fixture }) => {
      fixture.advanceClock(ms);
    }),
  ),
  fc.constant(command('restart', ({ fixture }) => fixture.reopen())),
];

describe('random sequences of quotes, tasks, cancellations, provider errors, callbacks, crashes, and restarts', () => {
  let provider: HttpProvider;
  beforeAll(async () => {
    provider = await startHttpProvider();
  });
  afterAll(() => provider.close());

  /** A provider whose worker may crash after a call. */
  function withCrashes(client: JobProvider, crashState: { next: boolean }): JobProvider {
    const crashOrReturn = <Answer>(answer: Answer): Answer | Promise<Answer> =>
      crashState.next ? new Promise<Answer>(() => undefined) : answer;
    return {
      ...client,
      submit: async (job) => crashOrReturn(await client.submit(job)),
      read: async (job) => crashOrReturn(await client.read(job)),
    };
  }

  it('keep the ledger balanced, never charge twice or above the accepted price, and let every task end', async () => {
    const commandSequences = fc.array(fc.oneof(...commands), {
      minLength: 25,
      maxLength: 70,
      size: 'max',
    });
    const reachedStatuses = new Map<TaskStatus, number>();
    await fc.assert(
      fc.asyncProperty(commandSequences, async (sequence) => {
        provider.jobs.clear();
        provider.behavior = 'working';
        const crashState = { next: false };
        const client = connectJobProvider({
          url: provider.url,
          secret: SECRET,
          allowPrivate: true,
          now: () => new Date(),
          timeoutMs: 150,
          resetMs: 1,
        });
        const fixture = await makeFixture({
          jobProviders: { video: withCrashes(client, crashState) },
        });
        const key = await makeKey(fixture, ['*'], '25.00');
        const realSystem: RealSystem = { fixture, key, provider, crashState, quotes: [] };
        const model: Model = { ended: new Map() };
        try {
          await fc.asyncModelRun(() => ({ model, real: realSystem }), sequence);
          // Whatever the provider does, the deadline ends all remaining tasks.
          for (let round = 0; round < 6; round++) {
            fixture.advanceClock(3 * 3_600_000);
            await advanceTasks('last', fixture.context);
          }
          await check(model, realSystem);
          const rows = await fixture.database.writer.select({ status: tasks.status }).from(tasks);
          for (const { status } of rows) {
            expect(runningStates, 'a task at the end').not.toContain(status);
            reachedStatuses.set(
              status as TaskStatus,
              (reachedStatuses.get(status as TaskStatus) ?? 0) + 1,
            );
          }
        } finally {
          await fixture.close();
        }
      }),
      createPropertyParameters(chooseRepeatCount(12, 60)),
    );
    // The test is meaningful only if the sequences reach every state.
    for (const end of ['completed', 'failed', 'canceled', 'rejected'] as const)
      expect(reachedStatuses.get(end) ?? 0, end).toBeGreaterThan(0);
  }, 600_000);
});
