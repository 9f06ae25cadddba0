import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import * as v from 'valibot';
import { DEFAULT_OUT_DIR, isLiteralPath } from './environment.js';
import {
  DEFAULT_DAILY_WRITES,
  DEFAULT_HOLDS_PER_CALLER,
  DEFAULT_RATE_LIMITS,
} from './site/default-rate-limits.ts';

const createWholeNumberSchema = (minimum: number, maximum: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/),
    v.transform(Number),
    v.minValue(minimum),
    v.maxValue(maximum),
  );

const flag = v.pipe(
  v.picklist(['0', '1']),
  v.transform((value) => value === '1'),
);

const origin = v.pipe(
  v.string(),
  v.check(
    (value) =>
      URL.canParse(value) &&
      /^https?:$/.test(new URL(value).protocol) &&
      new URL(value).origin === value,
  ),
);

const createUrlSchema = (...protocols: string[]) =>
  v.pipe(
    v.string(),
    v.check((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol)),
  );

/** Matches a host name, which, unlike an IPv4 address, does not end with a number. */
const HOST_NAME_PATTERN = /^(?:[a-z\d_-]+\.)*(?!\d+$)[a-z\d_-]+$/i;

/**
 * True if the library accepts a string as the path of a database file or the URL of a
 * libsql-server. In-memory databases are excluded because they allow only one connection.
 */
function isDatabaseUrl(text: string): boolean {
  try {
    if (text.startsWith('file:')) {
      const path = decodeURIComponent(text.slice('file:'.length));
      return isLiteralPath(path) && /^(?!:memory:)[^?]+$/.test(path);
    }
    const { protocol, host, port, username, password, hash, searchParams } = new URL(text);
    const tls = searchParams.get('tls');
    const hasOnlyKnownParameters = [...searchParams.keys()].every(
      (name) =>
        name === 'authToken' ||
        (name === 'tls' && protocol === 'libsql:' && (tls === '1' || (tls === '0' && port !== ''))),
    );
    return (
      /^(?:libsql|https?):\/\//.test(text) &&
      host !== '' &&
      hasOnlyKnownParameters &&
      `${username}${password}${hash}` === ''
    );
  } catch {
    return false;
  }
}

/**
 * True if all parameters of an SMTP URL are known. A misspelled `tls` parameter would be ignored,
 * and the password could be sent unencrypted.
 */
const hasSmtpParameters = (text: string): boolean =>
  URL.canParse(text) &&
  [...new URL(text).searchParams].every(
    ([name, value]) =>
      name === 'name' || (name === 'tls' && ['required', 'optional', 'off'].includes(value)),
  );

const literalPath = v.pipe(v.string(), v.check(isLiteralPath));

