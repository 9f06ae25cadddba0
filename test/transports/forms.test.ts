import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { Problem, type ProblemCode } from '../../src/operation/problem.ts';
import { problemCodes } from '../../src/site/problem-codes.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { HONEYPOT_INPUT, KEY_INPUT } from '../../src/site/forms/form-inputs.ts';
import { SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import { listSingleFieldFaults, listActions } from '../operations/setup/actions.ts';
import { openFixture, sites, withBatch } from '../operations/setup/fixture.ts';
import { client, inputsOf } from './setup/send.ts';

const [CAPTURE_PATH, ACTION_PATH] = SHARED_LEAD_ENDPOINTS as [string, string];
const CONTACT = { name: 'Dana', email: 'dana@example.com' };

describe.each(sites)('the forms of $name', async ({ site }) => {
  const fixture = await openFixture(site);
  const { json, form, multipart, faults } = client(fixture);
  const verbs = listActions(site);
  const leadOf = async (response: Response) => {
    expect(response.status).toBe(303);
    const token = /^\/receipt\/([\w-]{21})$/.exec(response.headers.get('location')!)![1]!;
    return (await fixture.rows('leads')).find((row) => row['token'] === token)!;
  };

  it.each(verbs)(
    'create the same lead for $label from a URL-encoded form, a multipart form, and JSON, at each URL',
    async ({ subsite, action }) => {
      const { effect } = action;
      const fields = exampleValuesOf(action.fields);
      const bodies = [
        [ACTION_PATH, { subsite: subsite.name, action: action.verb, fields, contact: CONTACT }],
        [
          CAPTURE_PATH,
          { ...CONTACT, source: subsite.leadSource, data: { action: action.verb, ...fields } },
        ],
        ...(SHARED_LEAD_ENDPOINTS.includes(subsite.leadEndpoint)
          ? []
          : [[subsite.leadEndpoint, { fields, contact: CONTACT }] as const]),
      ] as const;
      for (const [path, body] of bodies) {
        const key = `${subsite.name}_${action.verb}`.padEnd(16, '_');
        const first = await leadOf(
          await form(path, { ...inputsOf(body), [KEY_INPUT]: key, 'contact.phone': '' }),
        );
        expect(JSON.parse(first['fields'])).toEqual(
          submitAction.parse(
            { subsite: subsite.name, action: action.verb, fields },
            fixture.context,
          ).fields,
        );
        expect(
          (await leadOf(await multipart(path, { ...inputsOf(body), [KEY_INPUT]: key })))['token'],
        ).toBe(first['token']);
        const jsonResponse = await json(path, body, { headers: { 'idempotency-key': key } });
        expect(jsonResponse.status).toBe(200);
        expect(jsonResponse.headers.get('idempotent-replayed')).toBe('true');
        expect(await jsonResponse.json()).toMatchObject({ receiptToken: first['token'] });
      }
      expect(
        (await fixture.rows('leads')).filter(
          (row) => row['action'] === action.verb && row['subsite'] === subsite.name,
        ).length,
      ).toBe(1);
      expect(effect?.kind === 'hold' ? (await fixture.rows('holds')).length : 1).toBe(1);
    },
  );

  it('get a JSON response if Accept prefers JSON to HTML', async () => {
    const [{ subsite, action }] = verbs as [(typeof verbs)[number]];
    const fields = exampleValuesOf(action.fields);
    const body = { subsite: subsite.name, action: action.verb, fields, contact: CONTACT };
    const post = (accept: string) =>
      form(
        ACTION_PATH,
        { ...inputsOf(body), [KEY_INPUT]: 'a-form-of-a-program' },
        { headers: { accept } },
      );
    for (const accept of ['application/json', 'application/problem+json, application/json;q=0.9']) {
      const response = await post(accept);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/json',
      ]);
      expect(await response.json()).toMatchObject({ status: 'new', subsite: subsite.name });
    }
    for (const accept of ['text/html, application/json', '*/*'])
      expect((await post(accept)).status).toBe(303);
  });

  it.each(verbs)(
    'for $label are shown again with the entered values and a message at each error',
    async ({ subsite, action }) => {
      const leadCount = (await fixture.rows('leads')).length;
      for (const { description, fields, pointer } of listSingleFieldFaults(action).filter(
        ({ canFormSend }) => canFormSend,
      )) {
        const inputs = inputsOf({
          subsite: subsite.name,
          action: action.verb,
          fields,
          contact: CONTACT,
        });
        const response = await form(ACTION_PATH, inputs);
        expect(response.status, description).toBe(400);
        expect(response.headers.get('content-type'), description).toBe('text/html');
        const fault = faults.at(-1)!;
        expect(fault, description).toMatchObject({
          subsite: subsite.name,
          verb: action.verb,
          status: 400,
        });
        expect(
          fault.errors.map((error) => error.pointer),
          description,
        ).toEqual([`/fields${pointer}`]);
        expect(fault.values, description).toEqual(
          Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, text.trim()])),
        );
      }
      expect((await fixture.rows('leads')).length).toBe(leadCount);
    },
  );
});

