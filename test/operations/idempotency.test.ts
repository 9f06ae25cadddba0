import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import type { CallChannel } from '../../src/operation/operation.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { KEY_INPUT } from '../../src/site/forms/form-inputs.ts';
import { client, inputsOf } from '../transports/setup/send.ts';
import { problemOf } from './setup/refusal.ts';
import { listActions } from './setup/actions.ts';
import {
  chooseCases,
  itWithFile,
  openFixture,
  sites,
  type Fixture,
  withBatch,
} from './setup/fixture.ts';
import { getBundledProgram } from '../setup/bundled-program.ts';
import { createPropertyParameters } from '../setup/seeds.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const verbs = listActions(site).filter(
  ({ action }) => action.effect?.kind !== 'hold' && action.effect?.kind !== 'import',
);
const [{ subsite, action }] = verbs as unknown as [(typeof verbs)[number]];
const body = {
  subsite: subsite.name,
  action: action.verb,
  fields: exampleValuesOf(action.fields),
  contact: { email: 'dana@example.com' },
};

/** Pads a name to the minimum length of a key. */
const padKey = (name: string): string => name.padEnd(16, '-');

const submit = (
  { context }: Fixture,
  value: unknown,
  key: string | undefined,
  channel: CallChannel = 'json',
) =>
  submitAction.handle(
    submitAction.parse(value, context),
    { channel, ...(key !== undefined && { idempotencyKey: padKey(key) }) },
    context,
  );

/**
 * Submits a request through a channel. Returns the receipt token, or undefined if the database was
 * unreachable.
 */
async function send(
  fixture: Fixture,
  value: object,
  key: string,
  channel: CallChannel,
): Promise<string | undefined> {
  const { json, form } = client(fixture);
  if (channel === 'json' || channel === 'form') {
    const answer = await (channel === 'json'
      ? json('/api/lead/action', value, { headers: { 'idempotency-key': padKey(key) } })
      : form('/api/lead/action', { ...inputsOf(value), [KEY_INPUT]: padKey(key) }));
    expect([channel, answer.status]).toEqual([
      channel,
      expect.toBeOneOf([channel === 'json' ? 200 : 303, 503]),
    ]);
    if (answer.status === 503) return undefined;
    return channel === 'json'
      ? ((await answer.json()) as { receiptToken: string }).receiptToken
      : answer.headers.get('location')!.split('/').at(-1)!;
  }
  try {
    return (await submit(fixture, value, key, channel)).output.receiptToken;
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseUnavailableError);
    return undefined;
  }
}

/** Row counts of all tables that a lead writes to. */
const countRows = async (fixture: Fixture) =>
  Object.fromEntries(
    await Promise.all(
      (['leads', 'lead_history', 'outbox', 'idempotency', 'storefronts'] as const).map(
        async (table) => [table, (await fixture.rows(table)).length] as const,
      ),
    ),
  );

