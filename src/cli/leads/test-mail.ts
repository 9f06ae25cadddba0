import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { emailSchema, EMAIL_RULE } from '../../fields/kinds/email.ts';
import { outcomeTexts } from '../../leads/deliveries/channel.ts';
import { createSender } from '../../leads/deliveries/index.ts';
import { createMailSender } from '../../leads/deliveries/send-mail.ts';
import { readSettings } from '../../settings.ts';
import { exitCodes } from '../exit-codes.ts';
import type { CommandLine } from '../command-line.ts';
import { type Printer, withExamples } from '../output.ts';
import { createSite } from '../with-context.ts';

/** The command that tests the email settings. It uses no database. */
export function addTestMailCommand(program: CommandLine, print: Printer): void {
  withExamples(
    program.command('test-mail'),
    'npm run leads -- test-mail',
    'npm run leads -- test-mail provider@example.com',
  )
    .description(
      'sends a test message the same way as email about leads, and prints the mail server’s response',
    )
    .argument('[address]', 'the recipient; default: ALERTS_TO, or else LEADS_TO')
    .addUsageCheck((_, [address]) =>
      address === undefined || v.is(emailSchema, address)
        ? []
        : [`The address is not valid. ${EMAIL_RULE}`],
    )
    .action(async (address: string | undefined, _: object, command: CommandLine) => {
      const settings = readSettings();
      const { smtpUrl, mailFrom, alertsTo, leadsTo, siteUrl } = settings;
      const to = address ?? alertsTo ?? leadsTo;
      if (!smtpUrl || !mailFrom) command.error('error: Set SMTP_URL and MAIL_FROM first.');
      if (to === undefined)
        command.error('error: Specify an address, or set ALERTS_TO or LEADS_TO.');
      const {
        outcome,
        answer,
        rejections = [],
      } = await createMailSender({
        url: smtpUrl,
        serviceHost: new URL(siteUrl).hostname,
      })({
        from: createSender(mailFrom, await createSite(settings)),
        to,
        subject: `Test message from ${siteUrl}`,
        text: `This message shows that email from ${siteUrl} arrives here. You do not need to reply.\n`,
        id: randomUUID(),
        date: new Date(),
      });
      const source = outcome === 'connection' ? 'The reason' : 'The mail server responded';
      const serverResponse = answer ? ` ${source}: ${answer}` : '';
      const recipients = rejections.length ? `some of ${to}` : to;
      print(
        [
          outcome === 'sent'
            ? `The mail server accepted a test message to ${recipients}.${serverResponse}`
            : `No test message was sent to ${to}. ${outcomeTexts[outcome]}${serverResponse}`,
          ...rejections.map((rejection) => `Rejected: ${rejection}`),
        ],
        { to, outcome, answer, rejections },
      );
      if (outcome !== 'sent' || rejections.length) process.exitCode = exitCodes.refused;
    });
}
