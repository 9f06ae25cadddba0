import { afterAll, expect, it } from 'vitest';
import { readQuote } from '../../src/capabilities/read-quote.ts';
import { requestQuote } from '../../src/capabilities/request-quote.ts';
import { runCapability } from '../../src/capabilities/run-capability.ts';
import { Problem } from '../../src/operation/problem.ts';
import { defaultBudgets } from '../operations/setup/budgets.ts';
import { makeFixture, makeKey, performOperation } from './fixture.ts';

const fixture = await makeFixture({ budgets: defaultBudgets });
const key = await makeKey(fixture);
afterAll(() => fixture.close());

const createRequest = (pickup_date: string, return_date: string) => ({
  capability: 'trailer.book_trailer',
  input: {
    contact: { email: 'dana@example.com' },
    fields: { size: '7x14', pickup_date, return_date, zip: '33707' },
  },
});

it.each([
  ['has passed', '2026-01-30', '2026-01-31'],
  ['is too far ahead', '2029-02-10', '2029-02-12'],
  ['is too late for a hold', '2026-12-10', '2027-02-12'],
])('a quote rejects what its task rejects when a day %s', async (_, pickup, dropOff) => {
  const problems = await Promise.all(
    [requestQuote, runCapability].map((operation) =>
      performOperation(
        operation as typeof requestQuote,
        createRequest(pickup, dropOff),
        key,
        fixture,
      ).then(
        () => undefined,
        (thrown: unknown) => (thrown as Problem).errors,
      ),
    ),
  );
  expect(problems[1]).not.toEqual([]);
  expect(problems[0]).toEqual(problems[1]);
});

it('a quote repeated with its key stays the same after the day has passed', async () => {
  const request = createRequest('2026-11-21', '2026-11-22');
  const idempotencyKey = 'quoted-days-0000000001';
  const requestIt = () => performOperation(requestQuote, request, key, fixture, idempotencyKey);
  const first = await requestIt();
  fixture.advanceClock(23 * 3_600_000);
  expect(await requestIt()).toEqual({ output: first.output, replayed: true });
});

it('a quote says that a task would fail if no provider is connected', async () => {
  const request = { capability: 'company.research', input: { question: 'What is new?' } };
  const { output } = await performOperation(requestQuote, request, key, fixture);
  expect(output.notice).toContain('provider_unavailable');
  const connected = { ...fixture.context, jobProviders: { research: {} as never } };
  const again = await performOperation(requestQuote, request, key, {
    ...fixture,
    context: connected,
  });
  expect(again.output).not.toHaveProperty('notice');
  fixture.advanceClock(25 * 3_600_000);
  const expired = await performOperation(readQuote, { id: output.quoteId }, key, fixture);
  expect(expired.output.status).toBe('expired');
  expect(expired.output).not.toHaveProperty('notice');
});
