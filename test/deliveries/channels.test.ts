import { formatPhone } from '../../src/fields/kinds/phone.ts';
import { changeLead } from '../../src/leads/change-lead.ts';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sql } from 'drizzle-orm';
import type { Channel } from '../../src/leads/deliveries/channel.ts';
import { createProviderChannels } from '../../src/leads/deliveries/index.ts';
import { deliver } from '../../src/leads/deliveries/deliver.ts';
import {
  planDeliveries,
  requeueUnaddressedLeads,
} from '../../src/leads/deliveries/plan-deliveries.ts';
import {
  describeDeliveryFault,
  describeLateDeliveries,
} from '../../src/leads/deliveries/delivery-faults.ts';
import { readLead } from '../../src/leads/lists/lead-records.ts';
import { createMailChannel } from '../../src/leads/deliveries/mail.ts';
import { createWebhookChannel } from '../../src/leads/deliveries/webhook.ts';
import { answerNames } from '../../src/leads/conversation/answer-link.ts';
import { readOutboxState } from '../../src/leads/deliveries/outbox-state.ts';
import { redeliverLateMessages } from '../../src/leads/deliveries/redeliver-leads.ts';
import { eraseLead } from '../../src/leads/erase/erase-lead.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { listActions } from '../operations/setup/actions.ts';
import { openFixture, sites, type Fixture } from '../operations/setup/fixture.ts';
import {
  type MailReceiver,
  REJECTED_NAME,
  startHttpReceiver,
  startMailReceiver,
} from './setup/receivers.ts';
import { drain, startMailDesk, submitLead } from './setup/drain.ts';

const [{ site }] = sites as unknown as [(typeof sites)[number]];
const verb = listActions(site).find(
  ({ action }) => !action.effect && Object.values(action.fields).some(({ type }) => type === 'zip'),
)!;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const now = () => new Date();

const table = (fixture: Fixture, name: string) =>
  fixture.database.writer.all<Record<string, unknown>>(sql`select * from ${sql.identifier(name)}`);
const readAttemptOutcomes = async (fixture: Fixture) =>
  (await table(fixture, 'delivery_attempts')).map(({ outcome }) => outcome);

