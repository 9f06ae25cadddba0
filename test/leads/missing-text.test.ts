import { describe, expect, it } from 'vitest';
import { exampleValuesOf } from '../../src/fields/fields.ts';
import { toSubsiteRecord } from '../../src/artifacts/subsite-record.ts';
import { composeMail } from '../../src/leads/deliveries/mail.ts';
import { readLeadEvent } from '../../src/leads/deliveries/lead-event.ts';
import { renderPersonMail } from '../../src/leads/deliveries/person/person-mail-text.ts';
import { findService } from '../../src/leads/find-service.ts';
import { readLog } from '../../src/leads/lead-log.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { sendMessage } from '../../src/leads/conversation/send-message.ts';
import { createActionEnvelope } from '../../src/leads/submit/lead-channels.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { readStatus } from '../../src/leads/status/read-lead-status.ts';
import { createSubsiteDetails } from '../../src/mcp/subsite-views.ts';
import { providerOf } from '../../src/site/service-of-request.ts';
import { fill } from '../../src/text/fill.ts';
import { personMail } from '../../src/text/index.ts';
import { receiptOf } from '../conversation/receipt-view.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const email = { email: 'dana@example.com' };
type Verb = ReturnType<typeof listActions>[number];
type Fixture = Awaited<ReturnType<typeof openFixture>>;

const HOW = 'send it as text to statusUrl + /messages or, over MCP, with reply_to_request';

const submit = async (
  { context }: Fixture,
  { subsite, action }: Verb,
  parts: { fields?: object; sandbox?: boolean } = {},
) => {
  const input = submitAction.parse(
    {
      subsite: subsite.name,
      action: action.verb,
      fields: exampleValuesOf(action.fields),
      contact: email,
      ...parts,
    },
    context,
  );
  return (await submitAction.handle(input, { channel: 'json' }, context)).output;
};

type Warned = Pick<Awaited<ReturnType<typeof submit>>, 'warnings' | 'notice'>;

const findMessage = ({ warnings = [], notice }: Warned, code: string): string | undefined => {
  const message = warnings.find((warning) => warning.code === code)?.message;
  if (message !== undefined) expect(notice).toContain(message);
  return message;
};

const readMails = async (token: string, { context }: Fixture) => {
  const log = await readLog(token, context);
  const event = (await readLeadEvent(log.reference!, context))!;
  return {
    person: renderPersonMail('receipt', event, log, { site }).text,
    provider: (await composeMail(event, context)).text.replaceAll(/[|\s]+/g, ' '),
  };
};

const reply = (receiptToken: string, text: string, { context }: Fixture) =>
  sendMessage.handle(
    sendMessage.parse({ receipt: receiptToken, text }, context),
    { channel: 'json' },
    context,
  );

const countIn = (text: string, part: string) => text.split(part).length - 1;

const hinted = listActions(site).filter(({ action }) => action.messageHint !== undefined);

