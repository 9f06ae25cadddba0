import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { findMessageFaults } from '../../src/leads/conversation/customer-message.ts';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { createShareLink } from '../../src/links/create-share-link.ts';
import { listOfferedActions } from '../../src/site/registry.ts';
import { openFixture, sites } from './setup/fixture.ts';
import { errorsOf } from './setup/refusal.ts';
import { listActions } from './setup/actions.ts';

describe.each(sites)('a misplaced name in a body for $name', async ({ site }) => {
  const { context } = await openFixture(site);
  const verbs = listActions(site);
  const email = 'dana@example.com';

  it.each(verbs)(
    'at the top level of an email capture for $label is reported with its place in data',
    async (verb) => {
      const { subsite, action } = verb;
      const fields = exampleValuesOf(action.fields);
      const topLevelBody = { ...fields, email, source: subsite.leadSource, action: action.verb };
      const errors = await errorsOf(() => captureLead.parse(topLevelBody, context));
      for (const name of ['action', ...Object.keys(fields)])
        if (!['email', 'name', 'source'].includes(name))
          expect(errors[`/${name}`]?.message).toBe(
            `This name is unknown. Move it to /data/${name}.`,
          );
    },
  );

  it.each(verbs)(
    'in an email capture for $label is reported with /api/lead/action if the body is an action',
    async (verb) => {
      const { subsite, action } = verb;
      const fields = exampleValuesOf(action.fields);
      const body = { subsite: subsite.name, action: action.verb, fields, contact: { email } };
      const message =
        'This URL accepts email, source, name and data. Send a body with subsite, action, fields and contact to POST /api/lead/action, or over MCP to submit_action.';
      const { action: _, ...withoutAction } = body;
      for (const sent of [body, withoutAction])
        expect(await errorsOf(() => captureLead.parse(sent, context))).toEqual(
          Object.fromEntries(
            Object.keys(sent).map((name) => [`/${name}`, { pointer: `/${name}`, message }]),
          ),
        );
    },
  );

  const requiredContactFields = verbs.flatMap(({ label, subsite, action }) =>
    ['name', 'email', 'phone']
      .filter((name) => action.fields[name]?.required)
      .map((name) => ({ label, subsite, action, name })),
  );
  it.each(requiredContactFields)(
    'in the contact does not fill in the required $name of $label, and the error says so',
    async ({ subsite, action, name }) => {
      const contact = { name: 'Dana Reyes', email, phone: '(727) 555-0142' };
      const { [name]: _, ...fields } = exampleValuesOf(action.fields);
      const body = { subsite: subsite.name, action: action.verb, fields };
      const advice = `The ${name} in contact does not fill in this field.`;
      const messageOf = async (sent: object) =>
        (await errorsOf(() => submitAction.parse(sent, context)))[`/fields/${name}`]?.message;
      expect(await messageOf({ ...body, contact })).toContain(advice);
      expect(await messageOf(body)).not.toContain(advice);
    },
  );

  it('in an action is reported with /api/email-capture if the body is an email capture', async () => {
    const [subsite] = site.registry.subsites;
    const body = { email, source: subsite!.leadSource, name: 'Dana Reyes', data: {} };
    const message =
      'This URL accepts subsite, action, fields and contact. Send a body with email, source, name and data to POST /api/email-capture, or over MCP to capture_lead.';
    expect(await errorsOf(() => submitAction.parse(body, context))).toEqual(
      Object.fromEntries(
        ['email', 'name', 'data'].map((name) => [`/${name}`, { pointer: `/${name}`, message }]),
      ),
    );
  });

  const verbsOfOneSubsite = verbs.filter(
    ({ action }) => verbs.filter((other) => other.action.verb === action.verb).length === 1,
  );

  it.each(verbsOfOneSubsite)(
    'and every other error in a body for $label are reported even though the subsite is unknown',
    async ({ subsite, action }) => {
      const listErrors = async (name: string) => {
        const fields = { ...exampleValuesOf(action.fields), zzyzx: 1 };
        for (const field of Object.keys(action.fields).slice(0, 1))
          Object.assign(fields, { [field]: false });
        const contact = { email: 'dana' };
        const { '/subsite': subsiteError, ...others } = await errorsOf(() =>
          submitAction.parse({ subsite: name, action: action.verb, fields, contact }, context),
        );
        return { subsiteError, others };
      };
      const { subsiteError, others } = await listErrors('no-such-subsite');
      expect(subsiteError?.message).toContain('This action belongs to the subsite ');
      expect(subsiteError?.message).toContain(subsite.name);
      expect(others).toEqual((await listErrors(subsite.name)).others);
    },
  );

  it('in a body with an unknown subsite is reported without an action of another subsite', async () => {
    const { action } = verbs[0]!;
    const sent = { subsite: 'nope', action: `${action.verb}x`, fields: 'text' };
    const errors = await errorsOf(() => submitAction.parse(sent, context));
    expect(errors['/action']?.message).not.toContain('Did you mean');
    expect(errors['/action']?.message).toContain('/api/find?q=');
    expect(Object.keys(errors).sort()).toEqual(['/action', '/fields', '/subsite']);
  });

  it('is reported with the correct subsite if the action belongs to another subsite', async () => {
    const { subsite, action } = verbs[0]!;
    const other = site.registry.subsites.find(
      ({ actions }) => actions.length && !actions.some(({ verb }) => verb === action.verb),
    )!;
    const sent = { subsite: other.name, action: action.verb, fields: {} };
    const { '/action': error } = await errorsOf(() => submitAction.parse(sent, context));
    expect(error?.message).toContain('This action belongs to the subsite ');
    expect(error?.message).toContain(subsite.name);
  });

  it('causes a notice if data has fields of an action but no action', async () => {
    const [{ subsite, action, name }] = verbs.flatMap((verb) =>
      listOfferedActions(verb.subsite).includes(verb.action)
        ? Object.keys(verb.action.fields)
            .filter((field) => !['name', 'email', 'phone', 'question'].includes(field))
            .map((field) => ({ ...verb, name: field }))
        : [],
    ) as [(typeof verbs)[number] & { name: string }];
    const data = { [name]: exampleValuesOf(action.fields)[name] };
    const submitCapture = async (sentData: object) => {
      const sent = { email, source: subsite.leadSource, data: sentData };
      const call = { channel: 'json' } as const;
      return (await captureLead.handle(captureLead.parse(sent, context), call, context)).output;
    };
    expect((await submitCapture(data)).notice).toContain('add data.action');
    expect((await submitCapture(data)).notice).toContain(action.verb);
    const plainResponse = await submitCapture({
      question: 'Are you open on Sunday?',
      campaign: 'fall',
    });
    expect(plainResponse.notice).not.toContain('data.action');
  });
});

