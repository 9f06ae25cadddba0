import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { CONTACT_NEEDED, contactFieldNames } from '../../src/site/forms/contact-rule.ts';
import { EMAIL_ENDPOINT, SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import { verbsOf } from '../operations/setup/verbs.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client, inputsOf } from '../transports/setup/send.ts';

const [, ACTION] = SHARED_LEAD_ENDPOINTS as [string, string];

describe.each(sites)('the contact of a lead of $name', async ({ site }) => {
  const fixture = await openFixture(site);
  const { json, form, get, faults } = client(fixture);
  /** The action’s examples without fields that contain contact data. */
  const unreachable = (verb: ReturnType<typeof verbsOf>[number]) => {
    const values = exampleValuesOf(verb.action.fields);
    for (const name of contactFieldNames(verb.action)) delete values[name];
    return { subsite: verb.subsite.name, action: verb.action.verb, fields: values };
  };
  const verbs = verbsOf(site);
  const verbsWithContact = verbs.filter(({ action }) => action.contact === 'required');

  it.each(verbsWithContact)(
    'must include an email or a phone in the form of $label',
    async (verb) => {
      const response = await form(ACTION, inputsOf(unreachable(verb)));
      expect(response.status).toBe(400);
      const [contactField] = contactFieldNames(verb.action);
      const pointer = contactField ? `/fields/${contactField}` : '/contact/phone';
      expect(faults.at(-1)!.errors.find((error) => error.pointer === pointer)!.message).toEqual(
        verb.action.fields[contactField ?? '']?.required
          ? expect.stringMatching(/^It is required/)
          : CONTACT_NEEDED,
      );
    },
  );

  it.each(verbsWithContact.filter(({ action }) => !contactFieldNames(action).length))(
    'can be an email or a phone in $label, and a missing contact is listed along with other errors',
    async (verb) => {
      const body = unreachable(verb);
      for (const contact of [{ phone: '(727) 555-0142' }, { email: 'dana@example.com' }])
        expect((await form(ACTION, inputsOf({ ...body, contact }))).status).toBe(303);
      const response = await form(ACTION, { ...inputsOf(body), 'fields.nonsense': 'x' });
      expect(response.status).toBe(400);
      expect(
        faults
          .at(-1)!
          .errors.map(({ pointer }) => pointer)
          .sort(),
      ).toEqual(['/contact/phone', '/fields/nonsense']);
    },
  );

  it.each(verbs.filter(({ action }) => action.contact === 'optional'))(
    'is optional in the form of $label',
    async (verb) => {
      expect((await form(ACTION, inputsOf(unreachable(verb)))).status).toBe(303);
    },
  );

  it.each(verbs.filter(({ action }) => Object.hasOwn(action.fields, 'name')))(
    'takes its name from the name field of $label',
    async ({ subsite, action }) => {
      const fields = { ...exampleValuesOf(action.fields), name: ' Rosa Marin ' };
      await json(ACTION, { subsite: subsite.name, action: action.verb, fields });
      expect((await fixture.rows('leads')).at(-1)!['contact_name']).toBe('Rosa Marin');
    },
  );

  const plainVerb = verbsWithContact.find(
    ({ subsite, action }) =>
      action.effect?.kind !== 'hold' && subsite.leadEndpoint !== EMAIL_ENDPOINT,
  )!;
  const noticeAfter = async (contact: object | undefined, status?: 'confirmed' | 'declined') => {
    const body = { ...unreachable(plainVerb), ...(contact && { contact }) };
    const response = await json(ACTION, body);
    expect(response.status).toBe(200);
    const { receiptToken, notice } = (await response.json()) as Record<string, string>;
    if (status)
      await changeLead({ lead: receiptToken!, to: status, actor: 'operator' }, fixture.context);
    const answer = await get('/api/lead/{receipt}', { receipt: receiptToken! });
    return { first: notice!, now: ((await answer.json()) as { notice: string }).notice };
  };

  it('is reported as missing in the receipt and status if the provider would need to call', async () => {
    const withoutContact = await noticeAfter(undefined);
    expect(withoutContact.first).toContain(site.registry.network.leadNotice);
    expect(withoutContact.first).toMatch(/nobody can call or write back/);
    expect(withoutContact.now).toBe(withoutContact.first);
    expect((await noticeAfter(undefined, 'declined')).now).not.toMatch(/call/);
    expect((await noticeAfter({ email: 'dana@example.com' })).now).toBe(
      site.registry.network.leadNotice,
    );
  });

  it.each(verbsWithContact.filter(({ subsite }) => subsite.leadEndpoint === EMAIL_ENDPOINT))(
    'must include an email, as the notice says, for anything to be sent by $label',
    async (verb) => {
      const noticeFor = async (contact: object) => {
        const response = await json(ACTION, { ...unreachable(verb), contact });
        return ((await response.json()) as { notice: string }).notice;
      };
      for (const contact of [{}, { phone: '(727) 555-0142' }])
        expect(await noticeFor(contact)).toMatch(/no email address, so nothing can be sent/);
      expect(await noticeFor({ email: 'dana@example.com' })).not.toMatch(/nothing can be sent/);
    },
  );

  it('is described correctly in the current state', async () => {
    const { now } = await noticeAfter({ phone: '(727) 555-0142' }, 'confirmed');
    expect(now).toMatch(/^The provider confirmed/);
    expect(now).not.toMatch(/not a confirmed/);
  });
});
