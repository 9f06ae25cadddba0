import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/operation/operation.ts';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { KEY_PATTERN } from '../../src/operation/idempotency.ts';
import {
  leadStatuses,
  leadTransitions,
  explainInvalidTransition,
} from '../../src/leads/lead-states.ts';
import { readLeadStatus } from '../../src/leads/status/read-lead-status.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { computeAnswerDeadline } from '../../src/leads/status/promised-answer.ts';
import { findLeads } from '../../src/leads/lists/find-leads.ts';
import { isDisposable } from '../../src/leads/submit/suspicion.ts';
import { problemOf, errorsOf } from './setup/refusal.ts';
import { listActions } from './setup/actions.ts';
import { chooseCases, itWithFile, openFixture, sites, type Fixture } from './setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const [{ subsite, action }] = listActions(site).filter((verb) => {
  const kinds = Object.values(verb.action.fields);
  return (
    !verb.action.effect &&
    kinds.some(({ required }) => required) &&
    !kinds.some(({ type }) => type === 'email' || type === 'phone')
  );
}) as unknown as [ReturnType<typeof listActions>[number]];
const validRequest = {
  subsite: subsite.name,
  action: action.verb,
  fields: exampleValuesOf(action.fields),
};

const actionsWithEmail = listActions(site).flatMap((verb) =>
  Object.entries(verb.action.fields).flatMap(([name, { type }]) =>
    type === 'email' ? [{ ...verb, name }] : [],
  ),
);

const submit = async ({ context }: Fixture, body: unknown, call: Partial<Call> = {}) =>
  submitAction.handle(submitAction.parse(body, context), { channel: 'json', ...call }, context);
const status = async ({ context }: Fixture, receipt: string) =>
  (
    await readLeadStatus.handle(
      readLeadStatus.parse({ receipt }, context),
      { channel: 'json' },
      context,
    )
  ).output;

