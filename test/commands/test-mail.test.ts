import { expect, it } from 'vitest';
import { REJECTED_NAME, startMailReceiver } from '../deliveries/setup/receivers.ts';
import { runCommand } from '../setup/command.ts';

const runTestMail = (settings: Record<string, string>, ...args: string[]) =>
  runCommand('leads', ['test-mail', ...args], {
    REGISTRY_DIR: 'test/fixtures/network-of-four',
    ...settings,
  });

it('a test message goes to the named address or the alert address, and the server’s response is shown', async () => {
  const { url, mails } = await startMailReceiver();
  const settings = {
    SMTP_URL: url,
    MAIL_FROM: 'network@example.com',
    ALERTS_TO: 'operator@example.com',
    SITE_URL: 'https://example.com',
  };
  const sent = await runTestMail(settings);
  expect(sent).toMatchObject({ code: 0, stderr: '' });
  expect(sent.stdout).toMatch(
    /^The mail server accepted a test message to operator@example\.com\. The mail server responded: 250 /,
  );
  await runTestMail(settings, 'provider@example.com');
  const from = { name: 'Glen Libraries', address: 'network@example.com' };
  const subject = 'Test message from https://example.com';
  expect(mails).toMatchObject([
    { envelopeTo: ['operator@example.com'], subject, from },
    { envelopeTo: ['provider@example.com'], subject, from },
  ]);
});

it('each alert address that the server rejects is named', async () => {
  const { url, mails } = await startMailReceiver();
  const settings = {
    SMTP_URL: url,
    MAIL_FROM: 'network@example.com',
    ALERTS_TO: `operator@example.com, ${REJECTED_NAME}example.com`,
  };
  const sent = await runTestMail(settings);
  expect(sent).toMatchObject({ code: 1, stderr: '' });
  expect(sent.stdout).toMatch(
    /^The mail server accepted a test message to some of operator@example\.com, nobody@example\.com\. The mail server responded: 250 .*\nRejected: nobody@example\.com: 550 5\.1\.1 no such user\n$/,
  );
  expect(mails).toMatchObject([{ envelopeTo: ['operator@example.com'] }]);
});

it('an unsent test message is reported with the reason', async () => {
  const { url, faults } = await startMailReceiver();
  const settings = { SMTP_URL: url, MAIL_FROM: 'network@example.com' };
  faults.push('refuse');
  const refused = await runTestMail(settings, 'provider@example.com');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toMatch(
    /^No test message was sent to provider@example\.com\. The target rejected the message\. The mail server responded: 5\d\d /,
  );
  expect(await runTestMail(settings, 'notanaddress')).toMatchObject({
    code: 2,
    stderr:
      'error: The address is not valid. Enter one email address, for example dana@example.com.\n',
  });
  expect(await runTestMail(settings)).toMatchObject({
    code: 2,
    stderr: 'error: Specify an address, or set ALERTS_TO or LEADS_TO.\n',
  });
  expect(await runTestMail({}, 'provider@example.com')).toMatchObject({
    code: 2,
    stderr: 'error: Set SMTP_URL and MAIL_FROM first.\n',
  });
});
