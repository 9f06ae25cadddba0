import { describe, expect, it } from 'vitest';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { client } from './setup/send.ts';

const LONG_TEXT = 'x'.repeat(4001);

describe.each(sites)('an error in a posted form in $name', async ({ site }) => {
  const { send } = client(await openFixture(site));

  /** The messages for a form, as a program receives them. */
  const messagesFor = async (path: string, values: Record<string, string>): Promise<string[]> => {
    const response = await send(path, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(values).toString(),
    });
    const { detail, errors = [] } = (await response.json()) as any;
    expect([400, 401]).toContain(response.status);
    return [detail, ...errors.map(({ message }: { message: string }) => message)];
  };

  /** Posts every kind of fault in the fields of an action, and in the members of its body. */
  async function listMessages(
    path: string,
    base: Record<string, string>,
    member: string,
    fields: readonly string[],
  ): Promise<string[]> {
    const fillFields = (value: string, suffix = '') =>
      Object.fromEntries(fields.map((name) => [`${member}.${name}${suffix}`, value]));
    const forms = [
      {},
      ...['no such value', '-99999.5', '99999999', LONG_TEXT].map((value) => fillFields(value)),
      fillFields('1', '.inner'),
      { [member]: 'text' },
      { contact: 'text' },
      { 'contact.email': 'dana', 'contact.phone': '1', sandbox: 'maybe', notify: 'maybe' },
      { callback: 'text', contract: 'text', source: '?' },
      { 'callback.url': 'https://example.com/hook' },
    ];
    const messages: string[] = [];
    for (const form of forms)
      messages.push(...(await messagesFor(path, { ...base, zzyzx: '1', ...form })));
    return messages;
  }

  it.each(listActions(site))('never mentions JSON for $label', async ({ subsite, action }) => {
    const names = Object.keys(action.fields);
    const actionForm = { subsite: subsite.name, action: action.verb, sandbox: 'true' };
    const captureForm = { email: 'dana', source: subsite.leadSource, 'data.action': action.verb };
    const messages = [
      ...(await listMessages('/api/lead/action', actionForm, 'fields', names)),
      ...(await listMessages('/api/email-capture', captureForm, 'data', names)),
    ];
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(message).not.toMatch(/JSON|quotes/);
  });

  it('names the form input for a value in the wrong place', async () => {
    const [{ subsite, action }] = listActions(site).filter(
      (verb) => Object.keys(verb.action.fields).length > 0,
    ) as [ReturnType<typeof listActions>[number]];
    const [name] = Object.keys(action.fields) as [string];
    const body = { subsite: subsite.name, action: action.verb, [name]: '1', sandbox: 'true' };
    expect(await messagesFor('/api/lead/action', body)).toContain(
      `This name is unknown. Use the name fields.${name}.`,
    );
  });

  it.each([
    ['fields[zip]', 'fields.zip'],
    ['fields[zip][]', 'fields.zip'],
    ['contact[email]', 'contact.email'],
    ['callback[url]', 'callback.url'],
    ['source[]', 'source'],
  ])('names the form input for %s', async (bracketed, name) => {
    const [{ subsite, action }] = listActions(site) as [ReturnType<typeof listActions>[number]];
    const body = { subsite: subsite.name, action: action.verb, [bracketed]: '1', sandbox: 'true' };
    expect(await messagesFor('/api/lead/action', body)).toContain(
      `This name is unknown. Use the name ${name}.`,
    );
  });
});
