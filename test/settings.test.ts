import { describe, expect, it } from 'vitest';
import { misspelledSettings } from '../src/cli/misspelled-settings.ts';
import { readSettings, readSome, settingNames } from '../src/settings.ts';

describe('SITE_URL', () => {
  it.each([
    [{}, 'http://localhost:4321'],
    [{ PORT: '8080' }, 'http://localhost:8080'],
    [{ PORT: '0' }, 'http://localhost:4321'],
    [{ PORT: '8080', SITE_URL: 'https://example.com' }, 'https://example.com'],
  ])('by %j is %s', (environment, siteUrl) => {
    expect(readSettings(environment).siteUrl).toBe(siteUrl);
  });
});

describe('bad settings', () => {
  const bad = {
    SITE_URL: 'example.com',
    PORT_FILE: '/no/such/file',
    SMTP_URL_FILE: '/no/such/file',
    MAIL_FROM: 'network@example.com',
    RECEIPT_SIGNING_KEY_FILE: '/no/such/file',
    WEBHOOK_URL: 'https://example.com/hook',
    ALERTS_TO: 'operator@example.com',
  };
  const faults = [
    'SITE_URL: expected an absolute origin without a trailing slash, for example https://example.com.',
    ...['PORT', 'SMTP_URL', 'RECEIPT_SIGNING_KEY'].map(
      (name) => `${name}_FILE: the file cannot be read. Give the path of a readable file.`,
    ),
    'WEBHOOK_URL and WEBHOOK_SECRET: one is set without the other. Set both or neither.',
  ];

  it('are all named at once, each once', () => {
    expect(() => readSettings(bad)).toThrow(faults.join('\n'));
  });

  it('are all named where one of those that are needed is bad, and not looked at otherwise', () => {
    expect(() => readSome(['siteUrl'], bad)).toThrow(faults.join('\n'));
    expect(readSome(['outDir'], bad)).toEqual({ outDir: 'dist' });
  });
});

describe('a variable that is almost a setting', () => {
  it.each([
    ['ALERT_TO', 'ALERTS_TO'],
    ['RATE_LIMIT_READ', 'RATE_LIMIT_READS'],
    ['RATELIMIT_WRITES', 'RATE_LIMIT_WRITES'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['site_url', 'SITE_URL'],
    ['SMTP_URL_FLIE', 'SMTP_URL_FILE'],
  ])('is named with the one that is meant: %s', (name, meant) => {
    expect(misspelledSettings({ [name]: 'x' })).toEqual([
      `${name} is not a setting and has no effect. Did you mean ${meant}?`,
    ]);
  });

  it('is none of those that every system has, and no setting', () => {
    const usual = [
      'HOME',
      'HOSTNAME',
      'PATH',
      'PWD',
      'USER',
      'LANG',
      'NODE_ENV',
      'SSH_TTY',
      'MAIL',
    ];
    for (const name of [...usual, ...settingNames, ...settingNames.map((of) => `${of}_FILE`)])
      expect(misspelledSettings({ [name]: 'x' }), name).toEqual([]);
    expect(misspelledSettings({ ALERT_TO: '' })).toEqual([]);
  });
});
