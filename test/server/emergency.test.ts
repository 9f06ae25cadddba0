import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { createKey } from '../../src/keys/keys.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import type { ProviderAction } from '../../src/leads/conversation/conversation.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { readStatus } from '../../src/leads/status/read-lead-status.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { createTelUrl, phoneOf } from '../../src/site/phone.ts';
import { addNonBreakingSpaces } from '../../src/site/words/non-breaking-spaces.ts';
import { inbox, providerMail, receipt as receiptText } from '../../src/text/index.ts';
import { readBuiltSite } from '../browser/template-pages.ts';
import { listActions } from '../operations/setup/actions.ts';
import { type RunningService, serveBuild } from './serve-build.ts';

describe('pages about an emergency', () => {
  const outDir = inject('mainBuild');
  const site = readBuiltSite(outDir);
  const { subsite, action } = listActions(site).find((verb) =>
    Object.values(verb.action.fields).some(({ emergency }) => emergency !== undefined),
  )!;
  const [name, { emergency, enum: choices }] = Object.entries(action.fields).find(
    ([, field]) => field.emergency !== undefined,
  )!;
  let running: RunningService;
  let cookie: string;

  beforeAll(async () => {
    running = await serveBuild(outDir);
    const { key } = await createKey(
      { name: 'Front desk', scopes: ['inbox'], expiresAt: null },
      running.context,
    );
    const answer = await running.ask('/inbox', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ key }).toString(),
    });
    cookie = String(answer.headers['set-cookie']).split(';')[0]!;
  });
  afterAll(() => running.stop());

  /** Visible text of a page without the site layout. */
  async function fetchMain(path: string): Promise<string> {
    const { body } = await running.ask(path, { headers: { cookie, accept: 'text/html' } });
    return String(body).split('<main')[1]!.split('</main>')[0]!;
  }

  /**
   * A request with the given choice: its receipt, its reference, and the path of an answer link.
   */
  async function submitWithChoice(choice: string) {
    const { context } = running;
    const body = {
      subsite: subsite.name,
      action: action.verb,
      fields: { ...exampleValuesOf(action.fields), [name]: choice },
      contact: { phone: '(727) 555-0142' },
    };
    const input = submitAction.parse(body, context);
    const { output } = await submitAction.handle(input, { channel: 'json' }, context);
    const { reference } = await readLead(output.receiptToken, 'all', context);
    const { links } = (await readLeadEvent(reference, context))!;
    return { lead: output.receiptToken, reference, answer: new URL(links.confirm!).pathname };
  }
  const badge = 'class="badge urgent">Emergency<';
  const entryOf = (list: string, reference: string) =>
    list.split('<li>').filter((entry) => entry.includes(`/inbox/${reference}"`));

  it('mark the request for the provider, and show the customer the number to call first', async () => {
    const { lead, reference, answer: link } = await submitWithChoice(emergency!);
    const list = await fetchMain('/inbox');
    // Without a channel to providers, no single notification failed.
    expect(list).toContain(inbox.notSetUp);
    expect(list).not.toContain(inbox.entry.undelivered);
    const entries = entryOf(list, reference);
    // The mark appears in the list of leads to answer next and in the full list.
    expect(entries).toHaveLength(2);
    for (const entry of entries) {
      expect(entry).toContain(badge);
      expect(entry.split('Emergency')).toHaveLength(2);
    }
    expect(entries.join()).toContain('class="badge">due now<');
    expect(entries.join()).not.toContain('due in');
    for (const path of [`/inbox/${reference}`, link]) {
      const page = await fetchMain(path);
      expect(page).toContain(badge);
      expect(page).toContain(providerMail.answerNow);
      // The promised time may be tomorrow.
      expect(page).not.toContain('Answer promised by');
    }

    const phone = phoneOf(subsite, site.registry);
    const callInstruction = `this is an emergency: call <a href="${createTelUrl(phone)}"><span class="phone">${addNonBreakingSpaces(phone)}</span></a> now.`;
    const receipt = await fetchMain(`/receipt/${lead}`);
    expect(receipt).toContain(callInstruction);
    expect(receipt.indexOf(callInstruction)).toBeLessThan(receipt.indexOf('<h1'));
    expect(receipt).toContain('Do not wait for that: call. If anyone is in danger, call 911.');
    expect(receipt).not.toContain('Your request stays open.');
    const answer = (lead: string, action: ProviderAction, body: object) =>
      sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, body, running.context);
    await answer(lead, 'ask', { text: 'Is the power off?' });
    expect(await fetchMain(`/receipt/${lead}`)).toContain(callInstruction);
    const { lead: other } = await submitWithChoice(emergency!);
    expect(await fetchMain(`/receipt/${other}`)).toContain('not yet; promised by');
    await answer(other, 'offer', { amount: '95', currency: 'USD', expires: '24h' });
    const { offer } = await readStatus(other, running.context);
    const acceptance = sendMessage.parse(
      { receipt: other, accept: offer!.offerId },
      running.context,
    );
    await sendMessage.handle(acceptance, { channel: 'json' }, running.context);
    expect(await fetchMain(`/receipt/${other}`)).not.toContain('not yet; promised by');
    await answer(other, 'confirm', {});
    const confirmedPage = await fetchMain(`/receipt/${other}`);
    const top = confirmedPage.slice(0, confirmedPage.indexOf('</header>'));
    expect(top).not.toContain('this is an emergency');
    expect(top).toContain(`href="${createTelUrl(phone)}"`);
    expect(top).toContain('will agree on a time with you.');
    await answer(lead, 'decline', { text: 'We are full.' });
    expect(await fetchMain(`/receipt/${lead}`)).not.toContain('this is an emergency');
  });

  it('say, after a message, that it does not change the emergency, unlike other requests', async () => {
    for (const [choice, isEmergency] of [
      [emergency!, true],
      [choices!.find((one) => one !== emergency)!, false],
    ] as const) {
      const { lead } = await submitWithChoice(choice);
      const input = sendMessage.parse({ receipt: lead, text: 'Today is fine.' }, running.context);
      await sendMessage.handle(input, { channel: 'json' }, running.context);
      const page = await fetchMain(`/receipt/${lead}`);
      expect(page).toContain('“Today is fine.”');
      expect(page.includes(receiptText.unchanged.emergency)).toBe(isEmergency);
    }
  });

  it('do not mark any other request or mention an emergency in it', async () => {
    const { lead, reference, answer } = await submitWithChoice(
      choices!.find((choice) => choice !== emergency)!,
    );
    for (const entry of entryOf(await fetchMain('/inbox'), reference))
      expect(entry).not.toContain(badge);
    expect(await fetchMain(`/receipt/${lead}`)).not.toContain('If anyone is in danger');
    for (const path of [`/inbox/${reference}`, answer, `/receipt/${lead}`])
      expect(await fetchMain(path)).not.toMatch(/class="badge">Emergency|this is an emergency/);
  });
});
