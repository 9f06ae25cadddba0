import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectProvider } from '../../src/adapters/provider.ts';
import { advanceTasks, eraseOldResults } from '../../src/operations/advance-tasks.ts';
import { applyProviderReport } from '../../src/operations/apply-provider-report.ts';
import type { ActiveKey } from '../../src/operations/authenticate-key.ts';
import { cancelTask } from '../../src/operations/cancel-task.ts';
import { showKey } from '../../src/operations/keys.ts';
import { readQuote } from '../../src/operations/read-quote.ts';
import { readTask } from '../../src/operations/read-task.ts';
import { publicPemOf, receiptSigner, verifyReceipt } from '../../src/operations/receipt-signature.ts';
import { requestQuote } from '../../src/operations/request-quote.ts';
import { runCapability } from '../../src/operations/run-capability.ts';
import { type HttpProvider, SECRET, startHttpProvider, VIDEO_RESULT } from '../providers/http-provider.ts';
import { expectSoundAccounts } from './accounts.ts';
import { makeKey, makeWorld, perform, site, type World } from './world.ts';

const signingKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const video = site.registry.capabilities.find(({ adapter }) => adapter === 'video')!;
const research = site.registry.capabilities.find(({ adapter }) => adapter === 'research')!;
const input = { script: 'x'.repeat(1500), title: 'Fifteen hundred characters' };
/** The price of that script by the costs of its record, in minor units. */
const price = video.costs!.baseMinor + 2 * video.costs!.perUnitMinor + video.costs!.operationsFeeMinor;
const decimal = (minor: number) => (minor / 100).toFixed(2);

