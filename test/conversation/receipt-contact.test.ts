import { describe, expect, it } from 'vitest';
import { deliveryAttempts } from '../../db/schema-deliveries.ts';
import { stopMail } from '../../src/leads/deliveries/person/stop-mail.ts';
import { readMaskedContact } from '../../src/leads/status/masked-contact.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { openFixture } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';
import { listWithheldValues } from '../../src/components/receipt/withheld-values.ts';
import { labelOf } from '../../src/site/words/field-words.ts';
import { receiptOf } from './receipt-view.ts';
import { site } from './leads-in-states.ts';

describe('the contact on a receipt', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const mailContext = { ...context, isCustomerEmailEnabled: true };
  const verb = listActions(site).find(({ action }) => action.contact === 'required')!;
  const readContactOnReceipt = async (contact: object, serverContext = mailContext) =>
    readMaskedContact(await submitLead(serverContext, verb, contact), serverContext);
  const email = 'dana@example.com';
  const maskedEmail = 'd•••@example.com';

  it('states that the person gets email only if they do', async () => {
    expect(await readContactOnReceipt({ email })).toEqual({ email: maskedEmail, mail: 'mailed' });
    expect(
      await readContactOnReceipt({ email }, { ...context, isCustomerEmailEnabled: false }),
    ).toEqual({
      email: maskedEmail,
      mail: 'unmailed',
    });
    expect(await readContactOnReceipt({ phone: '(727) 555-0199' })).toEqual({
      phone: '(•••) •••-0199',
      mail: 'unmailed',
    });
    const leadWithoutMail = await submitLead(mailContext, verb, { email });
    await stopMail(leadWithoutMail, mailContext);
    expect((await readMaskedContact(leadWithoutMail, mailContext)).mail).toBe('unmailed');
  });

  it('says when the mail server rejects the address', async () => {
    const lead = await submitLead(mailContext, verb, { email });
    const [{ id }] = (await fixture.rows('outbox')).filter((row) => row['lead'] === lead) as [
      { id: string },
    ];
    const attempt = { event: id, channel: 'person', ms: 1, outcome: 'address_rejected' };
    const readMail = async (response: string, serverContext = mailContext) => {
      const at = context.now().toISOString();
      await context.database.writer.insert(deliveryAttempts).values({ ...attempt, at, response });
      return (await readMaskedContact(lead, serverContext)).mail;
    };
    expect(await readMail('450 4.1.1')).toBe('mailed');
    expect(await readMail('550 5.1.1')).toBe('rejected');
    expect(await readMail('550', { ...context, isCustomerEmailEnabled: false })).toBe('unmailed');
  });

  it('is hidden together with the text fields of a storefront', async () => {
    const storefrontAction = listActions(site).find(
      ({ action }) => action.effect?.kind === 'storefront',
    )!;
    const { action } = storefrontAction;
    const { lead } = await receiptOf(
      fixture,
      await submitLead(context, storefrontAction, { email }),
    );
    const { ideaField } = action.effect as { ideaField: string };
    const values = listWithheldValues(
      lead.request.withheld,
      storefrontAction.subsite,
      action,
      undefined,
    );
    expect(values.map(({ label }) => label)).toContain(
      labelOf(ideaField, action.fields[ideaField]!),
    );
    expect(values).toHaveLength(lead.request.withheld.length);
  });
});