describe('identical requests with one key', () => {
  it.each(chooseCases(verbs, ({ action }) => action.effect?.kind))(
    'create one lead for $label, whichever channels they use',
    async (verb) => {
      const fixture = await openFixture(site);
      const value = {
        subsite: verb.subsite.name,
        action: verb.action.verb,
        fields: exampleValuesOf(verb.action.fields),
      };
      const outcomes = [];
      for (const channel of ['json', 'form', 'mcp', 'a2a', 'task'] as const)
        outcomes.push(await submit(fixture, value, 'k', channel));
      expect(outcomes.map(({ replayed }) => replayed)).toEqual([false, true, true, true, true]);
      expect(new Set(outcomes.map(({ output }) => JSON.stringify(output))).size).toBe(1);
      expect(await countRows(fixture)).toEqual({
        leads: 1,
        lead_history: 1,
        outbox: 1,
        idempotency: 1,
        storefronts: verb.action.effect?.kind === 'storefront' ? 1 : 0,
      });
    },
  );

  it('store no key in the sandbox, and a sandbox request with the key of a real request is a mismatch', async () => {
    const fixture = await openFixture(site);
    const sandboxBody = { ...body, sandbox: true };
    for (const _ of [1, 2])
      expect(await submit(fixture, sandboxBody, 'k')).toMatchObject({
        output: { sandbox: true },
        replayed: false,
      });
    expect(await countRows(fixture)).toMatchObject({ leads: 0, idempotency: 0 });
    expect((await submit(fixture, body, 'k')).replayed).toBe(false);
    const refused = await problemOf(() => submit(fixture, sandboxBody, 'k'));
    expect(refused).toMatchObject({ code: 'idempotency_mismatch', status: 422 });
    expect(await countRows(fixture)).toMatchObject({ leads: 1, idempotency: 1 });
  });

  it('create one lead when 40 arrive at the same time', async () => {
    const fixture = await openFixture(site);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => submit(fixture, body, 'k')),
    );
    expect(new Set(outcomes.map(({ output }) => JSON.stringify(output))).size).toBe(1);
    expect(outcomes.filter(({ replayed }) => !replayed).length).toBe(1);
    expect(await countRows(fixture)).toMatchObject({
      leads: 1,
      lead_history: 1,
      outbox: 1,
      idempotency: 1,
    });
  });

  it('create one lead when three processes send 20 each', async () => {
    // Each process reads the registry, and that of the network of four is small.
    const network = sites[1]!.site;
    const { subsite, action } = listActions(network).find(({ action: { effect } }) => !effect)!;
    const fields = exampleValuesOf(action.fields);
    const smallBody = { subsite: subsite.name, action: action.verb, fields };
    const fixture = await openFixture(network);
    const run = promisify(execFile);
    const program = await getBundledProgram('test/operations/setup/second-process.ts');
    const names = new URL('../setup/resolve-localhost.ts', import.meta.url).href;
    const processOutputs = await Promise.all(
      Array.from({ length: 3 }, () =>
        run(process.execPath, [
          '--import',
          names,
          program,
          fixture.url,
          JSON.stringify(smallBody),
          '20',
        ]),
      ),
    );
    const receipts = processOutputs.flatMap(({ stdout }) => stdout.trim().split('\n'));
    expect(receipts.length).toBe(60);
    expect(new Set(receipts).size).toBe(1);
    expect((await submit(fixture, smallBody, 'shared-by-three-processes')).output).toEqual(
      JSON.parse(receipts[0]!),
    );
    expect(await countRows(fixture)).toMatchObject({
      leads: 1,
      lead_history: 1,
      outbox: 1,
      idempotency: 1,
    });
  });

  it('may have their members in any order', async () => {
    const fixture = await openFixture(site);
    const { output } = await submit(fixture, body, 'k');
    const reversedBody = Object.fromEntries(
      Object.entries({
        ...body,
        fields: Object.fromEntries(Object.entries(body.fields).reverse()),
      }).reverse(),
    );
    expect(await submit(fixture, reversedBody, 'k')).toEqual({ output, replayed: true });
  });

  it('get the same response for at least a day, after which the key eventually becomes free again', async () => {
    const fixture = await openFixture(site);
    const { output } = await submit(fixture, body, 'k');
    fixture.advanceHours(24);
    expect(await submit(fixture, body, 'k')).toEqual({ output, replayed: true });
    fixture.advanceHours(25);
    const next = await submit(fixture, body, 'k');
    expect(next.replayed).toBe(false);
    expect(next.output.receiptToken).not.toBe(output.receiptToken);
    expect(await countRows(fixture)).toMatchObject({ leads: 2, idempotency: 1 });
    expect(await submit(fixture, body, 'k')).toEqual({ output: next.output, replayed: true });
  });
});