describe('a form', async () => {
  const [{ site }] = sites as unknown as [(typeof sites)[number]];
  const fixture = await openFixture(site);
  const { form, multipart, faults, send } = client(fixture);
  const numberAction = listActions(site).find(
    (verb) =>
      !verb.action.effect &&
      Object.values(verb.action.fields).some(({ type }) => type === 'number'),
  )!;
  const textAction = listActions(site).find(
    (verb) =>
      !verb.action.effect &&
      Object.values(verb.action.fields).some(({ type, content }) => type === 'string' && !content),
  )!;
  const createBaseInputs = (verb: typeof numberAction) =>
    inputsOf({
      subsite: verb.subsite.name,
      action: verb.action.verb,
      fields: exampleValuesOf(verb.action.fields),
      contact: CONTACT,
    });
  const readNewestLead = async () => (await fixture.rows('leads')).at(-1)!;

  it('has its numbers parsed from text', async () => {
    const [name, field] = Object.entries(numberAction.action.fields).find(
      ([, { type }]) => type === 'number',
    )!;
    const value = Math.max(3, field.minimum ?? 3);
    for (const text of [`${value}`, ` ${value} `, `${value}.0`, `+${value}`, `${value}e0`]) {
      expect(
        (await form(ACTION_PATH, { ...createBaseInputs(numberAction), [`fields.${name}`]: text }))
          .status,
        text,
      ).toBe(303);
      expect(JSON.parse((await readNewestLead())['fields'])[name], text).toBe(value);
    }
    for (const text of ['three', '0x10', '1,000', '3 lbs', 'Infinity', 'NaN'])
      expect(
        (await form(ACTION_PATH, { ...createBaseInputs(numberAction), [`fields.${name}`]: text }))
          .status,
        text,
      ).toBe(400);
  });

  it('has its values trimmed, line breaks normalized, and repeated names joined', async () => {
    const [name] = Object.entries(textAction.action.fields).find(
      ([, { type, content }]) => type === 'string' && !content,
    )!;
    const inputs: [string, string][] = [
      ...Object.entries(createBaseInputs(textAction)).filter(
        ([input]) => input !== `fields.${name}`,
      ),
      [`fields.${name}`, '  one\r\ntwo '],
      [`fields.${name}`, 'three'],
    ];
    expect((await form(ACTION_PATH, inputs)).status).toBe(303);
    expect(JSON.parse((await readNewestLead())['fields'])[name]).toBe('one\ntwo,three');
  });

  it('with a filled honeypot gets the usual response and is flagged', async () => {
    const response = await form(ACTION_PATH, {
      ...createBaseInputs(textAction),
      [HONEYPOT_INPUT]: 'https://spam.example',
    });
    expect(response.status).toBe(303);
    expect(JSON.parse((await readNewestLead())['suspicions'])).toEqual(['honeypot']);
    expect(JSON.stringify(await readNewestLead())).not.toContain('spam.example');
  });

  it('without a key creates one lead when sent twice from one address, and two leads from two addresses', async () => {
    const inputs = { ...createBaseInputs(textAction), 'contact.name': 'Twice' };
    const locations = [
      await form(ACTION_PATH, inputs),
      await form(ACTION_PATH, inputs),
      await form(ACTION_PATH, inputs, { address: '192.0.2.8' }),
    ].map((response) => response.headers.get('location'));
    expect(locations[1]).toBe(locations[0]);
    expect(locations[2]).not.toBe(locations[0]);
    fixture.advanceHours(1);
    expect((await form(ACTION_PATH, inputs)).headers.get('location')).not.toBe(locations[0]);
  });

  it.each([
    ['withdrawn', {}],
    ['withdrawn', { [KEY_INPUT]: 'a-key-in-the-history' }],
    ['declined', {}],
    ['erased', {}],
    ['erased', { [KEY_INPUT]: 'a-key-of-erased-data' }],
  ] as const)('sent again after its request was %s is a new request (%j)', async (state, key) => {
    const inputs = { ...createBaseInputs(textAction), 'contact.name': `Again ${state}`, ...key };
    const send = async (more = {}) =>
      (await form(ACTION_PATH, { ...inputs, ...more })).headers.get('location')!;
    const endLead = (location: string) => {
      const lead = location.split('/').at(-1)!;
      return state === 'erased'
        ? eraseLead(lead, 'person', fixture.context)
        : changeLead(
            {
              receiptToken: lead,
              to: state,
              actor: state === 'declined' ? 'provider' : 'person',
              note: 'No.',
            },
            fixture.context,
          );
    };
    const first = await send();
    expect(await send()).toBe(first);
    await endLead(first);
    const second = await send();
    expect(second).toMatch(/^\/receipt\/(?!$)/);
    expect(second).not.toBe(first);
    expect(await send()).toBe(second);
    await endLead(second);
    expect([first, second, undefined]).not.toContain(await send({ 'contact.name': 'Changed' }));
  });

  it('sent again after each of its requests was withdrawn creates at most 20 more', async () => {
    const inputs = { ...createBaseInputs(textAction), [KEY_INPUT]: 'a-key-that-is-sent-often' };
    const locations = new Set<string>();
    for (let count = 0; count < 25; count++) {
      const location = (await form(ACTION_PATH, inputs)).headers.get('location')!;
      locations.add(location);
      const receiptToken = location.split('/').at(-1)!;
      if ((await readLog(receiptToken, fixture.context)).status !== 'withdrawn')
        await changeLead({ receiptToken, to: 'withdrawn', actor: 'person' }, fixture.context);
    }
    expect(locations.size).toBe(21);
  });

  it('is shown again when refused for a reason other than its values', async () => {
    const inputs = { ...createBaseInputs(textAction), [KEY_INPUT]: 'a-key-that-is-taken' };
    await form(ACTION_PATH, inputs);
    const response = await form(ACTION_PATH, { ...inputs, 'contact.name': 'Other' });
    expect(response.status).toBe(422);
    expect(faults.at(-1)).toMatchObject({
      status: 422,
      errors: [],
      values: { 'contact.name': 'Other' },
    });
  });

  it.each(Object.keys(problemCodes) as ProblemCode[])(
    'refused with %s keeps its key for the next attempt, unless the key belongs to another input',
    async (code) => {
      const failingClient = client(
        withBatch(fixture, () => () => Promise.reject(new Problem(code, 'No.'))),
      );
      for (const keyInput of [{ [KEY_INPUT]: `a-key-for-code-${code}` }, {}] as Record<
        string,
        string
      >[]) {
        const response = await failingClient.form(ACTION_PATH, {
          ...createBaseInputs(textAction),
          'contact.name': code,
          ...keyInput,
        });
        expect(response.status).toBe(problemCodes[code].status);
        const { key } = failingClient.faults.at(-1)!;
        if (code === 'idempotency_mismatch') expect(key).toBeUndefined();
        else
          expect(key).toMatch(
            keyInput[KEY_INPUT] ? new RegExp(`^${keyInput[KEY_INPUT]}$`) : /^form-[0-9a-f-]{36}$/,
          );
      }
    },
  );

  it('without a key creates one lead when its page is resent while the answer is pending', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slowFixture = withBatch(
      fixture,
      (write) =>
        async (...args) =>
          gate.then(() => write(...args)),
    );
    const slowClient = client({
      ...slowFixture,
      context: { ...slowFixture.context, repeatWaitMs: 10 },
    });
    const leadCount = (await fixture.rows('leads')).length;
    const inputs = { ...createBaseInputs(textAction), 'contact.name': 'Patient' };
    const first = slowClient.form(ACTION_PATH, inputs);
    expect((await slowClient.form(ACTION_PATH, inputs)).status).toBe(409);
    release();
    const retryResponse = await form(ACTION_PATH, {
      ...inputs,
      [KEY_INPUT]: slowClient.faults.at(-1)!.key!,
    });
    expect([retryResponse.status, retryResponse.headers.get('location')]).toEqual([
      303,
      (await first).headers.get('location'),
    ]);
    expect((await fixture.rows('leads')).length).toBe(leadCount + 1);
  });

  it('with an invalid key is shown again with a new key', async () => {
    expect(
      (await form(ACTION_PATH, { ...createBaseInputs(textAction), [KEY_INPUT]: 'a b' })).status,
    ).toBe(400);
    expect(faults.at(-1)).toMatchObject({ status: 400, subsite: textAction.subsite.name });
    expect(faults.at(-1)!.key).toBeUndefined();
  });

  it('that belongs to no page gets a problem response', async () => {
    const response = await form(ACTION_PATH, { subsite: 'nowhere' });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  it('in the sandbox leads to the sandbox receipt', async () => {
    expect(
      (await form(ACTION_PATH, { ...createBaseInputs(textAction), sandbox: 'true' })).headers.get(
        'location',
      ),
    ).toBe('/receipt/sandbox');
  });

  it('with JSON under a form’s content type is rejected with the correct content type', async () => {
    const refused = await send(ACTION_PATH, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: JSON.stringify(createBaseInputs(textAction)),
    });
    expect(await refused.json()).toMatchObject({
      code: 'malformed_body',
      detail: 'This looks like JSON. Send it with Content-Type: application/json.',
    });
  });

  it('with an unknown structure is malformed', async () => {
    const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;
    expect(
      await codeOf(
        await multipart(ACTION_PATH, { ...createBaseInputs(textAction), file: new Blob(['x']) }),
      ),
    ).toBe('malformed_body');
    expect(await codeOf(await form(ACTION_PATH, { fields: 'x', 'fields.a': 'y' }))).toBe(
      'malformed_body',
    );
    expect(await codeOf(await form(ACTION_PATH, { 'fields.a': 'y', fields: 'x' }))).toBe(
      'malformed_body',
    );
    expect(
      await codeOf(
        await form(
          ACTION_PATH,
          Array.from({ length: 201 }, (_, index): [string, string] => [`a${index}`, 'x']),
        ),
      ),
    ).toBe('malformed_body');
    for (const depth of [8, 5_000])
      expect(
        await codeOf(
          await form(ACTION_PATH, {
            ...createBaseInputs(textAction),
            [`fields${'.a'.repeat(depth)}`]: 'x',
          }),
        ),
      ).toBe('malformed_body');
    expect(
      (
        await form(ACTION_PATH, {
          ...createBaseInputs(textAction),
          [`fields${'.a'.repeat(7)}`]: 'x',
        })
      ).status,
    ).toBe(400);
    expect(faults.at(-1)!.errors.map(({ pointer }) => pointer)).toEqual(['/fields/a']);
    for (const boundary of ['', '; boundary=x', '; boundary='])
      expect(
        await codeOf(
          await send(ACTION_PATH, {
            headers: { 'content-type': `multipart/form-data${boundary}` },
            body: 'no parts at all',
          }),
        ),
      ).toBe('malformed_body');
  });

  it('cannot pollute any prototype', async () => {
    const response = await form(ACTION_PATH, {
      ...createBaseInputs(textAction),
      '__proto__.polluted': 'x',
      'fields.__proto__.polluted': 'x',
      'fields.constructor.prototype.polluted': 'x',
    });
    expect(response.status).toBe(400);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