describe('the webhook', () => {
  it('arrives eventually, whatever the receiver does, and is always the same event', async () => {
    const fixture = await openFixture(site);
    const receiver = await startHttpReceiver();
    const other = await startHttpReceiver();
    receiver.handlers.push(
      () => undefined,
      (_, response) => response.writeHead(403).end(),
      (_, response) => response.writeHead(410).end(),
      (_, response) => response.writeHead(500).end('Traceback'),
      (_, response) => response.writeHead(302, { location: other.url }).end(),
      (_, response) => response.writeHead(307, { location: other.url }).end(),
      (request) => request.socket.destroy(),
      (_, response) => void response.writeHead(200).write('half'),
      (_, response) => response.end('x'.repeat(70_000)),
    );
    const channel = createWebhookChannel({
      url: receiver.url,
      secret: SECRET,
      allowPrivate: true,
      now,
      timeoutMs: 1_000,
    });
    await submitLead(fixture.context, verb);
    await drain([channel], fixture.context);
    expect(await readAttemptOutcomes(fixture)).toEqual([
      'timeout',
      'refused',
      'refused',
      'failed',
      'redirected',
      'redirected',
      'connection',
      'timeout',
      'too_large',
      'sent',
    ]);
    expect(other.requests).toEqual([]);
    const [{ id }] = (await fixture.rows('outbox')) as [{ id: string }];
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([id]),
    );
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    for (const { headers, body } of receiver.requests)
      expect(() =>
        new Webhook(SECRET).verify(body, headers as Record<string, string>),
      ).not.toThrow();
    expect(await table(fixture, 'deliveries')).toMatchObject([
      {
        event: id,
        channel: 'webhook',
        attempts: 10,
        due_at: null,
        outcome: 'sent',
        lease_owner: null,
      },
    ]);
    expect((await table(fixture, 'deliveries'))[0]!['sent_at']).not.toBeNull();
  });

  it('has the request, the contact, and a link for each answer, but never the receipt token', async () => {
    const fixture = await openFixture(site);
    const receiver = await startHttpReceiver();
    const token = await submitLead(fixture.context, verb);
    await drain(
      [createWebhookChannel({ url: receiver.url, secret: SECRET, allowPrivate: true, now })],
      fixture.context,
    );
    const { type, timestamp, data } = JSON.parse(receiver.requests[0]!.body);
    const [lead] = await fixture.rows('leads');
    expect(type).toBe('lead.created');
    expect(timestamp).toBe(lead!['created_at']);
    expect(data).toMatchObject({
      subsite: verb.subsite.name,
      action: verb.action.verb,
      status: 'new',
      contact: { name: 'Dana Reyes', email: 'dana@example.com', phone: null },
      fields: JSON.parse(lead!['fields']),
      respondBy: lead!['respond_by'],
    });
    expect(Object.keys(data.links)).toEqual(answerNames);
    for (const link of Object.values(data.links))
      expect(link).toMatch(new RegExp(`^${site.base}/answer/`));
    expect(receiver.requests[0]!.body).not.toContain(token);
  });

  it('reports a withdrawal, and reports an erasure without personal data', async () => {
    const fixture = await openFixture(site);
    const receiver = await startHttpReceiver();
    const channel = createWebhookChannel({
      url: receiver.url,
      secret: SECRET,
      allowPrivate: true,
      now,
    });
    const token = await submitLead(fixture.context, verb);
    await drain([channel], fixture.context);
    await changeLead({ receiptToken: token, to: 'withdrawn', actor: 'person' }, fixture.context);
    await drain([channel], fixture.context);
    await eraseLead(token, 'person', fixture.context);
    await drain([channel], fixture.context);
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ type, data }) => [type, data.change?.to])).toEqual([
      ['lead.created', undefined],
      ['lead.changed', 'withdrawn'],
      ['lead.changed', 'erased'],
    ]);
    expect(bodies[2].data).toMatchObject({
      contact: { name: null, email: null, phone: null },
      fields: {},
      change: { by: 'person' },
      reference: bodies[0].data.reference,
    });
    expect(bodies[2].data).not.toHaveProperty('links');
  });

  it('never reports a lead that was erased before delivery', async () => {
    const fixture = await openFixture(site);
    const receiver = await startHttpReceiver();
    receiver.handlers.push((_, response) => response.writeHead(500).end());
    const channel = createWebhookChannel({
      url: receiver.url,
      secret: SECRET,
      allowPrivate: true,
      now,
    });
    const token = await submitLead(fixture.context, verb);
    await drain([channel], fixture.context, { rounds: 1 });
    await eraseLead(token, 'person', fixture.context);
    await drain([channel], fixture.context);
    expect(receiver.requests.map(({ body }) => JSON.parse(body).type)).toEqual([
      'lead.created',
      'lead.changed',
    ]);
    expect(
      (await table(fixture, 'deliveries')).map(({ outcome, due_at }) => [outcome, due_at]),
    ).toEqual([
      ['erased', null],
      ['sent', null],
    ]);
  });
});