/** Matches an email address, alone or after a name: `Bayline <desk@example.com>`. */
const MAILBOX_PATTERN = /^(?:[^<>]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/;

/** Matches a comma between addresses, but not one inside a quoted name. */
const ADDRESS_SEPARATOR = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;

const mailboxes = {
  schema: v.pipe(
    v.string(),
    v.check((text) =>
      text.split(ADDRESS_SEPARATOR).every((one) => MAILBOX_PATTERN.test(one.trim())),
    ),
  ),
  expected: 'one or more email addresses, separated by commas, such as desk@example.com',
};

const providerUrl = {
  schema: v.pipe(createUrlSchema('http:', 'https:'), v.regex(/[^/]$/)),
  expected: 'an http: or https: URL without a trailing slash',
};

const webhookSecret = {
  schema: v.pipe(v.string(), v.regex(/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/)),
  expected:
    'a Standard Webhooks secret (whsec_ and base64), such as the output of echo whsec_$(openssl rand -base64 32)',
};

/** True if a string is an Ed25519 private key in PEM format. */
function isSigningKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

const signingKey = {
  schema: v.pipe(v.string(), v.check(isSigningKey)),
  expected:
    'an Ed25519 private key in PEM format (PKCS #8), as written by openssl genpkey -algorithm ed25519',
};

/** Pairs of settings that must be set together. */
export const pairedSettings = [
  ['smtpUrl', 'mailFrom'],
  ['webhookUrl', 'webhookSecret'],
  ['videoProviderUrl', 'videoProviderSecret'],
  ['researchProviderUrl', 'researchProviderSecret'],
] as const;

/** Settings whose value is the URL of a service that the server calls. */
export const outboundUrls = ['webhookUrl', 'videoProviderUrl', 'researchProviderUrl'] as const;

/** The largest limit that a setting accepts; 0 means no limit. */
export const MAX_LIMIT = 1_000_000;

/** Creates a setting for a limit; `label` says what is counted. */
const createLimitSetting = <Default extends string>(defaultValue: Default, label: string) => ({
  defaultValue,
  schema: createWholeNumberSchema(0, MAX_LIMIT),
  expected: `${label}, a whole number; 0 means no limit`,
});

/** A setting: its default as text, its schema, and the accepted values in words. */
export interface Setting {
  defaultValue?: string;
  schema: v.GenericSchema<string, string | number | boolean>;
  expected: string;
}

/** All settings by name. The environment variable is the name in capitals: SITE_URL for siteUrl. */
export const settings = {
  siteUrl: {
    defaultValue: 'http://localhost:4321',
    schema: origin,
    expected: 'an absolute origin without a trailing slash, such as https://example.com',
  },
  host: {
    defaultValue: '127.0.0.1',
    schema: v.pipe(
      v.string(),
      v.check((text) => isIP(text) !== 0 || HOST_NAME_PATTERN.test(text)),
    ),
    expected:
      'an IP address or host name of this machine, without a port, such as 127.0.0.1 or ::1',
  },
  port: {
    defaultValue: '4321',
    schema: createWholeNumberSchema(0, 65_535),
    expected: 'a port from 0 to 65535',
  },
  databaseUrl: {
    defaultValue: 'file:./data/frontage.db',
    schema: v.pipe(v.string(), v.check(isDatabaseUrl)),
    expected:
      'file: followed by the path of a file, such as file:./data/frontage.db, or a libsql:, http: or https: address of a server; write the whole path, because ~ and $NAME are not expanded',
  },
  databaseAuthToken: { schema: v.string(), expected: 'a token' },
  rateLimitWrites: createLimitSetting(String(DEFAULT_RATE_LIMITS.writes), 'requests per minute'),
  rateLimitReads: createLimitSetting(String(DEFAULT_RATE_LIMITS.reads), 'requests per minute'),
  budgets: {
    defaultValue: 'on',
    schema: v.pipe(
      v.picklist(['on', 'off']),
      v.transform((value) => value === 'on'),
    ),
    expected: 'on, or off for a load test',
  },
  leadsPerAddress: createLimitSetting(String(DEFAULT_DAILY_WRITES), 'leads in 24 hours'),
  messagesPerAddress: createLimitSetting(String(DEFAULT_DAILY_WRITES), 'messages in 24 hours'),
  holdsPerContact: createLimitSetting('3', 'unconfirmed holds'),
  holdsPerAddress: createLimitSetting(String(DEFAULT_HOLDS_PER_CALLER), 'unconfirmed holds'),
  holdsShare: {
    defaultValue: '50',
    schema: createWholeNumberSchema(0, 100),
    expected: 'percent of a catalog, 1 to 100; 0 means no limit',
  },
  storefrontsPerContact: createLimitSetting('3', 'storefronts in 24 hours'),
  storefrontsPerAddress: createLimitSetting('5', 'storefronts in 24 hours'),
  storefrontsPerDay: createLimitSetting('200', 'storefronts in 24 hours'),
  shareLinksPerAddress: createLimitSetting('200', 'share links in 24 hours'),
  a2aTasksPerAddress: createLimitSetting('200', 'A2A tasks in 24 hours'),
  emailedLeadsPerAddress: createLimitSetting('50', 'leads in 24 hours'),
  questionsPerAddress: createLimitSetting(
    String(DEFAULT_RATE_LIMITS.questions),
    'questions per minute',
  ),
  minFreeDisk: {
    defaultValue: '536870912',
    schema: createWholeNumberSchema(0, Number.MAX_SAFE_INTEGER),
    expected: 'bytes, a whole number; 0 means no limit',
  },
  smtpUrl: {
    schema: v.pipe(createUrlSchema('smtp:', 'smtps:'), v.check(hasSmtpParameters)),
    expected:
      'an smtp: or smtps: URL, such as smtp://user:password@mail.example.com:587, with #, @ and / in the password written as %23, %40 and %2F; the only parameters are name and tls, which is required, optional or off',
  },
  mailFrom: {
    schema: v.pipe(v.string(), v.regex(MAILBOX_PATTERN)),
    expected: 'an email address, such as desk@example.com or Bayline <desk@example.com>',
  },
  leadsTo: mailboxes,
  alertsTo: mailboxes,
  webhookUrl: { schema: createUrlSchema('http:', 'https:'), expected: 'an http: or https: URL' },
  linkSecret: {
    schema: v.pipe(v.string(), v.minLength(32)),
    expected: 'at least 32 random characters',
  },
  metricsPort: { schema: createWholeNumberSchema(1, 65_535), expected: 'a port from 1 to 65535' },
  webhookSecret,
  videoProviderUrl: providerUrl,
  videoProviderSecret: webhookSecret,
  researchProviderUrl: providerUrl,
  researchProviderSecret: webhookSecret,
  receiptSigningKey: signingKey,
  agentCardKey: signingKey,
  allowPrivateTargets: { defaultValue: '0', schema: flag, expected: '0 or 1' },
  logLevel: {
    defaultValue: 'info',
    schema: v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
  },
  trustProxy: {
    defaultValue: '0',
    schema: createWholeNumberSchema(0, 10),
    expected: 'the number of proxies in front of the server, 0 to 10',
  },
  sourceDateEpoch: {
    schema: createWholeNumberSchema(0, 8_640_000_000_000),
    expected: 'seconds since 1970-01-01T00:00:00Z, a whole number',
  },
  registryDir: {
    defaultValue: 'registry',
    schema: literalPath,
    expected:
      'the path of the registry folder; write the whole path, because ~ and $NAME are not expanded',
  },
  outDir: {
    defaultValue: DEFAULT_OUT_DIR,
    schema: literalPath,
    expected:
      'the path of the build folder; write the whole path, because ~ and $NAME are not expanded',
  },
  dynamic: {
    defaultValue: '1',
    schema: flag,
    expected: '1, or 0 for a purely static deployment',
  },
} as const satisfies Record<string, Setting>;