describe('a lead', async () => {
  const fixture = await openFixture(site);

  it('stores its history, source, channel, contact, notice, and deadline', async () => {
    const { output } = await submit(
      fixture,
      {
        ...validRequest,
        contact: { name: 'Dana', email: 'Dana@Example.com', phone: '(727) 555-0142' },
        source: 'newsletter',
      },
      { channel: 'mcp' },
    );
    const lead = (await fixture.rows('leads')).find((row) => row['token'] === output.receiptToken)!;
    expect(lead).toMatchObject({
      subsite: subsite.name,
      action: action.verb,
      source: 'newsletter',
      channel: 'mcp',
      status: 'new',
      contact_name: 'Dana',
      contact_email: 'dana@example.com',
      contact_phone: '+17275550142',
      retention_days: action.retentionDays,
      repeat_of: null,
    });
    expect(lead['respond_by']).toBe(
      computeAnswerDeadline(
        site.registry,
        { subsite: subsite.name, action: action.verb },
        new Date(lead['created_at']),
      ),
    );
    expect(Date.parse(lead['erase_at']) - Date.parse(lead['updated_at'])).toBe(
      action.retentionDays * 86_400_000,
    );
    expect(
      (await fixture.rows('lead_history')).filter((row) => row['lead'] === output.receiptToken),
    ).toMatchObject([{ status: 'new', at: lead['created_at'] }]);
    const [sent] = (await fixture.rows('outbox')).filter(
      (row) => row['lead'] === output.receiptToken,
    );
    expect(sent).toMatchObject({ kind: 'lead.created', due_at: lead['created_at'] });
    expect(JSON.stringify(sent)).not.toMatch(/Dana|5550142|555-0142/i);
  });

  it('shows its state to the receipt holder, but no contact or field value', async () => {
    const { output } = await submit(fixture, {
      ...validRequest,
      fields: { ...validRequest.fields },
      contact: { name: 'Zebedee', email: 'zebedee@example.com' },
    });
    const state = await status(fixture, output.receiptToken);
    expect(state).toMatchObject({
      receiptToken: output.receiptToken,
      status: 'new',
      statusUrl: output.statusUrl,
      createdAt: output.createdAt,
      updatedAt: output.createdAt,
      history: [{ status: 'new', at: output.createdAt }],
      notice: output.notice,
    });
    expect(JSON.stringify(state)).not.toMatch(/zebedee/i);
    expect(Object.keys(state).sort()).toEqual([
      'action',
      'calls',
      'createdAt',
      'history',
      'messages',
      'next',
      'notice',
      'phone',
      'receiptToken',
      'reference',
      'request',
      'respondBy',
      'status',
      'statusUrl',
      'subsite',
      'updatedAt',
    ]);
  });

  it('without an action has the network’s terms, and keeps its data', async () => {
    const input = captureLead.parse(
      {
        email: 'dana@example.com',
        source: subsite.leadSource,
        data: { page: '/x', deep: { er: [1, null, 'y'] } },
      },
      fixture.context,
    );
    const { output } = await captureLead.handle(input, { channel: 'json' }, fixture.context);
    const lead = (await fixture.rows('leads')).find((row) => row['token'] === output.receiptToken)!;
    expect(output).toMatchObject({ action: null, subsite: subsite.name });
    expect(lead).toMatchObject({
      action: null,
      source: subsite.leadSource,
      retention_days: site.registry.network.leadTerms.retentionDays,
    });
    expect(JSON.parse(lead['data'])).toEqual({ page: '/x', deep: { er: [1, null, 'y'] } });
  });

  it('is not found with an unknown receipt, whatever the token looks like', async () => {
    for (const receipt of ['V1StGXR8_Z5jdHi6B-myT', 'x', '', "'--", '../sandbox', 'Sandbox'])
      expect((await problemOf(() => status(fixture, receipt))).code).toBe('unknown_receipt');
  });

  it('is flagged but kept if the honeypot was filled in or the email address is disposable', async () => {
    const expectations = [
      [{ isHoneypotFilled: true }, 'dana@example.com', ['honeypot']],
      [{}, 'dana@mailinator.com', ['disposable_mail']],
      [{ isHoneypotFilled: true }, 'dana@mailinator.com', ['honeypot', 'disposable_mail']],
      [{}, 'dana@example.com', []],
    ] as const;
    for (const [call, email, suspicions] of expectations) {
      const { output } = await submit(fixture, { ...validRequest, contact: { email } }, call);
      expect(Object.keys(output)).not.toContain('suspicions');
      const lead = (await fixture.rows('leads')).find(
        (row) => row['token'] === output.receiptToken,
      )!;
      expect(JSON.parse(lead['suspicions'])).toEqual(suspicions);
    }
    expect(isDisposable('x@sub.mailinator.com') || isDisposable('x@MAILINATOR.com')).toBe(true);
  });

  it.each(chooseCases(actionsWithEmail))(
    'of $label is flagged for a disposable address in any email field',
    async ({ subsite, action, name }) => {
      const [validEmail, disposableEmail] = ['dana@example.com', 'dana@mailinator.com'];
      for (const [fieldEmail, contact, suspicions] of [
        [validEmail, disposableEmail, ['disposable_mail']],
        [disposableEmail, validEmail, ['disposable_mail']],
        [disposableEmail, undefined, ['disposable_mail']],
        [validEmail, validEmail, []],
      ] as const) {
        const { output } = await submit(fixture, {
          subsite: subsite.name,
          action: action.verb,
          fields: { ...exampleValuesOf(action.fields), [name]: fieldEmail },
          ...(contact && { contact: { email: contact } }),
        });
        expect(
          JSON.parse(
            (await fixture.rows('leads')).find((row) => row['token'] === output.receiptToken)![
              'suspicions'
            ],
          ),
        ).toEqual(suspicions);
      }
    },
  );

  it('from the same person for the same action within a day is linked to the first, and never dropped', async () => {
    const submitAndRead = async (body: unknown) => {
      const { output } = await submit(fixture, body);
      return (await fixture.rows('leads')).find((row) => row['token'] === output.receiptToken)!;
    };
    const createRequest = (contact: object) => ({ ...validRequest, contact });
    const first = await submitAndRead(
      createRequest({ email: 'pat@example.com', phone: '+17275550143' }),
    );
    expect(first['repeat_of']).toBeNull();
    expect((await submitAndRead(createRequest({ email: 'PAT@example.com' })))['repeat_of']).toBe(
      first['token'],
    );
    expect((await submitAndRead(createRequest({ phone: '727-555-0143' })))['repeat_of']).toBe(
      first['token'],
    );
    expect(
      (await submitAndRead(createRequest({ email: 'other@example.com' })))['repeat_of'],
    ).toBeNull();
    expect((await submitAndRead(createRequest({})))['repeat_of']).toBeNull();
    const otherAction = listActions(site).find(
      (verb) => verb.action !== action && !verb.action.effect,
    )!;
    expect(
      (
        await submitAndRead({
          subsite: otherAction.subsite.name,
          action: otherAction.action.verb,
          fields: exampleValuesOf(otherAction.action.fields),
          contact: { email: 'pat@example.com' },
        })
      )['repeat_of'],
    ).toBeNull();
    // The next day, but within 24 hours.
    fixture.advanceHours(20);
    expect((await submitAndRead(createRequest({ phone: '727-555-0143' })))['repeat_of']).toBe(
      first['token'],
    );
    fixture.advanceHours(5);
    expect(
      (await submitAndRead(createRequest({ email: 'pat@example.com' })))['repeat_of'],
    ).toBeNull();
    const foundLeads = await findLeads('pat@example.com', 'all', fixture.context);
    expect(foundLeads).toHaveLength(4);
    expect(foundLeads[0]!.createdAt.slice(0, 10)).not.toBe(foundLeads[1]!.createdAt.slice(0, 10));
  });

  it('uses the name in its own fields if the contact has none', async () => {
    const actionWithPhone = listActions(site).find((verb) =>
      Object.values(verb.action.fields).some(({ type, required }) => type === 'phone' && required),
    )!;
    const { output } = await submit(fixture, {
      subsite: actionWithPhone.subsite.name,
      action: actionWithPhone.action.verb,
      fields: exampleValuesOf(actionWithPhone.action.fields),
    });
    expect(
      (await fixture.rows('leads')).find((row) => row['token'] === output.receiptToken),
    ).toMatchObject({ contact_phone: '+17275550142', contact_email: null });
  });

  it('never appears in the log', () => {
    expect(fixture.logged).toEqual([]);
  });
});