describe('email to a provider', () => {
  const openMail = async () => {
    const fixture = await openFixture(site);
    const receiver = await startMailReceiver();
    const addresses = { from: 'leads@network.example', to: 'desk@network.example' };
    const channels = [createMailChannel({ url: receiver.url, ...addresses, site })];
    return { ...fixture, receiver, channels };
  };

  it('is not retried if the mail server permanently rejects the address, until the operator corrects it', async () => {
    // Its subsites have no addresses of their own.
    const network = sites.find(({ name }) => name === 'the network of four')!.site;
    const fixture = await openFixture(network);
    const { context } = fixture;
    const receiver = await startMailReceiver();
    const createChannels = (to: string) => [
      createMailChannel({ url: receiver.url, from: 'leads@network.example', to, site: network }),
    ];
    const misspelled = createChannels(`${REJECTED_NAME}network.example`);
    const token = await submitLead(context, listActions(network)[0]!);
    await drain(misspelled, context);
    fixture.advanceHours(24);
    await drain(misspelled, context);
    const { deliveries } = await readLead(token, 'all', context);
    expect(deliveries).toMatchObject([
      {
        attempts: 1,
        outcome: 'given_up',
        lastOutcome: 'address_rejected',
        lastResponse: '550 5.1.1',
        dueAt: null,
      },
    ]);
    expect(await readOutboxState(context)).toMatchObject({ givenUp: 1 });
    expect(
      await describeLateDeliveries({ until: context.now().toISOString(), limit: 10 }, context),
    ).toEqual([
      'email to the provider, 1 message: The mail server rejected the address (550 5.1.1). This error is permanent, so the message is not retried. Correct notify in the record of the subsite, or LEADS_TO, and then run: npm run leads -- redeliver --late',
    ]);
    await redeliverLateMessages(context);
    await drain(createChannels('desk@network.example'), context);
    expect(receiver.mails.length).toBe(1);
  });

  it('is logged without addresses if the mail server accepts only some of them', async () => {
    const network = sites.find(({ name }) => name === 'the network of four')!.site;
    const fixture = await openFixture(network);
    const { context } = fixture;
    const receiver = await startMailReceiver();
    const channel = createMailChannel({
      url: receiver.url,
      from: 'leads@network.example',
      to: `desk@network.example, ${REJECTED_NAME}network.example`,
      site: network,
    });
    await submitLead(context, listActions(network)[0]!);
    await drain([channel], context);
    expect(receiver.mails).toMatchObject([{ envelopeTo: ['desk@network.example'] }]);
    expect(fixture.logged).toEqual([
      [
        expect.objectContaining({ channel: 'mail', rejectedRecipients: 1 }),
        'The mail server rejected some of the addresses in LEADS_TO. Test each: npm run leads -- test-mail <address>',
      ],
    ]);
    expect(JSON.stringify(fixture.logged)).not.toContain('@');
  });

  it.each([
    ['person', 'The customer had this request erased'],
    ['operator', 'The operator erased this request'],
    ['system', 'This request was erased because its retention period has ended'],
  ] as const)('says that the %s erased a request', async (actor, words) => {
    const { context, receiver, channels } = await openMail();
    const token = await submitLead(context, verb);
    await drain(channels, context);
    await eraseLead(token, actor, context);
    await drain(channels, context);
    expect(receiver.mails[1]!.text).toContain(words);
  });

  it('says that a request which ended before it was delivered needs nothing', async () => {
    const { context, receiver, channels } = await openMail();
    const token = await submitLead(context, verb);
    await planDeliveries(channels, context);
    await changeLead({ receiptToken: token, to: 'declined', actor: 'operator' }, context);
    await deliver('test', channels, context);
    const [{ text }] = receiver.mails as [MailReceiver['mails'][number]];
    expect(text).toMatch(
      /^A request came in and is now closed: “Declined”\. There is nothing to do\.\n\n/,
    );
    expect(text).not.toContain('Please answer');
  });

  it('does not say that the customer canceled a request if the operator did so for them', async () => {
    const { context, receiver, channels } = await openMail();
    const token = await submitLead(context, verb);
    await planDeliveries(channels, context);
    await changeLead({ receiptToken: token, to: 'withdrawn', actor: 'operator' }, context);
    await deliver('test', channels, context);
    expect(receiver.mails[0]!.text).toContain('“Canceled”');
  });

  it('arrives eventually, whatever the server does, and is always the same message', async () => {
    const fixture = await openFixture(site);
    const receiver = await startMailReceiver();
    receiver.faults.push('hang', 'refuse', 'busy', 'drop');
    const channel = createMailChannel({
      url: receiver.url,
      from: 'Frontage <leads@network.example>',
      to: 'desk@network.example',
      site,
      timeoutMs: 2_500,
    });
    await submitLead(fixture.context, verb);
    await drain([channel], fixture.context);
    expect(await readAttemptOutcomes(fixture)).toEqual([
      'timeout',
      'refused',
      'failed',
      'failed',
      'sent',
    ]);
    expect(receiver.mails.length).toBe(1);
    const [{ id }] = (await fixture.rows('outbox')) as [{ id: string }];
    expect(receiver.mails[0]!.messageId).toBe(`<${id}@network.example>`);
  });

  it('is plain text with the whole request, is sent to the subsite’s address, and directs replies to the customer', async () => {
    const subsite = { ...verb.subsite, notify: 'provider@example.org' };
    const siteWithProvider = {
      ...site,
      registry: {
        ...site.registry,
        subsites: site.registry.subsites.map((other) => (other === verb.subsite ? subsite : other)),
      },
    };
    const fixture = await openFixture(siteWithProvider);
    const { receiver, channel } = await startMailDesk(siteWithProvider);
    const hostileName = 'Dana\r\nBcc: everyone@example.com';
    const token = await submitLead(fixture.context, verb, {
      name: hostileName,
      email: 'dana@example.com',
      phone: '+17275550142',
    });
    await drain([channel], fixture.context);
    const [mail] = receiver.mails;
    expect(mail).toMatchObject({
      envelopeTo: ['provider@example.org'],
      from: { address: 'leads@network.example' },
    });
    expect(mail!.html).toBeUndefined();
    expect(mail!.attachments).toEqual([]);
    expect(mail!.bcc).toBeUndefined();
    expect(mail!.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    const [lead] = await fixture.rows('leads');
    for (const value of Object.values(JSON.parse(lead!['fields'])))
      expect(mail!.text).toContain(String(value).split('\n')[0]);
    for (const value of [
      'dana@example.com',
      '(727) 555-0142',
      verb.subsite.title,
      verb.action.title,
    ])
      expect(mail!.text).toContain(value);
    expect(mail!.text!.match(/\/answer\//g)).toHaveLength(answerNames.length);
    expect(mail!.subject).not.toMatch(/dana/i);
    expect(mail!.text).not.toContain(token);
  });

  it('names the customer and the request in each message, and explains how to answer, because a reply would quote the answer links', async () => {
    const fixture = await openFixture(site);
    const { receiver, channel } = await startMailDesk(site);
    const personChannel: Channel = {
      name: 'person',
      accepts: ({ lead }) => lead.contact.email !== null,
      send: async () => ({ outcome: 'sent' }),
    };
    const contacts = [
      [
        { name: 'Dana', email: 'dana@example.com' },
        'Please do not email the customer directly: only what you send with a link appears on the request’s page and counts as an answer.',
        'gets this by email',
      ],
      [
        { name: 'desk@network.example', email: 'eve@example.com' },
        'Please do not email the customer directly',
        'gets this by email',
      ],
      [
        { name: 'Dana', phone: '+17275550142' },
        'Call (727) 555-0142',
        'left no email address. Call',
      ],
      [{ name: 'Dana' }, 'To answer, open a link:', 'no email address or phone number'],
    ] as const;
    for (const [contact, instruction, reach] of contacts) {
      receiver.mails.length = 0;
      const token = await submitLead(fixture.context, verb, contact);
      await sendAsProvider(
        { receiptToken: token, action: 'reply', actor: 'provider' },
        { text: 'We will look at it.' },
        fixture.context,
      );
      await drain([channel, personChannel], fixture.context);
      expect(receiver.mails.length).toBe(2);
      for (const mail of receiver.mails) {
        const { organization } = site.registry.network;
        expect(mail.replyTo).toEqual([{ name: organization.name, address: organization.email }]);
        expect(mail.text).toMatch(
          /\nA reply to this message reaches [^\n]+, not the customer. [^\n]+\n\n[^\n]+ open a link:\n\n[^]*?:\n(.*\n)?http/,
        );
        expect(mail.text).toContain(instruction);
        const [lead] = (await fixture.rows('leads')).slice(-1);
        for (const value of [
          ...Object.values(JSON.parse(lead!['fields'])),
          ...Object.values(contact).map(formatPhone),
        ])
          expect(mail.text).toContain(String(value).split('\n')[0]);
      }
      const providerMail = receiver.mails.find(({ text }) =>
        text!.startsWith('You wrote to the customer.'),
      );
      expect(providerMail?.text).toContain(reach);

      await sendAsProvider(
        { receiptToken: token, action: 'decline', actor: 'operator' },
        {},
        fixture.context,
      );
      await drain([channel], fixture.context);
      const closingMail = receiver.mails.at(-1)!;
      expect(closingMail.text).not.toContain('/answer/');
      const { organization } = site.registry.network;
      expect(closingMail.replyTo).toEqual([
        { name: organization.name, address: organization.email },
      ]);
      expect(closingMail.text).toMatch(
        /\nA reply to this message reaches .*, not the customer\.\n$/,
      );
    }
  });

  const unaddressedSite = {
    ...site,
    registry: {
      ...site.registry,
      subsites: site.registry.subsites.map(({ notify: _, ...rest }) => rest),
    },
  };

  it('tells everyone who reads the mailbox that the provider declined or canceled a request', async () => {
    const fixture = await openFixture(site);
    const { receiver, channel } = await startMailDesk(site);
    const visit = listActions(site).find(({ action }) => action.visitField !== undefined)!;
    const lead = await submitLead(fixture.context, visit, { email: 'dana@example.com' }, {});
    const send = (action: 'confirm' | 'decline', text: string) =>
      sendAsProvider({ receiptToken: lead, action, actor: 'provider' }, { text }, fixture.context);
    await send('confirm', 'We come Friday at 9 am.');
    await send('decline', 'The truck broke down.');
    await drain([channel], fixture.context);
    const { subject, text } = receiver.mails.at(-1)!;
    expect(subject).toMatch(/^You canceled it: /);
    expect(text).toContain('You canceled the request, which you had confirmed.');
    expect(text).toContain('This no longer applies: “We come Friday at 9 am.”');
    expect(text).not.toContain('/answer/');
  });

  it('is not sent without a recipient', async () => {
    const fixture = await openFixture(site);
    const receiver = await startMailReceiver();
    const unaddressed = listActions(site).find(
      ({ subsite, action }) => !subsite.notify && !action.effect,
    );
    const channel = createMailChannel({
      url: receiver.url,
      from: 'leads@network.example',
      site: unaddressedSite,
    });
    await submitLead(fixture.context, unaddressed ?? verb);
    await drain([channel], fixture.context);
    expect(receiver.mails).toEqual([]);
    expect(await table(fixture, 'deliveries')).toMatchObject([
      { channel: 'mail', outcome: 'no_address', attempts: 0, due_at: null, sent_at: null },
    ]);
  });

  it('waits for an address if the recipient was removed after the email was planned', async () => {
    const fixture = await openFixture(site);
    const { context } = fixture;
    const receiver = await startMailReceiver();
    const createChannel = (to?: string) =>
      createMailChannel({
        url: receiver.url,
        from: 'leads@network.example',
        to,
        site: unaddressedSite,
      });
    const token = await submitLead(context, verb);
    await planDeliveries([createChannel('provider@c.example')], context);
    await deliver('test', [createChannel()], context);
    const { deliveries } = await readLead(token, 'all', context);
    expect(deliveries).toMatchObject([
      { channel: 'mail', outcome: 'no_address', attempts: 1, dueAt: null, sentAt: null },
    ]);
    const { channel, lastOutcome, lastResponse } = deliveries[0]!;
    expect(describeDeliveryFault(channel, lastOutcome!, lastResponse)).toContain('LEADS_TO');
    await requeueUnaddressedLeads([createChannel('provider@c.example')], context);
    await drain([createChannel('provider@c.example')], context);
    expect(receiver.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([['provider@c.example']]);
  });
});

describe('email over TLS', () => {
  const readCertificate = (name: string) =>
    readFileSync(`test/fixtures/certificates/${name}.pem`, 'utf8');
  const defaultCertificates = getCACertificates('default');

  it.each([
    ['from the start', true],
    ['by STARTTLS', false],
  ])(
    '%s is verified against the host name, though the connection goes to its resolved address',
    async (_, secure) => {
      setDefaultCACertificates([
        ...defaultCertificates,
        readCertificate('localhost'),
        readCertificate('elsewhere.example'),
      ]);
      onTestFinished(() => setDefaultCACertificates(defaultCertificates));
      const verifiedServer = await startMailReceiver({
        pem: readCertificate('localhost'),
        startsWithTls: secure,
      });
      const wrongHostServer = await startMailReceiver({
        pem: readCertificate('elsewhere.example'),
        startsWithTls: secure,
      });
      const fixture = await openFixture(site);
      await submitLead(fixture.context, verb);
      const channel = ({ url }: { url: string }) =>
        createMailChannel({
          url: `${url}?tls=required`,
          from: 'leads@network.example',
          to: 'desk@network.example',
          site,
        });
      await drain([channel(wrongHostServer)], fixture.context, { rounds: 1 });
      await drain([channel(verifiedServer)], fixture.context);
      expect(await readAttemptOutcomes(fixture)).toEqual(['connection', 'sent']);
      expect([wrongHostServer.mails.length, verifiedServer.mails.length]).toEqual([0, 1]);
    },
  );

  it('is not sent to a server with an untrusted certificate', async () => {
    const receiver = await startMailReceiver({
      pem: readCertificate('localhost'),
      startsWithTls: true,
    });
    const fixture = await openFixture(site);
    await submitLead(fixture.context, verb);
    await drain(
      [
        createMailChannel({
          url: receiver.url,
          from: 'leads@network.example',
          to: 'desk@network.example',
          site,
        }),
      ],
      fixture.context,
      { rounds: 1 },
    );
    expect(await readAttemptOutcomes(fixture)).toEqual(['connection']);
    expect(receiver.mails).toEqual([]);
  });
});

describe('email with a password', () => {
  const certificate = readFileSync('test/fixtures/certificates/localhost.pem', 'utf8');
  const channel = (url: string) =>
    createMailChannel({ url, from: 'leads@network.example', to: 'desk@network.example', site });
  const withLogin = (url: string) => url.replace('://', '://desk:hunter2@');

  it.each([
    ['no TLS', undefined, 'tls'],
    ['an untrusted certificate', certificate, 'connection'],
  ])('is not sent to a server with %s unless the operator allows it', async (_, pem, outcome) => {
    const receiver = await startMailReceiver({ ...(pem && { pem }), supportsLogin: true });
    const fixture = await openFixture(site);
    await submitLead(fixture.context, verb);
    await drain([channel(withLogin(receiver.url))], fixture.context, { rounds: 1 });
    expect(await readAttemptOutcomes(fixture)).toEqual([outcome]);
    expect([receiver.logins, receiver.mails]).toEqual([[], []]);
    await drain([channel(`${withLogin(receiver.url)}?tls=optional`)], fixture.context);
    expect(receiver.logins).toEqual(['desk hunter2']);
    expect(receiver.mails.length).toBe(1);
  });

  it('does not use TLS if the operator has turned it off', async () => {
    const receiver = await startMailReceiver({ pem: certificate, supportsLogin: true });
    const fixture = await openFixture(site);
    await submitLead(fixture.context, verb);
    await drain([channel(`${withLogin(receiver.url)}?tls=off`)], fixture.context);
    expect(receiver.mails.length).toBe(1);
    expect(receiver.tlsFlags).toEqual([false]);
  });
});

describe('email without a password', () => {
  const pem = readFileSync('test/fixtures/certificates/localhost.pem', 'utf8');

  it.each([
    ['without TLS', {}, false],
    ['with a self-signed certificate', { pem }, true],
  ])(
    'goes through a relay on this machine %s, while webhooks still cannot reach private addresses',
    async (_, options, isEncrypted) => {
      const receiver = await startMailReceiver(options);
      const webhookReceiver = await startHttpReceiver();
      const fixture = await openFixture(site);
      await submitLead(fixture.context, verb);
      const channels = createProviderChannels(
        {
          smtpUrl: receiver.url,
          mailFrom: 'leads@network.example',
          leadsTo: 'desk@network.example',
          webhookUrl: webhookReceiver.url,
          webhookSecret: SECRET,
        },
        { site, now },
      );
      await drain(channels, fixture.context, { rounds: 1 });
      expect((await readAttemptOutcomes(fixture)).sort()).toEqual(['private_address', 'sent']);
      expect([receiver.mails.length, webhookReceiver.requests]).toEqual([1, []]);
      expect(receiver.tlsFlags).toEqual([isEncrypted]);
    },
  );
});

describe('a private address', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '[::1]',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '[::ffff:127.0.0.1]',
    '[fd00::1]',
    '2130706433',
    '0x7f.1',
  ])('%s is refused by the webhook', async (host) => {
    const fixture = await openFixture(site);
    const webhookReceiver = createWebhookChannel({
      url: `http://${host}:9/`,
      secret: SECRET,
      allowPrivate: false,
      now,
    });
    await submitLead(fixture.context, verb);
    await drain([webhookReceiver], fixture.context, { rounds: 1 });
    expect(await readAttemptOutcomes(fixture)).toEqual(['private_address']);
  });
});