describe('other misplaced names', async () => {
  const [{ site }] = sites as [(typeof sites)[number]];
  const { context } = await openFixture(site);

  it('a message that asks for erasure gets the method to use', () => {
    expect(findMessageFaults({ erase: true })).toEqual([
      expect.objectContaining({
        pointer: '/erase',
        message: 'This name is unknown. To erase the request, send DELETE to the statusUrl.',
      }),
    ]);
  });

  it('a contact and a message of an email capture are reported with their places', async () => {
    const { leadSource } = site.registry.subsites.find(({ actions }) => !actions.length)!;
    const sent = { source: leadSource, contact: { email: 'dana@example.com' }, message: 'Hello' };
    const errors = await errorsOf(() => captureLead.parse(sent, context));
    expect(errors['/contact']?.message).toBe(
      'This name is unknown. Send email and name at the top level, and anything else, such as phone, in data.',
    );
    expect(errors['/message']?.message).toBe('This name is unknown. Move it to /data/message.');
  });

  it('an unknown field of an action is reported with the field for its information', async () => {
    const fields = { issue: 'no_cool', zip: '33701', adress: '4 Main St' };
    const sent = { subsite: 'hvac', action: 'request_hvac_service', fields };
    const errors = await errorsOf(() => submitAction.parse(sent, context));
    expect(errors['/fields/adress']?.message).toBe(
      'This name is unknown. Send it in notes, or remove it.',
    );
  });

  it.each([
    ['/fields/table_type', [], /^Remove it\. /],
    ['/message', [], /^Remove it\. /],
    ['/fields/table_type', ['zip'], /^Use one of .*, or remove it\. /],
  ] as const)(
    'text in %s that no field can hold is reported with the way to send it',
    async (pointer, omitted, advice) => {
      const { action } = listActions(site).find(({ subsite: { name } }) => name === 'tables')!;
      const sent = {
        subsite: 'tables',
        action: action.verb,
        fields: Object.fromEntries(
          Object.entries({ ...exampleValuesOf(action.fields), table_type: 'round' }).filter(
            ([name]) => !omitted.some((other) => other === name),
          ),
        ),
        message: 'Round tables.',
      };
      const errors = await errorsOf(() => submitAction.parse(sent, context));
      const message = errors[pointer]!.message.replace('This name is unknown. ', '');
      expect(message).toMatch(advice);
      expect(message).toContain(
        'send it as text to statusUrl + /messages or, over MCP, with reply_to_request',
      );
    },
  );

  it('text beside the fields is reported with the field for it', async () => {
    const fields = { issue: 'no_cool', zip: '33701' };
    const sent = { subsite: 'hvac', action: 'request_hvac_service', fields, message: '4 Main St' };
    const errors = await errorsOf(() => submitAction.parse(sent, context));
    expect(errors['/message']?.message).toBe(
      'This name is unknown. Send it in fields.notes, or remove it.',
    );
  });

  it('a share link with the member url gets the suggestion “path”', async () => {
    const errors = await errorsOf(() => createShareLink.parse({ url: '/trailers' }, context));
    expect(errors['/url']?.message).toBe('This name is unknown. Did you mean path?');
  });
});
