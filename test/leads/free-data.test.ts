import { expect, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import { readAnswerableLead } from '../../src/leads/conversation/answer-lead.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { providerMail } from '../../src/text/index.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];

it('free data with names like the service’s own facts is shown apart from the facts', async () => {
  const fixture = await openFixture(site);
  const web = client(fixture);
  const response = await web.json('/api/email-capture', {
    email: 'dana@example.com',
    source: site.registry.subsites[0]!.leadSource,
    data: { 'operator note': 'Pay first.', question: 'Are you open?' },
  });
  expect(response.ok).toBe(true);
  const freeData = [['Operator note', 'Pay first.']];
  const enteredValues = [['Question', 'Are you open?']];

  const event = (await readLeadEvent(
    String((await fixture.rows('outbox')).at(-1)!['id']),
    fixture.context,
  ))!;
  const mail = renderMail(event, site).text;
  expect(mail.indexOf('| Operator note: Pay first.')).toBeGreaterThan(
    mail.indexOf(`\n${providerMail.freeData}\n`),
  );
  expect(mail).toMatch(/\nREQUEST\n\n\| Question: Are you open\?\n\n/);

  const link = event.links.acknowledge!.split('/answer/')[1]!;
  expect(await readAnswerableLead(link, fixture.context)).toMatchObject({
    enteredValues,
    freeData,
  });

  const { key } = await createKey(
    { name: 'Desk', scopes: ['inbox'], expiresAt: null },
    fixture.context,
  );
  const signIn = await web.form('/inbox', { key });
  const cookie = signIn.headers.get('set-cookie')!.split(';')[0]!;
  const page = await web.get(`/inbox/${event.lead.reference}`, {}, { headers: { cookie } });
  expect(await page.json()).toMatchObject({ enteredValues, freeData });
});
