import { createPrivateKey } from 'node:crypto';
import * as v from 'valibot';
import { DEFAULT_OUT_DIR, isLiteralPath } from './environment.js';
import { DEFAULT_RATE_LIMITS } from './site/default-rate-limits.ts';

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
 * True if all parameters of an SMTP URL are known; a misspelled parameter would leave a password
 * unprotected.
 */
const hasSmtpParameters = (text: string): boolean =>
  URL.canParse(text) &&
  [...new URL(text).searchParams].every(
    ([name, value]) =>
      name === 'name' || (name === 'tls' && ['required', 'optional', 'off'].includes(value)),
  );

const literalPath = v.pipe(v.string(), v.check(isLiteralPath));

/** An email address, alone or after a name: `Bayline <desk@example.com>`. */
const MAILBOX_PATTERN = /^(?:[^<>]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/;

/** A comma that separates addresses, not one in a quoted name. */
const ADDRESS_SEPARATOR = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;

const mailbox = {
  defaultValue: undefined,
  form: v.pipe(v.string(), v.regex(MAILBOX_PATTERN)),
  expected: 'an email address, such as desk@example.com or Bayline <desk@example.com>',
};

const mailboxes = {
  defaultValue: undefined,
  form: v.pipe(
    v.string(),
    v.check((text) =>
      text.split(ADDRESS_SEPARATOR).every((one) => MAILBOX_PATTERN.test(one.trim())),
    ),
  ),
  expected: 'an email address, or several separated by commas, such as desk@example.com',
};

const providerUrl = {
  defaultValue: undefined,
  form: v.pipe(createUrlSchema('http:', 'https:'), v.regex(/[^/]$/)),
  expected: 'an http: or https: URL without a trailing slash',
};

const webhookSecret = {
  defaultValue: undefined,
  form: v.pipe(v.string(), v.regex(/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/)),
  expected:
    'a Standard Webhooks secret, whsec_ and base64, such as the output of echo whsec_$(openssl rand -base64 32)',
};

/** True if a string is an Ed25519 private key in PEM. */
function isSigningKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

const signingKey = {
  defaultValue: undefined,
  form: v.pipe(v.string(), v.check(isSigningKey)),
  expected:
    'an Ed25519 private key in PEM (PKCS #8), as written by openssl genpkey -algorithm ed25519',
};

/** Settings that work only together. */
export const pairs = [
  ['smtpUrl', 'mailFrom'],
  ['webhookUrl', 'webhookSecret'],
  ['videoProviderUrl', 'videoProviderSecret'],
  ['researchProviderUrl', 'researchProviderSecret'],
] as const;

/** A setting for a budget: a limit per contact, per address or in total. */
const createBudgetSetting = <Default extends string>(defaultValue: Default, label: string) => ({
  defaultValue,
  form: createWholeNumberSchema(0, 1_000_000),
  expected: `${label}, a whole number; 0 means no limit`,
});

/**
 * Each setting: its environment name, its default as text, its schema, and its requirements in
 * words.
 */
export const settings = {
  siteUrl: {
    name: 'SITE_URL',
    defaultValue: 'http://localhost:4321',
    form: origin,
    expected: 'an absolute origin without a trailing slash, such as https://example.com',
  },
  host: {
    name: 'HOST',
    defaultValue: '127.0.0.1',
    form: v.pipe(v.string(), v.minLength(1)),
    expected: 'an address to listen on, such as 127.0.0.1',
  },
  port: {
    name: 'PORT',
    defaultValue: '4321',
    form: createWholeNumberSchema(0, 65_535),
    expected: 'a port from 0 to 65535',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    defaultValue: 'file:./data/frontage.db',
    form: v.pipe(v.string(), v.check(isDatabaseUrl)),
    expected:
      'file: followed by the path of a file, such as file:./data/frontage.db, or a libsql:, http: or https: address of a server; write the whole path, because ~ and $NAME are not expanded',
  },
  databaseAuthToken: {
    name: 'DATABASE_AUTH_TOKEN',
    defaultValue: undefined,
    form: v.string(),
    expected: 'a token',
  },
  rateLimitWrites: {
    name: 'RATE_LIMIT_WRITES',
    defaultValue: String(DEFAULT_RATE_LIMITS.writes),
    form: createWholeNumberSchema(0, 1_000_000),
    expected: 'requests per minute, a whole number; 0 means no limit',
  },
  rateLimitReads: {
    name: 'RATE_LIMIT_READS',
    defaultValue: String(DEFAULT_RATE_LIMITS.reads),
    form: createWholeNumberSchema(0, 1_000_000),
    expected: 'requests per minute, a whole number; 0 means no limit',
  },
  budgets: {
    name: 'BUDGETS',
    defaultValue: 'on',
    form: v.pipe(
      v.picklist(['on', 'off']),
      v.transform((value) => value === 'on'),
    ),
    expected: 'on, or off for a load test',
  },
  holdsPerContact: { name: 'HOLDS_PER_CONTACT', ...createBudgetSetting('3', 'unconfirmed holds') },
  holdsPerAddress: { name: 'HOLDS_PER_ADDRESS', ...createBudgetSetting('6', 'unconfirmed holds') },
  holdsShare: {
    name: 'HOLDS_SHARE',
    defaultValue: '50',
    form: createWholeNumberSchema(0, 100),
    expected: 'percent of a catalog, 1 to 100; 0 means no limit',
  },
  storefrontsPerContact: {
    name: 'STOREFRONTS_PER_CONTACT',
    ...createBudgetSetting('3', 'storefronts in 24 hours'),
  },
  storefrontsPerAddress: {
    name: 'STOREFRONTS_PER_ADDRESS',
    ...createBudgetSetting('5', 'storefronts in 24 hours'),
  },
  storefrontsPerDay: {
    name: 'STOREFRONTS_PER_DAY',
    ...createBudgetSetting('200', 'storefronts in 24 hours'),
  },
  shareLinksPerAddress: {
    name: 'SHARE_LINKS_PER_ADDRESS',
    ...createBudgetSetting('200', 'share links in 24 hours'),
  },
  a2aTasksPerAddress: {
    name: 'A2A_TASKS_PER_ADDRESS',
    ...createBudgetSetting('200', 'A2A tasks in 24 hours'),
  },
  emailedLeadsPerAddress: {
    name: 'EMAILED_LEADS_PER_ADDRESS',
    ...createBudgetSetting('50', 'leads in 24 hours'),
  },
  questionsPerAddress: {
    name: 'QUESTIONS_PER_ADDRESS',
    ...createBudgetSetting('60', 'questions per minute'),
  },
  minFreeDisk: {
    name: 'MIN_FREE_DISK',
    defaultValue: '536870912',
    form: createWholeNumberSchema(0, Number.MAX_SAFE_INTEGER),
    expected: 'bytes, a whole number; 0 means no limit',
  },
  smtpUrl: {
    name: 'SMTP_URL',
    defaultValue: undefined,
    form: v.pipe(createUrlSchema('smtp:', 'smtps:'), v.check(hasSmtpParameters)),
    expected:
      'an smtp: or smtps: URL, such as smtp://user:password@mail.example.com:587, where a password has %23 for #, %40 for @ and %2F for /; its only parameters are name and tls, which is required, optional or off',
  },
  mailFrom: { name: 'MAIL_FROM', ...mailbox },
  leadsTo: { name: 'LEADS_TO', ...mailboxes },
  alertsTo: { name: 'ALERTS_TO', ...mailboxes },
  webhookUrl: {
    name: 'WEBHOOK_URL',
    defaultValue: undefined,
    form: createUrlSchema('http:', 'https:'),
    expected: 'an http: or https: URL',
  },
  linkSecret: {
    name: 'LINK_SECRET',
    defaultValue: undefined,
    form: v.pipe(v.string(), v.minLength(32)),
    expected: 'at least 32 random characters',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    defaultValue: undefined,
    form: createWholeNumberSchema(1, 65_535),
    expected: 'a port from 1 to 65535',
  },
  webhookSecret: { name: 'WEBHOOK_SECRET', ...webhookSecret },
  videoProviderUrl: { name: 'VIDEO_PROVIDER_URL', ...providerUrl },
  videoProviderSecret: { name: 'VIDEO_PROVIDER_SECRET', ...webhookSecret },
  researchProviderUrl: { name: 'RESEARCH_PROVIDER_URL', ...providerUrl },
  researchProviderSecret: { name: 'RESEARCH_PROVIDER_SECRET', ...webhookSecret },
  receiptSigningKey: { name: 'RECEIPT_SIGNING_KEY', ...signingKey },
  agentCardKey: { name: 'AGENT_CARD_KEY', ...signingKey },
  allowPrivateTargets: {
    name: 'ALLOW_PRIVATE_TARGETS',
    defaultValue: '0',
    form: flag,
    expected: '0 or 1',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    defaultValue: 'info',
    form: v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    expected: 'one of fatal, error, warn, info, debug, trace, silent',
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    defaultValue: '0',
    form: createWholeNumberSchema(0, 10),
    expected: 'the number of proxies in front of the server, 0 to 10',
  },
  sourceDateEpoch: {
    name: 'SOURCE_DATE_EPOCH',
    defaultValue: undefined,
    form: createWholeNumberSchema(0, 8_640_000_000_000),
    expected: 'seconds since 1970-01-01T00:00:00Z, a whole number',
  },
  registryDir: {
    name: 'REGISTRY_DIR',
    defaultValue: 'registry',
    form: literalPath,
    expected:
      'the path of the registry folder; write the whole path, because ~ and $NAME are not expanded',
  },
  outDir: {
    name: 'OUT_DIR',
    defaultValue: DEFAULT_OUT_DIR,
    form: literalPath,
    expected:
      'the path of the build folder; write the whole path, because ~ and $NAME are not expanded',
  },
  dynamic: {
    name: 'DYNAMIC',
    defaultValue: '1',
    form: flag,
    expected: '1, or 0 for a purely static deployment',
  },
} as const;
