import type { Context } from '../../operation/context.ts';
import { countStrandedDeliveries } from './outbox-state.ts';
import type { Settings } from '../../settings.ts';
import type { Site } from '../../site/site.ts';
import type { OperatorMail } from './operator-alerts.ts';
import { createCallbackChannel } from './callback.ts';
import { CALLBACK_CHANNEL, type Channel, PERSON_CHANNEL, PUSH_CHANNEL } from './channel.ts';
import { createMailChannel, recipientOf } from './mail.ts';
import { createPersonMailChannel } from './person/person-mail.ts';
import { createMailSender, type Sender } from './send-mail.ts';
import { createWebhookChannel } from './webhook.ts';
import { pluralize, formatQuantity } from '../../site/words/quantity.ts';

export type DeliverySettings = Partial<
  Pick<
    Settings,
    | 'smtpUrl'
    | 'mailFrom'
    | 'leadsTo'
    | 'alertsTo'
    | 'webhookUrl'
    | 'webhookSecret'
    | 'allowPrivateTargets'
  >
>;

/** The sender of all email; named after the network if the address has no name. */
export const createSender = (mailFrom: string, { registry }: Pick<Site, 'registry'>): Sender =>
  mailFrom.includes('<') ? mailFrom : { name: registry.network.name, address: mailFrom };

/** The configured channels to providers; empty if leads appear only in the inbox. */
export function createProviderChannels(
  {
    smtpUrl,
    mailFrom,
    leadsTo,
    webhookUrl,
    webhookSecret,
    allowPrivateTargets: allowPrivate = false,
  }: DeliverySettings,
  { site, now }: Pick<Context, 'site' | 'now'>,
): Channel[] {
  return [
    ...(smtpUrl && mailFrom
      ? [createMailChannel({ url: smtpUrl, from: createSender(mailFrom, site), to: leadsTo, site })]
      : []),
    ...(webhookUrl && webhookSecret
      ? [createWebhookChannel({ url: webhookUrl, secret: webhookSecret, allowPrivate, now })]
      : []),
  ];
}

/** Whether people get email about their requests, and from which address. */
export const personMailSettingsOf = ({
  smtpUrl,
  mailFrom,
}: DeliverySettings): Required<Pick<Context, 'isCustomerEmailEnabled'>> &
  Pick<Context, 'senderAddress'> =>
  smtpUrl !== undefined && mailFrom !== undefined
    ? {
        isCustomerEmailEnabled: true,
        senderAddress: /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom,
      }
    : { isCustomerEmailEnabled: false };

/**
 * The channels to the customer: callbacks for programs, and email for people if a mail server is
 * configured.
 */
export const createCustomerChannels = (
  { smtpUrl, mailFrom, allowPrivateTargets: allowPrivate = false }: DeliverySettings,
  { site, now }: Pick<Context, 'site' | 'now'>,
): Channel[] => [
  createCallbackChannel({ site, allowPrivate, now }),
  ...(smtpUrl && mailFrom
    ? [createPersonMailChannel({ url: smtpUrl, from: createSender(mailFrom, site), site })]
    : []),
];

/** The email configuration for operator alerts; undefined without a recipient. */
export const createOperatorMail = (
  { smtpUrl, mailFrom, alertsTo }: DeliverySettings,
  site: Pick<Site, 'base' | 'registry'>,
): OperatorMail | undefined =>
  smtpUrl && mailFrom && alertsTo
    ? {
        send: createMailSender({ url: smtpUrl, serviceHost: new URL(site.base).hostname }),
        from: createSender(mailFrom, site),
        to: alertsTo,
      }
    : undefined;

/** Startup warnings about the delivery of leads. */
export function listDeliveryNotices(
  settings: DeliverySettings,
  { site }: Pick<Context, 'site'>,
): string[] {
  const hasMailServer = settings.smtpUrl !== undefined && settings.mailFrom !== undefined;
  if (!hasMailServer && !settings.webhookUrl)
    return [
      'Leads wait in the inbox: nobody is notified. Set SMTP_URL and MAIL_FROM, or WEBHOOK_URL and WEBHOOK_SECRET, to notify providers.',
    ];
  const unaddressed =
    hasMailServer && !settings.webhookUrl
      ? site.registry.subsites.filter(
          ({ name }) => recipientOf(name, { site, to: settings.leadsTo }) === undefined,
        )
      : [];
  return unaddressed.length
    ? [
        `${formatQuantity(unaddressed.length, 'subsite has', 'subsites have')} no delivery address, so leads wait in the inbox. Set LEADS_TO, or set notify in the subsite records.`,
      ]
    : [];
}

/**
 * Startup warnings about deliveries that wait for a removed channel.
 * @throws {DatabaseUnavailableError}
 */
export async function listStrandedDeliveryNotices(
  settings: DeliverySettings,
  { site, database }: Pick<Context, 'site' | 'database'>,
): Promise<string[]> {
  const names = createProviderChannels(settings, { site, now: () => new Date() }).map(
    ({ name }) => name,
  );
  // If no channel is configured, there is already another warning.
  const strandedDeliveries = names.length
    ? await countStrandedDeliveries([...names, PERSON_CHANNEL, CALLBACK_CHANNEL, PUSH_CHANNEL], {
        database,
      })
    : [];
  return strandedDeliveries.map(
    ({ channel, count }) =>
      `${formatQuantity(count, 'delivery waits', 'deliveries wait')} for the channel ${channel}, which is not set up. Set it up again, or end ${pluralize(count, 'it', 'them')} with: npm run leads -- settle --channel ${channel}`,
  );
}