describe('an idempotency key', () => {
  it('with different input is a mismatch while the first request is being stored and afterward', async () => {
    const fixture = await openFixture(site);
    const otherBody = { ...body, contact: { email: 'lee@example.com' } };
    const firstCall = submit(fixture, body, 'k');
    expect((await problemOf(() => submit(fixture, otherBody, 'k'))).code).toBe(
      'idempotency_mismatch',
    );
    await firstCall;
    expect((await problemOf(() => submit(fixture, otherBody, 'k'))).code).toBe(
      'idempotency_mismatch',
    );
    expect(await countRows(fixture)).toMatchObject({ leads: 1, idempotency: 1 });
  });

  itWithFile(
    'gives another caller who sends it nothing about the first request, unless the whole request is the same',
    async () => {
      const fixture = await openFixture(site);
      const { json, form } = client(fixture);
      const key = padKey('guessed');
      const contact = { name: 'Dana Reyes', email: 'dana@example.com', phone: '(727) 555-0142' };
      const fullBody = { ...body, contact };
      const { output } = await submit(fixture, fullBody, key);
      const stored = JSON.stringify([await fixture.rows('leads'), output]);
      const secrets = [
        output.receiptToken,
        'Dana Reyes',
        'dana@example.com',
        '7275550142',
        '555-0142',
      ];
      for (const secret of secrets.slice(0, 4)) expect(stored).toContain(secret);
      const otherBodies = [
        body,
        { ...fullBody, contact: {} },
        { ...fullBody, source: 'another' },
        { ...fullBody, notify: false },
        ...Object.keys(contact).map((name) => ({
          ...fullBody,
          contact: Object.fromEntries(Object.entries(contact).filter(([other]) => other !== name)),
        })),
        { ...fullBody, contact: { ...contact, email: 'dana@example.org' } },
        { ...fullBody, sandbox: true },
      ];
      const address = '198.51.100.1';
      for (const otherBody of otherBodies) {
        const answers = [
          await json('/api/lead/action', otherBody, {
            address,
            headers: { 'idempotency-key': key },
          }),
          await form('/api/lead/action', { ...inputsOf(otherBody), [KEY_INPUT]: key }, { address }),
        ];
        expect(answers[0]!.status, JSON.stringify(otherBody)).toBe(422);
        for (const answer of answers) {
          // A form needs a way to reach the person.
          expect(answer.status).toBeOneOf([400, 422]);
          const [text, headers] = [await answer.text(), JSON.stringify([...answer.headers])];
          const sent = JSON.stringify(otherBody);
          for (const secret of secrets.filter((one) => !sent.includes(one)))
            expect(text + headers).not.toContain(secret);
        }
      }
      const answer = await json('/api/lead/action', fullBody, {
        address,
        headers: { 'idempotency-key': key },
      });
      expect(await answer.json()).toEqual(output);
      expect(await countRows(fixture)).toMatchObject({ leads: 1, idempotency: 1 });
    },
  );

  it('is optional, and each request without one creates a new lead', async () => {
    const fixture = await openFixture(site);
    await submit(fixture, body, undefined);
    await submit(fixture, body, undefined);
    expect(await countRows(fixture)).toMatchObject({ leads: 2, idempotency: 0 });
  });

  it('from a failed write can be reused, and the write is rolled back', async () => {
    const fixture = await openFixture(site);
    const failingFixture = withBatch(
      fixture,
      () => () => Promise.reject(new DatabaseUnavailableError('busy')),
    );
    await expect(submit(failingFixture, body, 'k')).rejects.toThrow(DatabaseUnavailableError);
    expect(await countRows(fixture)).toEqual({
      leads: 0,
      lead_history: 0,
      outbox: 0,
      idempotency: 0,
      storefronts: 0,
    });
    expect((await submit(fixture, body, 'k')).replayed).toBe(false);
  });

  itWithFile(
    'from a write that kept conflicting with others can be reused, and the caller may retry',
    async () => {
      const fixture = await openFixture(site);
      const conflict = { rows: [], columns: [], columnTypes: [], rowsAffected: 0 };
      const conflictingFixture = withBatch(
        fixture,
        () => async (statements) =>
          statements.map(() => ({
            ...conflict,
            lastInsertRowid: undefined,
            toJSON: () => conflict,
          })),
      );
      const problem = await problemOf(() => submit(conflictingFixture, body, 'k'));
      expect(problem).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '1' } });
      expect((await submit(fixture, body, 'k')).replayed).toBe(false);
    },
  );

  it('is reported as in flight, with Retry-After, while its first call is unfinished', async () => {
    const fixture = await openFixture(site);
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slowFixture = withBatch(
      fixture,
      (write) =>
        async (...args) =>
          gate.then(() => write(...args)),
    );
    const firstCall = submit(slowFixture, body, 'k');
    const impatientFixture = {
      ...slowFixture,
      context: { ...slowFixture.context, repeatWaitMs: 10 },
    };
    const problem = await problemOf(() => submit(impatientFixture, body, 'k'));
    expect(problem).toMatchObject({
      code: 'in_flight',
      status: 409,
      headers: { 'retry-after': '1' },
    });
    release();
    const { output } = await firstCall;
    expect(await submit(slowFixture, body, 'k')).toEqual({ output, replayed: true });
  });

  it('leaves one row and one receipt after any sequence of channels, repeats, and lost responses', async () => {
    const channels = fc.constantFrom<CallChannel>('json', 'form', 'mcp', 'a2a', 'task');
    const step = fc.record({
      channel: channels,
      key: fc.constantFrom('a', 'b', 'c'),
      concurrency: fc.integer({ min: 1, max: 4 }),
      lost: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const fixture = await openFixture(site);
        const receipts = new Map<string, Set<string>>();
        for (const { channel, key, concurrency, lost } of steps) {
          // The connection breaks after the write: the lead is stored, but the response is lost.
          const losingFixture = withBatch(fixture, (write) => async (...args) => {
            await write(...args);
            throw new DatabaseUnavailableError('unreachable');
          });
          const tokens = await Promise.all(
            Array.from({ length: concurrency }, () =>
              send(lost ? losingFixture : fixture, { ...body, source: key }, key, channel),
            ),
          );
          for (const token of tokens)
            if (token !== undefined)
              (receipts.get(key) ?? receipts.set(key, new Set()).get(key)!).add(token);
        }
        const keys = new Set(steps.map(({ key }) => key)).size;
        expect(await countRows(fixture)).toMatchObject({
          leads: keys,
          lead_history: keys,
          outbox: keys,
          idempotency: keys,
        });
        for (const [key, seen] of receipts) {
          const stored = (await fixture.rows('leads')).find((row) => row['source'] === key)!;
          expect([...seen], key).toEqual([stored['token']]);
        }
      }),
      createPropertyParameters(inject('libsqlServer') ? 4 : 25),
    );
  });
});
