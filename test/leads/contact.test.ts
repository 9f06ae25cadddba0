import { describe, expect, it } from 'vitest';
import { exampleValuesOf, fieldsJsonSchemaOf, kindOf } from '../../src/fields/fields.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { listContactFieldNames } from '../../src/site/forms/contact-rule.ts';
import { fieldInstructions } from '../../src/text/index.ts';
import { toSubsiteRecord } from '../../src/artifacts/subsite-record.ts';
import { EMAIL_ENDPOINT, SHARED_LEAD_ENDPOINTS } from '../../src/site/registry.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client, inputsOf } from '../transports/setup/send.ts';

const [, ACTION_PATH] = SHARED_LEAD_ENDPOINTS as [string, string];

describe.each(sites)('the contact of a lead of $name', async ({ site }) => {
  const fixture = await openFixture(site);
  const { json, form, get, faults } = client(fixture);
  /** The action’s examples without fields that contain contact data. */
  const createUnreachableBody = (verb: ReturnType<typeof listActions>[number]) => {
    const values = exampleValuesOf(verb.action.fields);
    for (const name of listContactFieldNames(verb.action)) delete values[name];
    return { subsite: verb.subsite.name, action: verb.action.verb, fields: values };
  };
  const verbs = listActions(site);
  const actionsWithContact = verbs.filter(({ action }) => action.contact === 'required');

  it.each(actionsWithContact)(
    'must include an email or a phone in the form of $label',
    async (verb) => {
      const response = await form(ACTION_PATH, inputsOf(createUnreachableBody(verb)));
      expect(response.status).toBe(400);
      const [contactField] = listContactFieldNames(verb.action);
      const pointer = contactField ? `/fields/${contactField}` : '/contact/phone';
      expect(faults.at(-1)!.errors.find((error) => error.pointer === pointer)!.message).toEqual(
        verb.action.fields[contactField ?? '']?.required
          ? expect.stringMatching(/^It is required/)
          : fieldInstructions.contact,
      );
    },
  );

  it.each(actionsWithContact.filter(({ action }) => !listContactFieldNames(action).length))(
    'can be an email or a phone in $label, and a missing contact is listed along with other errors',
    async (verb) => {
      const body = createUnreachableBody(verb);
      for (const contact of [{ phone: '(727) 555-0142' }, { email: 'dana@example.com' }])
        expect((await form(ACTION_PATH, inputsOf({ ...body, contact }))).status).toBe(303);
      const response = await form(ACTION_PATH, { ...inputsOf(body), 'fields.nonsense': 'x' });
      expect(response.status).toBe(400);
      expect(
        faults
          .at(-1)!
          .errors.map(({ pointer }) => pointer)
          .sort(),
      ).toEqual(['/contact/phone', '/fields/nonsense']);
    },
  );

  it.each(verbs.filter(({ action }) => listContactFieldNames(action).length))(
    'can be left out of $label after the field for it, as the descriptions say',
    async ({ subsite, action }) => {
      const schema = fieldsJsonSchemaOf(action.fields) as {
        properties: Record<string, { description: string }>;
      };
      const record = toSubsiteRecord(subsite, site);
      const { fields } = record.actions.find(({ verb }) => verb === action.verb)!;
      for (const name of listContactFieldNames(action)) {
        const sentence = `If it is sent, contact.${kindOf(action.fields[name]!).contactMethod} can be omitted.`;
        expect(schema.properties[name]!.description).toContain(sentence);
        expect(fields[name]!.description).toContain(sentence);
      }
    },
  );

  it.each(verbs.filter(({ action }) => action.contact === 'optional'))(
    'is optional in the form of $label',
    async (verb) => {
      expect((await form(ACTION_PATH, inputsOf(createUnreachableBody(verb)))).status).toBe(303);
    },
  );

  it.each(verbs.filter(({ action }) => Object.hasOwn(action.fields, 'name')))(
    'takes its name from the name field of $label',
    async ({ subsite, action }) => {
      const fields = { ...exampleValuesOf(action.fields), name: ' Rosa Marin ' };
      await json(ACTION_PATH, { subsite: subsite.name, action: action.verb, fields });
      expect((await fixture.rows('leads')).at(-1)!['contact_name']).toBe('Rosa Marin');
    },
  );

  const plainAction = actionsWithContact.find(
    ({ subsite, action }) =>
      action.effect?.kind !== 'hold' && subsite.leadEndpoint !== EMAIL_ENDPOINT,
  )!;
  const submitAndReadNotices = async (
    contact: object | undefined,
    status?: 'confirmed' | 'declined',
  ) => {
    const body = { ...createUnreachableBody(plainAction), ...(contact && { contact }) };
    const response = await json(ACTION_PATH, body);
    expect(response.status).toBe(200);
    const { receiptToken, notice } = (await response.json()) as Record<string, string>;
    if (status)
      await changeLead(
        { receiptToken: receiptToken!, to: status, actor: 'operator' },
        fixture.context,
      );
    const answer = await get('/api/lead/{receipt}', { receipt: receiptToken! });
    return { first: notice!, now: ((await answer.json()) as { notice: string }).notice };
  };

  it('is reported as missing in the receipt and status if the provider would need to call', async () => {
    const noticesWithoutContact = await submitAndReadNotices(undefined);
    expect(noticesWithoutContact.first).toContain(site.registry.network.leadNotice);
    expect(noticesWithoutContact.first).toMatch(/nobody can call or write back/);
    expect(noticesWithoutContact.now).toBe(noticesWithoutContact.first);
    expect((await submitAndReadNotices(undefined, 'declined')).now).not.toMatch(/call/);
    expect((await submitAndReadNotices({ email: 'dana@example.com' })).now).toBe(
      site.registry.network.leadNotice,
    );
  });

  it.each(actionsWithContact.filter(({ subsite }) => subsite.leadEndpoint === EMAIL_ENDPOINT))(
    'must include an email, as the notice says, for anything to be sent by $label',
    async (verb) => {
      const submitAndReadNotice = async (contact: object) => {
        const response = await json(ACTION_PATH, { ...createUnreachableBody(verb), contact });
        return ((await response.json()) as { notice: string }).notice;
      };
      for (const contact of [{}, { phone: '(727) 555-0142' }])
        expect(await submitAndReadNotice(contact)).toMatch(
          /no email address, so nothing can be sent/,
        );
      expect(await submitAndReadNotice({ email: 'dana@example.com' })).not.toMatch(
        /nothing can be sent/,
      );
    },
  );

  it('is described correctly in the current state', async () => {
    const { now } = await submitAndReadNotices({ phone: '(727) 555-0142' }, 'confirmed');
    expect(now).toMatch(/^The provider confirmed/);
    expect(now).not.toMatch(/not a confirmed/);
  });
});