describe.each(hinted)('what $label has no field for', (verb) => {
  const { subsite, action } = verb;
  const hint = action.messageHint!;

  it('is in every description of the action for software', () => {
    const { context } = { context: { site } };
    expect(toSubsiteRecord(subsite, site).actions).toContainEqual(
      expect.objectContaining({ verb: action.verb, messageHint: hint }),
    );
    expect(createSubsiteDetails(subsite, context.site).actions).toContainEqual(
      expect.objectContaining({ verb: action.verb, messageHint: hint }),
    );
    expect(createActionEnvelope(subsite, action, false)['description']).toContain(hint);
  });

  it('is in the search results', async () => {
    const { context } = await openFixture(site);
    const input = findService.parse({ q: subsite.title }, context);
    const { output } = await findService.handle(input, { channel: 'json' }, context);
    const actions = output.services.flatMap((service) => service.actions);
    expect(actions.find((one) => one.verb === action.verb)?.messageHint).toBe(hint);
  });

  it('is in the warnings of every answer until the person writes', async () => {
    const fixture = await openFixture(site);
    const sandbox = await submit(fixture, verb, { sandbox: true });
    const receipt = await submit(fixture, verb);
    const token = receipt.receiptToken;
    const act = (name: 'acknowledge' | 'offer', content: object) =>
      sendAsProvider(
        { receiptToken: token, action: name, actor: 'provider' },
        content,
        fixture.context,
      );
    await act('acknowledge', {});
    for (const answer of [sandbox, receipt, await readStatus(token, fixture.context)]) {
      expect(findMessage(answer, 'details_missing')).toContain(hint);
      expect(findMessage(answer, 'details_missing')).toContain(HOW);
    }
    const other = (await submit(fixture, verb)).receiptToken;
    await reply(token, 'Eight of the round ones.', fixture);
    expect(
      findMessage(await readStatus(token, fixture.context), 'details_missing'),
    ).toBeUndefined();
    await sendAsProvider(
      { receiptToken: other, action: 'offer', actor: 'provider' },
      { amount: '120', currency: 'USD', expires: '24h' },
      fixture.context,
    );
    expect(
      findMessage(await readStatus(other, fixture.context), 'details_missing'),
    ).toBeUndefined();
  });

  it('is only once on the page and in the email of the person, and not in the provider’s', async () => {
    const fixture = await openFixture(site);
    const { receiptToken } = await submit(fixture, verb);
    const view = await receiptOf(fixture, receiptToken);
    expect(view.warnings.map(({ code }) => code)).not.toContain('details_missing');
    expect(view.correctionUrl).toBeUndefined();
    const { person, provider } = await readMails(receiptToken, fixture);
    expect(countIn(person, hint)).toBe(1);
    for (const mail of [person, provider]) expect(mail).not.toContain(HOW);
  });
});

const visits = listActions(site).filter(({ action }) => action.visitField !== undefined);

describe.each(visits)('a missing street address for $label', (verb) => {
  const { action, subsite } = verb;
  const field = action.visitField!;
  const withText = (text: string) => ({
    fields: Object.fromEntries(
      Object.entries({ ...exampleValuesOf(action.fields), [field]: text }).map(([name, value]) => [
        name,
        name !== field && action.fields[name]!.type === 'string' ? 'Sofa' : value,
      ]),
    ),
  });
  const without = withText('two rooms');

  it('is in the warnings of every answer until the person writes it', async () => {
    const fixture = await openFixture(site);
    const sandbox = await submit(fixture, verb, { ...without, sandbox: true });
    expect(findMessage(sandbox, 'no_address')).toContain(`fields.${field}`);
    const receipt = await submit(fixture, verb, without);
    expect(findMessage(receipt, 'no_address')).toContain(HOW);
    const token = receipt.receiptToken;
    expect(findMessage(await readStatus(token, fixture.context), 'no_address')).toContain(HOW);
    await reply(token, 'It is 4 Main St.', fixture);
    expect(findMessage(await readStatus(token, fixture.context), 'no_address')).toBeUndefined();
    for (const address of ['4 Main St, after 5 pm', 'Calle Pino 12'])
      expect(
        findMessage(await submit(fixture, verb, withText(address)), 'no_address'),
      ).toBeUndefined();
  });

  it('is only once on the page and in email, and only while the request is undecided', async () => {
    const fixture = await openFixture(site);
    const { receiptToken } = await submit(fixture, verb, without);
    const view = await receiptOf(fixture, receiptToken);
    expect(view.warnings.map(({ code }) => code)).not.toContain('no_address');
    expect(view.visit.filter(([, value]) => value.includes('street address'))).toHaveLength(1);
    const { person, provider } = await readMails(receiptToken, fixture);
    const sentence = fill(personMail.noAddress, { provider: providerOf(subsite) });
    expect(countIn(person, sentence)).toBe(1);
    for (const mail of [person, provider]) expect(mail).not.toContain(HOW);
    await sendAsProvider(
      { receiptToken, action: 'confirm', actor: 'provider' },
      { text: 'At noon.' },
      fixture.context,
    );
    expect(
      findMessage(await readStatus(receiptToken, fixture.context), 'no_address'),
    ).toBeUndefined();
  });
});