describe('a capability with a price', () => {
  let provider: HttpProvider;
  let world: World;
  let key: ActiveKey;
  const credits = async () => (await showKey(key.id, world.context)).credits;
  const quote = async (of: Record<string, unknown> = input) => (await perform(requestQuote, { capability: video.id, input: of }, key, world)).output;
  const run = (body: Record<string, unknown>, idempotencyKey?: string) => perform(runCapability, { capability: video.id, input, ...body }, key, world, idempotencyKey);
  const read = async (id: string) => (await perform(readTask, { id }, key, world)).output;
  const job = (taskId: string) => provider.jobs.get(taskId)!;
  const advance = () => advanceTasks('worker', world.context);

  beforeAll(async () => {
    provider = await startHttpProvider();
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    provider.mood = 'working';
    const now = () => new Date();
    const connected = connectProvider({ url: provider.url, secret: SECRET, allowPrivate: true, now, timeoutMs: 500, restMs: 20 });
    world = await makeWorld({ providers: { video: connected, research: connected }, signReceipt: await receiptSigner(signingKey) });
    key = await makeKey(world, ['*'], '20.00');
  });
  afterEach(async () => {
    await expectSoundAccounts(world);
    expect(provider.unsigned).toBe(0);
    await world.close();
  });

  it('goes from quote to a charged task with a receipt that can be checked offline', async () => {
    const { quoteId, amount, breakdown } = await quote();
    expect(amount).toBe(decimal(price));
    expect(breakdown.map((line) => line.amount)).toEqual([video.costs!.baseMinor, 2 * video.costs!.perUnitMinor, video.costs!.operationsFeeMinor].map(decimal));

    const { output, status, headers } = await run({ quoteId });
    expect({ status, retry: headers?.['retry-after'], state: output.status }).toEqual({ status: 202, retry: '5', state: 'submitted' });
    expect(await credits()).toEqual({ available: decimal(2000 - price), reserved: amount });
    expect((await perform(readQuote, { id: quoteId }, key, world)).output.status).toBe('accepted');

    await advance();
    expect(job(output.taskId)).toMatchObject({ capability: video.id, input, callbackUrl: `${site.base}/api/v1/tasks/${output.taskId}/callback` });
    job(output.taskId).state = { status: 'working' };
    world.pass(5_000);
    await advance();
    expect((await read(output.taskId)).status).toBe('working');
    job(output.taskId).state = { status: 'completed', result: { ...VIDEO_RESULT, secret: 'dropped' } };
    world.pass(5_000);
    await advance();

    const done = await read(output.taskId);
    expect(done).toMatchObject({ status: 'completed', result: VIDEO_RESULT, charge: { amount, currency: 'USD' }, receipt: { taskId: output.taskId, quoteId, amount, capability: video.id } });
    expect(done.result).not.toHaveProperty('secret');
    expect(await credits()).toEqual({ available: decimal(2000 - price), reserved: '0.00' });
    const { jws, ...claims } = done.receipt as { jws: string };
    expect(await verifyReceipt(jws, publicPemOf(signingKey))).toEqual(claims);
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
    await expect(verifyReceipt(jws, other)).rejects.toThrow();
    await expect(verifyReceipt(jws.replace(/\.(.)/, (_, first: string) => `.${first === 'a' ? 'b' : 'a'}`), publicPemOf(signingKey))).rejects.toThrow();
  });

  it('counts the script only, by units begun', async () => {
    for (const [length, units] of [[40, 1], [1000, 1], [1001, 2], [200_000, 200]] as const) {
      const { amount } = await quote({ script: '✓'.repeat(length), title: 'y'.repeat(200) });
      expect(amount, `${length} characters`).toBe(decimal(video.costs!.baseMinor + units * video.costs!.perUnitMinor + video.costs!.operationsFeeMinor));
    }
  });

  it('refuses a task whose input is not the one that was quoted', async () => {
    const { quoteId } = await quote();
    await expect(run({ quoteId, input: { ...input, title: 'Another' } })).rejects.toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/quoteId' }] });
  });

  it('refuses a quote that has expired, is unknown, belongs to another key or was accepted', async () => {
    const { quoteId } = await quote();
    const other = await makeKey(world, ['*'], '20.00');
    const asOther = perform(runCapability, { capability: video.id, input, quoteId }, other, world);
    await expect(asOther).rejects.toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/quoteId' }] });
    await expect(run({ quoteId: 'nothing' })).rejects.toMatchObject({ code: 'invalid_input' });
    await run({ quoteId });
    await expect(run({ quoteId })).rejects.toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/quoteId' }] });
    const late = await quote();
    world.pass(25 * 3_600_000);
    await expect(run({ quoteId: late.quoteId })).rejects.toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/quoteId' }] });
  });

  it('runs once when two tasks accept one quote at the same moment', async () => {
    const { quoteId } = await quote();
    const outcomes = await Promise.allSettled([run({ quoteId }), run({ quoteId }), run({ quoteId })]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('asks for an accepted price where none is given', async () => {
    await expect(run({})).rejects.toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/maxAmount' }] });
  });

  it.each(['0', '0.01', decimal(price - 1)])('rejects a task over the accepted maximum of %s and charges nothing', async (maxAmount) => {
    const { output, status } = await run({ maxAmount });
    expect(status).toBeUndefined();
    expect(output).toMatchObject({ status: 'rejected', error: { code: 'over_maximum' }, charge: { amount: '0.00' } });
    expect(await credits()).toEqual({ available: '20.00', reserved: '0.00' });
  });

  it('takes the maximum over a quote that is higher', async () => {
    const { quoteId } = await quote();
    expect((await run({ quoteId, maxAmount: '1.00' })).output.status).toBe('rejected');
    expect((await run({ quoteId })).output.status).toBe('submitted');
  });

  it('rejects a task that the credits do not cover, also when several come at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => run({ maxAmount: '9' })));
    const states = outcomes.map(({ output }) => output.status);
    expect(states.filter((state) => state === 'submitted')).toHaveLength(Math.floor(2000 / price));
    expect(outcomes.find(({ output }) => output.status === 'rejected')!.output.error).toMatchObject({ code: 'insufficient_credits' });
  });

  it('gives the same task for the same idempotency key, and refuses it for another input', async () => {
    const first = await run({ maxAmount: '9' }, 'once');
    const again = await run({ maxAmount: '9' }, 'once');
    expect(again).toMatchObject({ replayed: true, output: { taskId: first.output.taskId } });
    await expect(run({ maxAmount: '8' }, 'once')).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    const other = await makeKey(world, ['*'], '20.00');
    const stranger = await perform(runCapability, { capability: video.id, input, maxAmount: '9' }, other, world, 'once');
    expect(stranger.output.taskId).not.toBe(first.output.taskId);
  });

  it.each([
    ['refuses it', 'refusing', 'provider_failed'],
    ['fails', 'failing', 'provider_failed'],
    ['answers nonsense', 'useless', 'provider_failed'],
    ['is down', 'down', 'provider_unavailable'],
    ['does not answer', 'silent', 'provider_unavailable'],
  ] as const)('fails and charges nothing when the provider %s', async (_, mood, code) => {
    provider.mood = mood;
    const { output } = await run({ maxAmount: '9' });
    for (let step = 0; step < 4; step++) {
      await advance();
      world.pass(60_000);
    }
    expect(await read(output.taskId)).toMatchObject({ status: 'failed', error: { code, detail: expect.stringContaining('Nothing was charged.') }, charge: { amount: '0.00' } });
    expect(await credits()).toEqual({ available: '20.00', reserved: '0.00' });
  });

  it('fails with a result that is not of its kind', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    job(output.taskId).state = { status: 'completed', result: { url: 'javascript:alert(1)', mediaType: 'video/mp4', durationSeconds: 1 } };
    world.pass(5_000);
    await advance();
    expect(await read(output.taskId)).toMatchObject({ status: 'failed', error: { code: 'result_invalid' } });
  });

  it('gives up at its deadline and tells the provider', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    world.pass(121 * 60_000);
    await advance();
    expect(await read(output.taskId)).toMatchObject({ status: 'failed', error: { code: 'provider_timeout' } });
    await expect.poll(() => job(output.taskId).canceled).toBe(true);
  });

  it('survives a provider that is away between two polls', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    provider.mood = 'down';
    for (let step = 0; step < 8; step++) {
      world.pass(60_000);
      await advance();
    }
    provider.mood = 'working';
    job(output.taskId).state = { status: 'completed', result: VIDEO_RESULT };
    await new Promise((resolve) => setTimeout(resolve, 30));
    world.pass(60_000);
    await advance();
    expect((await read(output.taskId)).status).toBe('completed');
  });

  it('cancels a running task, gives the credits back and tells the provider', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    const canceled = await perform(cancelTask, { id: output.taskId }, key, world);
    expect(canceled.output).toMatchObject({ status: 'canceled', charge: { amount: '0.00' } });
    expect((await perform(cancelTask, { id: output.taskId }, key, world)).output).toEqual(canceled.output);
    await expect.poll(() => job(output.taskId).canceled).toBe(true);
    job(output.taskId).state = { status: 'completed', result: VIDEO_RESULT };
    await applyProviderReport({ task: output.taskId, ...provider.callback(job(output.taskId)) }, world.context);
    expect((await read(output.taskId)).status).toBe('canceled');
  });

  it('shows a task and its cancel to its own key only', async () => {
    const { output } = await run({ maxAmount: '9' });
    const other = await makeKey(world, ['*']);
    for (const operation of [readTask, cancelTask]) await expect(perform(operation, { id: output.taskId }, other, world)).rejects.toMatchObject({ code: 'not_found' });
    expect((await read(output.taskId)).status).toBe('submitted');
  });

  it('takes a signed callback once, however often it comes, and none that is unsigned, old or about another job', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    const running = job(output.taskId);
    running.state = { status: 'completed', result: VIDEO_RESULT };
    const task = output.taskId;
    const signed = provider.callback(running);
    await expect(applyProviderReport({ task, ...signed, body: signed.body.replace('12.5', '13.5') }, world.context)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(applyProviderReport({ task, body: signed.body, headers: {} }, world.context)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(applyProviderReport({ task, ...provider.callback(running, new Date(Date.now() - 400_000)) }, world.context)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(applyProviderReport({ task, ...provider.callback({ ...running, jobId: 'job-of-another' }) }, world.context)).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(applyProviderReport({ task: 'nobody', ...signed }, world.context)).rejects.toMatchObject({ code: 'not_found' });
    await Promise.all([1, 2, 3].map(() => applyProviderReport({ task, ...signed }, world.context)));
    expect(await read(task)).toMatchObject({ status: 'completed', charge: { amount: decimal(price) } });
  });

  it('goes on after a restart', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    job(output.taskId).state = { status: 'completed', result: VIDEO_RESULT };
    await world.reopen();
    world.pass(5_000);
    await advanceTasks('another process', world.context);
    expect((await read(output.taskId)).status).toBe('completed');
  });

  it('is submitted once by workers that share the database', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await run({ maxAmount: '4' })).output.taskId));
    const claimed = await Promise.all(['a', 'b', 'c', 'd'].map((worker) => advanceTasks(worker, world.context)));
    expect(claimed.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(ids.map((id) => job(id).submissions)).toEqual([1, 1, 1, 1, 1]);
  });

  it('keeps a result for thirty days and its receipt for good', async () => {
    const { output } = await run({ maxAmount: '9' });
    await advance();
    job(output.taskId).state = { status: 'completed', result: VIDEO_RESULT };
    world.pass(5_000);
    await advance();
    const { receipt, resultExpiresAt } = await read(output.taskId);
    expect(Date.parse(resultExpiresAt!) - world.context.now().getTime()).toBe(30 * 86_400_000);
    world.pass(30 * 86_400_000);
    await eraseOldResults(world.context);
    const kept = await read(output.taskId);
    expect(kept).not.toHaveProperty('result');
    expect(kept).toMatchObject({ status: 'completed', receipt });
  });

  it('calls no provider on a private address unless that is allowed', async () => {
    const before = provider.requests;
    for (const url of [provider.url, provider.url.replace('127.0.0.1', 'localhost'), provider.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'), provider.url.replace('127.0.0.1', '2130706433')]) {
      const guarded = connectProvider({ url, secret: SECRET, allowPrivate: false, now: () => new Date() });
      await expect(guarded.read('job-1'), url).rejects.toMatchObject({ kind: 'unreachable', cause: { reason: 'private_address' } });
    }
    expect(provider.requests).toBe(before);
  });

  it('leaves a provider alone that failed five times in a row, until it has rested', async () => {
    provider.mood = 'down';
    const tired = connectProvider({ url: provider.url, secret: SECRET, allowPrivate: true, now: () => new Date(), restMs: 40 });
    const before = provider.requests;
    for (let attempt = 0; attempt < 5; attempt++) await expect(tired.read('job-1')).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(tired.read('job-1')).rejects.toMatchObject({ kind: 'resting' });
    expect(provider.requests - before).toBe(5);
    provider.mood = 'refusing';
    await expect.poll(() => tired.read('job-1').catch((error: { kind: string }) => error.kind)).toBe('refused');
  });

  it('runs research the same way', async () => {
    const { output } = await perform(runCapability, { capability: research.id, input: research.example, maxAmount: '9' }, key, world);
    await advance();
    job(output.taskId).state = { status: 'completed', result: { answer: 'Two dates matter.', sources: [{ url: 'https://example.org/a' }] } };
    world.pass(5_000);
    await advance();
    expect(await read(output.taskId)).toMatchObject({ status: 'completed', result: { answer: 'Two dates matter.' } });
  });
});
