import { describe, expect, it } from 'vitest';
import { renderMail } from '../../src/leads/deliveries/mail-text.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { shownTermsOf } from '../../src/leads/status/shown-terms.ts';
import { describeTerms } from '../../src/leads/status/describe-terms.ts';
import { findRequestedItem } from '../../src/site/forms/requested-item.ts';
import { formatMoney, withDollarSigns } from '../../src/site/words/words.ts';
import { shownTerms as text } from '../../src/text/index.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { listActions } from '../operations/setup/actions.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];

describe('the email to a provider', async () => {
  const fixture = await openFixture(site);
  const { context } = fixture;
  const pricedActions = listActions(site).filter(
    ({ subsite, action }) =>
      subsite.pricing && action.purpose !== 'subscription' && action.effect?.kind !== 'import',
  );

  it.each(pricedActions)(
    'names the published prices for the choices, and their notes, for $label',
    async (verb) => {
      const lead = await submitLead(context, verb);
      const log = await readLog(lead, context);
      const event = (await readLeadEvent(log.reference!, context))!;
      const terms = shownTermsOf(log, context.now(), site);
      const mail = renderMail(event, site, terms).text.replaceAll(/\n\|\s*/g, ' ');
      expect(describeTerms(terms, site).map(([name]) => name)).toContain(text.total);
      const item = findRequestedItem(site.registry, verb.subsite.name, verb.action, log.fields);
      if (item) {
        expect(mail).toContain(terms.total?.price ?? item.price);
        if (item.notes !== undefined) expect(mail).toContain(item.notes);
        return;
      }
      for (const { amount, currency, notes, for: choices = {} } of verb.subsite.pricing!) {
        const applies = Object.entries(choices).every(([name, values]) =>
          values.some((value) => value === log.fields[name]),
        );
        const price = `: ${amount === 0 ? 'free' : formatMoney(amount, currency)}.`;
        expect(mail.includes(price)).toBe(applies);
        if (notes !== undefined) expect(mail.includes(withDollarSigns(notes))).toBe(applies);
      }
      if (verb.subsite.commission)
        expect(mail).toContain(`Commission: ${verb.subsite.commission.percent}%.`);
    },
  );
});
