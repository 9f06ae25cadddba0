import { describe, expect, it } from 'vitest';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { isEmergency } from '../../src/site/emergency.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { findEmergency } from '../operations/setup/actions.ts';
import { drain, startMailDesk, submitLead } from './setup/drain.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const { verb, name, emergency, other } = findEmergency(site);

/**
 * The emails about a request with the given choice: the first email, and the email after an answer.
 */
async function mailsOf(choice: string, contact: object) {
  const fixture = await openFixture(site);
  const { receiver, channel } = await startMailDesk(site);
  const lead = await submitLead(fixture.context, verb, contact, { [name]: choice });
  await drain([channel], fixture.context);
  await sendAsProvider(
    { receiptToken: lead, action: 'acknowledge', actor: 'provider' },
    {},
    fixture.context,
  );
  await drain([channel], fixture.context);
  return receiver.mails;
}

describe('email about an emergency', () => {
  it('says so in its subject and first line, with the number to call', async () => {
    const [first, next] = await mailsOf(emergency!, { phone: '+17275550142' });
    expect(first!.subject).toMatch(/^Emergency: /);
    expect(first!.text!.split('\n')[0]).toBe(
      'Emergency: the customer says that this cannot wait. Call (727) 555-0142.',
    );
    // The text does not promise an answer at a later time.
    expect(first!.text).not.toContain('Please answer by');
    expect(first!.text).toContain('an emergency cannot wait until then.');
    expect(next!.subject).toMatch(/^Emergency: You acknowledged it: /);
  });

  it('asks for an answer if there is no number to call', async () => {
    const [first] = await mailsOf(emergency!, { email: 'dana@example.com' });
    expect(first!.text!.split('\n')[0]).toBe(
      'Emergency: the customer says that this cannot wait. Please answer now.',
    );
  });

  it('is not sent for any other request', async () => {
    const mails = await mailsOf(other, { phone: '+17275550142' });
    expect(mails).toHaveLength(2);
    for (const { subject, text } of mails) expect(`${subject} ${text}`).not.toMatch(/emergency/i);
  });
});

it('puts no colon after a label that is a question', async () => {
  const [first] = await mailsOf(other, { email: 'dana@example.com' });
  expect(first!.text).toMatch(/^\| .*\? \w/m);
  expect(first!.text).not.toContain('?:');
});

it('depends only on the record', () => {
  expect(isEmergency(verb.action, { [name]: emergency })).toBe(true);
  expect(isEmergency(verb.action, { [name]: other })).toBe(false);
  expect(isEmergency(verb.action, {})).toBe(false);
  expect(isEmergency(undefined, { [name]: emergency })).toBe(false);
});