describe('the envelope of a lead', async () => {
  const fixture = await openFixture(site);

  it('reports the errors in all of its parts at once, with a suggestion for a misspelled name', async () => {
    const body = JSON.parse(
      `{"subsite":"${subsite.name}x","conntact":{},"contact":{"email":"x","phone":"1","name":"","extra":1},"source":"a b","sandbox":"yes","__proto__":{},"constructor":1}`,
    ) as unknown;
    const errors = await errorsOf(() => submitAction.parse(body, fixture.context));
    expect(Object.keys(errors).sort()).toEqual([
      '/__proto__',
      '/action',
      '/conntact',
      '/constructor',
      '/contact/email',
      '/contact/extra',
      '/contact/name',
      '/contact/phone',
      '/sandbox',
      '/source',
      '/subsite',
    ]);
    expect(errors['/subsite']!.message).toContain(`Did you mean ${subsite.name}?`);
    expect(errors['/conntact']!.message).toContain('Did you mean contact?');
    expect(errors['/action']!.message).toContain('required');
    for (const { message } of Object.values(errors)) expect(message).toMatch(/[.?]$/);
  });

  it('lists the actions of the subsite if the action is unknown', async () => {
    const errors = await errorsOf(() =>
      submitAction.parse({ ...validRequest, action: `${action.verb}s` }, fixture.context),
    );
    expect(errors['/action']).toMatchObject({
      allowed: subsite.actions.map(({ verb }) => verb),
      message: expect.stringContaining(`Did you mean ${action.verb}?`),
    });
    const capturedRefusal = await errorsOf(() =>
      captureLead.parse(
        { email: 'a@b.co', source: subsite.leadSource, data: { action: 5 } },
        fixture.context,
      ),
    );
    expect(capturedRefusal['/data/action']!.allowed).toEqual(
      subsite.actions.map(({ verb }) => verb),
    );
  });

  it('is never repeated in an error', async () => {
    const secret = 'Zq7-canary';
    const problem = await problemOf(() =>
      submitAction.parse(
        {
          subsite: secret,
          action: secret,
          fields: { a: secret },
          contact: { email: secret, phone: secret },
          source: `${secret} ${secret}`,
        },
        fixture.context,
      ),
    );
    expect(JSON.stringify(problem.details(site.base))).not.toContain(secret);
  });

  it('must be an object', async () => {
    for (const body of [[], [validRequest], 'x', 5, true, null])
      for (const operation of [submitAction, captureLead])
        expect(Object.keys(await errorsOf(() => operation.parse(body, fixture.context)))).toContain(
          '',
        );
  });

  it('limits the size and depth of free-form data', async () => {
    const parseCapture = (data: unknown) =>
      captureLead.parse(
        { email: 'dana@example.com', source: subsite.leadSource, data },
        fixture.context,
      );
    expect(() => parseCapture({ text: 'x'.repeat(16_384 - 11) })).not.toThrow();
    let deep: unknown = 1;
    for (let level = 0; level < 17; level++) deep = [deep];
    for (const data of [
      { text: 'x'.repeat(16_384 - 10) },
      { deep },
      { text: 'é'.repeat(8_190) },
      [],
      'x',
      null,
    ])
      expect(Object.keys(await errorsOf(() => parseCapture(data)))).toEqual(['/data']);
  });

  it('accepts only the lead source of an existing subsite', async () => {
    const errors = await errorsOf(() =>
      captureLead.parse({ email: 'dana@example.com', source: 'nowhere' }, fixture.context),
    );
    expect(errors['/source']!.allowed).toEqual(
      site.registry.subsites.map(({ leadSource }) => leadSource),
    );
    expect(
      Object.keys(await errorsOf(() => captureLead.parse({}, fixture.context))).sort(),
    ).toEqual(['/email', '/source']);
  });
});

