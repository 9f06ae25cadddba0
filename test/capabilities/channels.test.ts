import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leads } from '../../db/schema.ts';
import { demand } from '../../db/schema-capabilities.ts';
import { MAX_CAPABILITY_BODY_BYTES } from '../../src/operation/body-limits.ts';
import { capabilityCatalogOf } from '../../src/capabilities/capability-catalog.ts';
import { SAMPLE_KEY } from '../../src/operation/idempotency.ts';
import { revokeKey } from '../../src/keys/keys.ts';
import { listDemand } from '../../src/leads/lists/list-demand.ts';
import { client, type RequestOptions } from '../transports/setup/send.ts';
import { makeKey, makeFixture, performOperation, site, type Fixture } from './fixture.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';

const catalog = [...capabilityCatalogOf(site).values()];
const help = catalog.find(({ adapter }) => adapter === 'facts')!;
const inquiryCapabilities = catalog.filter(({ adapter }) => adapter === 'inquiry');
const video = catalog.find(({ adapter }) => adapter === 'video')!;
const exampleOf = ({ inputSchema }: (typeof catalog)[number]) =>
  (inputSchema['examples'] as [Record<string, unknown>])[0];

describe('the HTTP channels of quotes and tasks', () => {
  let fixture: Fixture;
  let key: Awaited<ReturnType<typeof makeKey>>;
  const channels = () => client(fixture as never);
  const createBearerOptions = (secret = key.secret): RequestOptions => ({
    headers: { authorization: `Bearer ${secret}` },
  });
  beforeAll(async () => {
    fixture = await makeFixture();
    key = await makeKey(fixture);
  });
  afterAll(() => fixture.close());

  it.each([
    ['POST', '/api/v1/quotes'],
    ['GET', '/api/v1/quotes/{id}'],
    ['POST', '/api/v1/tasks'],
    ['GET', '/api/v1/tasks/{id}'],
    ['POST', '/api/v1/tasks/{id}/cancel'],
  ])('return 401 for %s %s with a missing or revoked key', async (method, path) => {
    const revoked = await makeKey(fixture);
    await revokeKey(revoked.id, fixture.context);
    for (const headers of [{}, createBearerOptions(revoked.secret).headers]) {
      const response = await channels().send(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        params: { id: 'x' },
        ...(method === 'POST' && { body: '{}' }),
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({ code: 'unauthorized', status: 401 });
    }
  });

  it.each(['/api/v1/quotes', '/api/v1/tasks'])(
    'return 403 at %s and name the missing scope, whatever the input',
    async (path) => {
      const keyWithoutScope = await makeKey(fixture, ['guide.*']);
      for (const body of [
        { capability: help.id, input: {} },
        { capability: help.id, input: { question: 1 }, other: true },
        { capability: help.id },
      ]) {
        const response = await channels().json(
          path,
          body,
          createBearerOptions(keyWithoutScope.secret),
        );
        expect([response.status, response.headers.get('www-authenticate')]).toEqual([
          403,
          expect.stringContaining(`error="insufficient_scope", scope="${help.id}"`),
        ]);
      }
    },
  );

  it('run, read, and repeat a task, and mark the repeated response', async () => {
    const send = () =>
      channels().json(
        '/api/v1/tasks',
        { capability: help.id, input: {} },
        { headers: { ...createBearerOptions().headers, 'idempotency-key': 'again-and-again-1' } },
      );
    const first = await send();
    const second = await send();
    expect([
      first.status,
      second.status,
      first.headers.get('idempotent-replayed'),
      second.headers.get('idempotent-replayed'),
    ]).toEqual([200, 200, null, 'true']);
    const { taskId } = (await first.json()) as { taskId: string };
    expect(((await second.json()) as { taskId: string }).taskId).toBe(taskId);
    const read = await channels().get('/api/v1/tasks/{id}', { id: taskId }, createBearerOptions());
    expect([read.status, ((await read.json()) as { status: string }).status]).toEqual([
      200,
      'completed',
    ]);
    expect(
      (
        await channels().send('/api/v1/tasks/{id}/cancel', {
          params: { id: taskId },
          ...createBearerOptions(),
        })
      ).status,
    ).toBe(200);
    expect(
      (await channels().get('/api/v1/tasks/{id}', { id: 'nothing' }, createBearerOptions())).status,
    ).toBe(404);
  });

  it('reject a key in the body that differs from the one in the header', async () => {
    const send = (idempotencyKey: string) =>
      channels().json(
        '/api/v1/tasks',
        { capability: help.id, input: {}, idempotencyKey },
        { headers: { ...createBearerOptions().headers, 'idempotency-key': 'key-in-the-header-1' } },
      );
    const response = await send('key-in-the-body-01');
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ pointer: '/idempotencyKey', message: expect.stringContaining('differs') }] },
    ]);
    expect((await send('key-in-the-header-1')).status).toBe(200);
    const reused = await channels().json(
      '/api/v1/tasks',
      { capability: help.id, input: { question: 'Hi?' }, idempotencyKey: 'key-in-the-header-1' },
      createBearerOptions(),
    );
    expect([reused.status, await reused.json()]).toMatchObject([
      422,
      { errors: [{ pointer: '/idempotencyKey' }] },
    ]);
  });

  it('accept the sample idempotency key once for each API key, even where all callers share the keys of leads', async () => {
    const otherKey = await makeKey(fixture);
    const run = async (secret: string) => {
      const response = await channels().json(
        '/api/v1/tasks',
        { capability: inquiryCapabilities[0]!.id, input: exampleOf(inquiryCapabilities[0]!) },
        { headers: { ...createBearerOptions(secret).headers, 'idempotency-key': SAMPLE_KEY } },
      );
      const { status, taskId } = (await response.json()) as Record<string, string>;
      return { status, taskId };
    };
    const first = await run(key.secret);
    expect(first.status).toBe('completed');
    expect(await run(key.secret)).toEqual(first);
    const other = await run(otherKey.secret);
    expect(other).toMatchObject({ status: 'completed' });
    expect(other.taskId).not.toBe(first.taskId);
  });

  it('say where a name outside the input belongs', async () => {
    const name = Object.keys((help.inputSchema as { properties: object }).properties)[0]!;
    const response = await channels().json(
      '/api/v1/quotes',
      { capability: help.id, [name]: 'x' },
      createBearerOptions(),
    );
    expect(((await response.json()) as { errors: object[] }).errors).toContainEqual(
      expect.objectContaining({
        pointer: `/${name}`,
        message: `This name is unknown. Move it to /input/${name}.`,
      }),
    );
  });

  it.each(['/api/v1/quotes', '/api/v1/tasks'])(
    'name the channels that can try an action, rather than advise sending a real one to %s',
    async (path) => {
      const [capability] = inquiryCapabilities;
      const input = { ...exampleOf(capability!), sandbox: true };
      const response = await channels().json(
        path,
        { capability: capability!.id, input, sandbox: true },
        createBearerOptions(),
      );
      const { errors } = (await response.json()) as { errors: object[] };
      for (const pointer of ['/sandbox', '/input/sandbox'])
        expect(errors).toContainEqual(
          expect.objectContaining({
            pointer,
            message: expect.stringMatching(/^This name is unknown\. Requests sent here are real\./),
          }),
        );
    },
  );

  const escapeUnicode = (text: string) =>
    text.replace(/[^\0]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  it.each([
    ['x', 'raw'],
    ['é', 'raw'],
    ['語', 'raw'],
    ['🎬', 'raw'],
    ['x', 'escaped'],
    ['語', 'escaped'],
    ['🎬', 'escaped'],
  ] as const)(
    'accept a script of 200,000 × %s, sent %s, and reject a longer script',
    async (character, sent) => {
      const statuses: number[] = [];
      for (const length of [200_000, 200_001]) {
        const script = character.repeat(length);
        const body = `{"capability":"${video.id}","input":{"script":"${sent === 'escaped' ? escapeUnicode(script) : script}"}}`;
        statuses.push(
          (await channels().json('/api/v1/quotes', body, createBearerOptions())).status,
        );
      }
      expect(statuses).toEqual([200, 400]);
    },
  );

  it('reject a body larger than any valid script', async () => {
    const quote = (bytes: number) =>
      channels().json('/api/v1/quotes', ' '.repeat(bytes - 2) + '{}', createBearerOptions());
    expect((await quote(MAX_CAPABILITY_BODY_BYTES)).status).toBe(400);
    expect((await quote(MAX_CAPABILITY_BODY_BYTES + 1)).status).toBe(413);
  });

  it('list all errors in a body at once', async () => {
    const response = await channels().json(
      '/api/v1/tasks',
      {
        capability: video.id,
        input: { script: 'short', colour: 'red' },
        maxAmount: 5,
        idempotencyKey: '',
        surprise: true,
      },
      createBearerOptions(),
    );
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/idempotencyKey',
      '/input/colour',
      '/input/script',
      '/maxAmount',
      '/surprise',
    ]);
    const unknown = await channels().json(
      '/api/v1/tasks',
      { capability: video.id.replace('create', 'craete'), input: {} },
      createBearerOptions(),
    );
    expect(await unknown.json()).toMatchObject({
      code: 'invalid_input',
      errors: [
        { pointer: '/capability', message: expect.stringContaining(`Did you mean ${video.id}?`) },
      ],
    });
  });

  it.each(inquiryCapabilities)(
    '$id: one idempotency key creates one lead through the task, JSON, and MCP operation',
    async (capability) => {
      const { contact, fields } = exampleOf(capability) as {
        contact: object;
        fields: Record<string, unknown>;
      };
      const action = site.registry.subsites
        .find(({ name }) => name === capability.subsite)!
        .actions.find(({ verb }) => verb === capability.action)!;
      // Capability-only fields are omitted, so that all channels get the same request.
      const shared = Object.fromEntries(
        Object.entries(fields).filter(([name]) => name in action.fields),
      );
      const idempotencyKey = `one-key-for-${capability.id}`;
      const leadCount = await fixture.database.writer.$count(leads);
      const submitAsTask = () =>
        channels().json(
          '/api/v1/tasks',
          { capability: capability.id, input: { contact, fields: shared }, idempotencyKey },
          createBearerOptions(),
        );
      const body = {
        subsite: capability.subsite,
        action: capability.action,
        fields: shared,
        contact,
      };
      const submitAsJson = () =>
        channels().json('/api/lead/action', body, {
          headers: { 'idempotency-key': idempotencyKey },
        });
      const [task, json] = await Promise.all([submitAsTask(), submitAsJson()]);
      const receipt = (await json.json()) as { receiptToken: string };
      expect(((await task.json()) as { result: unknown }).result).toEqual(receipt);
      expect(
        (await performOperation(submitAction, body, undefined, fixture, idempotencyKey)).output,
      ).toEqual(receipt);
      expect((await fixture.database.writer.$count(leads)) - leadCount).toBe(1);
      const other = await channels().json(
        '/api/v1/tasks',
        {
          capability: capability.id,
          input: { contact: { ...contact, name: 'Another' }, fields: shared },
          idempotencyKey,
        },
        createBearerOptions(),
      );
      expect(other.status).toBe(422);
    },
  );

  it('store capability-only fields in the lead', async () => {
    const extendedInputs = inquiryCapabilities.flatMap((capability) => {
      const action = site.registry.subsites
        .find(({ name }) => name === capability.subsite)!
        .actions.find(({ verb }) => verb === capability.action)!;
      const { fields } = exampleOf(capability) as { fields: Record<string, unknown> };
      return Object.keys(fields).some((name) => !(name in action.fields))
        ? [{ capability, fields }]
        : [];
    });
    expect(extendedInputs.length).toBeGreaterThan(0);
    for (const { capability, fields } of extendedInputs) {
      const response = await channels().json(
        '/api/v1/tasks',
        { capability: capability.id, input: exampleOf(capability) },
        createBearerOptions(),
      );
      const { receiptToken } = ((await response.json()) as { result: { receiptToken: string } })
        .result;
      const [stored] = await fixture.database.writer
        .select()
        .from(leads)
        .where(eq(leads.token, receiptToken));
      expect(stored).toMatchObject({ fields, channel: 'task' });
    }
  });

  it('reject an invalid question, script, or list of sources', async () => {
    const task = async (capability: string, input: unknown) =>
      (await (
        await channels().json(
          '/api/v1/tasks',
          { capability, input, maxAmount: '9' },
          createBearerOptions(),
        )
      ).json()) as {
        code?: string;
        errors?: { pointer: string }[];
        result?: { answered: boolean };
      };
    const capabilityIdOf = (adapter: string) =>
      site.registry.capabilities.find((capability) => capability.adapter === adapter)!.id;
    const pointers = async (capability: string, input: unknown) =>
      (await task(capability, input)).errors?.map(({ pointer }) => pointer);
    for (const blankQuestion of ['', '   ', '\n'])
      for (const adapter of ['assist', 'research'])
        expect(await pointers(capabilityIdOf(adapter), { question: blankQuestion })).toEqual([
          '/input/question',
        ]);
    expect(await pointers(video.id, { script: ' '.repeat(40) })).toEqual(['/input/script']);
    for (const source of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/plain,x'])
      expect(
        await pointers(capabilityIdOf('research'), { question: 'Who?', sources: [source] }),
      ).toEqual(['/input/sources/0']);
    const demandBefore = await fixture.database.writer.select().from(demand);
    for (const question of ['?', 'what is the'])
      expect((await task(capabilityIdOf('assist'), { question })).result).toMatchObject({
        answered: false,
        passages: [],
      });
    expect(await fixture.database.writer.select().from(demand)).toEqual(demandBefore);
  });

  it('answer a question from published text, admit when there is no answer, and log unanswered questions', async () => {
    const assist = catalog.find(({ adapter }) => adapter === 'assist')!;
    const ask = async (capability: string, question: string) =>
      (
        (await (
          await channels().json(
            '/api/v1/tasks',
            { capability, input: { question } },
            createBearerOptions(),
          )
        ).json()) as { result: Record<string, any> }
      ).result;
    for (const capability of catalog.filter(
      ({ adapter, inputSchema }) => adapter === 'facts' && inputSchema['examples'],
    )) {
      const found = await ask(capability.id, String(exampleOf(capability)['question']));
      if (found['published'])
        for (const passage of found['passages'])
          expect([passage.subsite, passage.url.startsWith(site.base)]).toEqual([
            capability.subsite,
            true,
          ]);
    }
    expect(await ask(help.id, 'zebra quantum xylophone')).toMatchObject({
      published: false,
      passages: [],
      ask: [{ subsite: help.subsite }],
    });
    expect(await ask(assist.id, 'What is the deposit on a trailer?')).toMatchObject({
      answered: true,
      places: expect.arrayContaining([
        expect.objectContaining({ url: expect.stringMatching(/^http/) }),
      ]),
    });
    expect(await fixture.database.writer.select().from(demand)).toEqual([]);
    await ask(assist.id, 'Who tunes xylophones for zebras?');
    await ask(assist.id, 'Zebras: who tunes a xylophone?');
    await ask(assist.id, 'Quantum entanglement counselling');
    expect(await listDemand(fixture.database)).toMatchObject([
      { count: 2, question: expect.stringContaining('ylophone') },
      { count: 1, question: 'Quantum entanglement counselling' },
    ]);
  });
});
