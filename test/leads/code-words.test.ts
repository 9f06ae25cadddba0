import { expect, it } from 'vitest';
import { describeLead, formatSummary } from '../../src/cli/leads/describe-lead.ts';
import {
  CALLBACK_CHANNEL,
  channelNames,
  outcomeTexts,
  PERSON_CHANNEL,
  PUSH_CHANNEL,
  type Outcome,
} from '../../src/leads/deliveries/channel.ts';
import { type LeadRecord, readLead } from '../../src/leads/lists/lead-records.ts';
import { keysOf } from '../../src/site/json-object.ts';
import { inboxLead, suspicions } from '../../src/text/index.ts';
import { submitLead } from '../deliveries/setup/drain.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const channels = [...channelNames, PERSON_CHANNEL, CALLBACK_CHANNEL, PUSH_CHANNEL];
const CODE_PATTERN = /\b[a-z]+[_.][a-z]+\b/;

/** Deliveries with every outcome, ended and pending. */
const listDeliveries = (): LeadRecord['deliveries'] =>
  channels.flatMap((channel) =>
    keysOf(outcomeTexts).flatMap((code: Outcome) =>
      [null, '2027-01-31T15:00:00.000Z'].map((dueAt) => ({
        event: 'EVENT',
        kind: 'lead.created',
        revision: 1,
        channel,
        attempts: 1,
        outcome: code,
        lastOutcome: code,
        lastResponse: null,
        sentAt: null,
        dueAt,
      })),
    ),
  );

it('the operator reads words instead of the codes of outcomes, events, channels and signs of spam', async () => {
  const { context } = await openFixture(site);
  const token = await submitLead(context, listActions(site)[0]!);
  const lead = await readLead(token, 'all', context);
  const deliveries = listDeliveries();
  for (const channel of Object.keys(inboxLead.arrivalChannels)) {
    const lines = describeLead(
      { ...lead, channel, fields: {}, email: null, suspicions: keysOf(suspicions), deliveries },
      [],
      undefined,
      [
        {
          event: 'OTHER',
          kind: 'lead.changed',
          revision: 2,
          channel: 'mail',
          reason: 'It was too old.',
        },
      ],
      'America/New_York',
      false,
    ).slice(1);
    // The first line names the action, as the filters do.
    for (const line of lines) expect(line).not.toMatch(CODE_PATTERN);
    expect(lines[0]).not.toMatch(new RegExp(` by ${channel}\\b`));
    expect(lines).toContain(`  ${suspicions.honeypot}`);
    expect(lines.join('\n').match(/ not delivered, 1 attempt\n/g)).toHaveLength(
      deliveries.length / 2,
    );
  }
});

it('a list does not promise that a message will still be delivered, because it may have failed for good', async () => {
  const { context } = await openFixture(site);
  const token = await submitLead(context, listActions(site)[0]!);
  const lead = await readLead(token, 'all', context);
  const late = { ...lead, undelivered: true, undeliveredToPerson: true };
  const line = formatSummary(late, 'America/New_York');
  expect(line).toContain('  not delivered to the provider  email to the customer not delivered');
  expect(line).not.toContain(' yet');
});