const isInFuture = (time: string) => Date.parse(time) > Date.now();

describe('the sandbox', async () => {
  for (const { name, site: network } of sites) {
    const fixture = await openFixture(network);

    it.each(chooseCases(listActions(network)))(
      `returns a complete response for $label of ${name} and stores nothing`,
      async ({ subsite: { name: owner }, action: { verb, fields, effect } }) => {
        const { output, replayed } = await submit(
          fixture,
          { subsite: owner, action: verb, fields: exampleValuesOf(fields), sandbox: true },
          { idempotencyKey: 'same for all' },
        );
        expect(output).toMatchObject({
          receiptToken: 'sandbox',
          sandbox: true,
          status: 'new',
          statusUrl: `${network.base}/api/lead/sandbox`,
          receiptUrl: `${network.base}/receipt/sandbox`,
        });
        expect(replayed).toBe(false);
        expect('service' in output).toBe(effect?.kind === 'route');
        expect('previewUrl' in output).toBe(effect?.kind === 'storefront');
        expect('hold' in output).toBe(effect?.kind === 'hold');
        for (const table of [
          'leads',
          'lead_history',
          'outbox',
          'holds',
          'storefronts',
          'idempotency',
        ] as const)
          expect(await fixture.rows(table), table).toEqual([]);
      },
    );

    it(`has a fixed sample lead for ${name} at its status address`, async () => {
      const state = await status(fixture, 'sandbox');
      expect(state).toMatchObject({
        receiptToken: 'sandbox',
        statusUrl: `${network.base}/api/lead/sandbox`,
        next: expect.arrayContaining(['accept']),
        offer: { expiresAt: expect.toSatisfy(isInFuture) },
      });
      fixture.advanceHours(1);
      expect(await status(fixture, 'sandbox')).toEqual(state);
    });
  }

  itWithFile('has the same members as a real receipt', async () => {
    const fixture = await openFixture(site);
    for (const { subsite: owner, action } of listActions(site)) {
      const body = {
        subsite: owner.name,
        action: action.verb,
        fields: exampleValuesOf(action.fields),
      };
      const [{ output: real }, { output: sandboxOutput }] = [
        await submit(fixture, body),
        await submit(fixture, { ...body, sandbox: true }),
      ];
      expect([action.verb, ...Object.keys(sandboxOutput).sort()]).toEqual([
        action.verb,
        ...Object.keys({ ...real, sandbox: true })
          .filter((member) => member !== 'reference')
          .sort(),
      ]);
      expect(real.request).toEqual(sandboxOutput.request);
    }
  });

  it('still lists every error', async () => {
    const fixture = await openFixture(site);
    expect(
      Object.keys(
        await errorsOf(() =>
          submit(fixture, { ...validRequest, fields: { stray: 1 }, sandbox: true }),
        ),
      ),
    ).toContain('/fields/stray');
  });
});

describe('the lead states', () => {
  it('lead only to existing states, and each can lead to erased', () => {
    for (const [from, targets] of Object.entries(leadTransitions)) {
      for (const to of targets) expect(leadStatuses).toContain(to);
      if (from !== 'erased') expect(targets).toContain('erased');
    }
  });

  it('change as the table allows, and only the provider confirms', () => {
    for (const from of leadStatuses)
      for (const to of leadStatuses) {
        const isPossible = (leadTransitions[from] as readonly string[]).includes(to);
        const allowedActors = (['person', 'provider', 'system'] as const).filter(
          (actor) => explainInvalidTransition(from, to, actor, 'because') === undefined,
        );
        expect(allowedActors.length > 0, `${from} to ${to}`).toBe(isPossible);
        if (to === 'confirmed' && isPossible) expect(allowedActors).toEqual(['provider']);
      }
    expect(explainInvalidTransition('confirmed', 'declined', 'provider', ' ')).toContain('note');
    expect(explainInvalidTransition('new', 'withdrawn', 'person', undefined)).toBeUndefined();
  });
});

describe('an idempotency key', () => {
  it('has 16 to 255 visible ASCII characters', () => {
    const key = new RegExp(KEY_PATTERN);
    for (const validKey of [
      '0d7bd1f0-6f7c-4f9e-9f0e-3b1f6f0c2a51',
      '"quoted-in-full"',
      '~'.repeat(255),
    ])
      expect(key.test(validKey)).toBe(true);
    for (const invalidKey of [
      '',
      '1',
      'x'.repeat(15),
      `a b${'x'.repeat(16)}`,
      'é'.repeat(16),
      'x'.repeat(256),
    ])
      expect(key.test(invalidKey)).toBe(false);
    for (const invalidKey of ['\n', '\u007f'].map((end) => `${'x'.repeat(16)}${end}`))
      expect(key.test(invalidKey)).toBe(false);
  });
});
