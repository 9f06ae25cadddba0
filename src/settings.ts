import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** A setting that cannot be used; the message names it and what would be right. */
export class SettingsError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting, or the content of the file that NAME_FILE points to. Empty text counts as unset. */
function readSetting(environment: Environment, name: string): string | undefined {
  const file = environment[`${name}_FILE`];
  if (environment[name]) return environment[name];
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    throw new SettingsError(`${name}_FILE: the file cannot be read. Give the path of a readable file.`);
  }
}

const wholeNumber = (least: number, most: number) =>
  v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number), v.minValue(least), v.maxValue(most));

const flag = v.pipe(v.picklist(['0', '1']), v.transform((value) => value === '1'));

const origin = v.pipe(
  v.string(),
  v.check((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).origin === value),
);

const urlOf = (...protocols: string[]) => v.pipe(v.string(), v.check((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol)));

/** Whether a text names a database file by its path, or a libsql-server by its address, as the library reads it; one in memory has one connection only. */
function isDatabaseUrl(text: string): boolean {
  try {
    if (text.startsWith('file:')) return /^(?!:memory:)[^?]+$/.test(decodeURIComponent(text.slice('file:'.length)));
    const { protocol, host, port, username, password, hash, searchParams } = new URL(text);
    const tls = searchParams.get('tls');
    const known = [...searchParams.keys()].every((name) => name === 'authToken' || (name === 'tls' && protocol === 'libsql:' && (tls === '1' || (tls === '0' && port !== ''))));
    return /^(?:libsql|https?):\/\//.test(text) && host !== '' && known && `${username}${password}${hash}` === '';
  } catch {
    return false;
  }
}

const providerUrl = v.pipe(urlOf('http:', 'https:'), v.regex(/[^/]$/));

const webhookSecret = v.pipe(v.string(), v.regex(/^whsec_[A-Za-z0-9+/=]{24,}$/));

/** Whether a text is an Ed25519 private key in PEM. */
function isSigningKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

/** Settings that mean something only together. */
const pairs = [
  ['smtpUrl', 'mailFrom'],
  ['webhookUrl', 'webhookSecret'],
  ['videoProviderUrl', 'videoProviderSecret'],
  ['researchProviderUrl', 'researchProviderSecret'],
] as const;

/** Each setting: its environment name, its default as text, its form, and what a value must be. contract.md "Settings". */
const settings = {
  siteUrl: { name: 'SITE_URL', otherwise: 'http://localhost:4321', form: origin, expected: 'an absolute origin without a trailing slash, for example https://example.com' },
  host: { name: 'HOST', otherwise: '127.0.0.1', form: v.pipe(v.string(), v.minLength(1)), expected: 'an address to listen on, for example 127.0.0.1' },
  port: { name: 'PORT', otherwise: '4321', form: wholeNumber(0, 65_535), expected: 'a port from 0 to 65535' },
  databaseUrl: { name: 'DATABASE_URL', otherwise: 'file:./data/frontage.db', form: v.pipe(v.string(), v.check(isDatabaseUrl)), expected: 'file: and the path of a file, for example file:./data/frontage.db, or a libsql:, http: or https: address of a server' },
  databaseAuthToken: { name: 'DATABASE_AUTH_TOKEN', otherwise: undefined, form: v.string(), expected: 'a token' },
  rateLimitWrites: { name: 'RATE_LIMIT_WRITES', otherwise: '30', form: wholeNumber(0, 1_000_000), expected: 'requests a minute, a whole number; 0 is off' },
  rateLimitReads: { name: 'RATE_LIMIT_READS', otherwise: '300', form: wholeNumber(0, 1_000_000), expected: 'requests a minute, a whole number; 0 is off' },
  smtpUrl: { name: 'SMTP_URL', otherwise: undefined, form: urlOf('smtp:', 'smtps:'), expected: 'an smtp: or smtps: URL' },
  mailFrom: { name: 'MAIL_FROM', otherwise: undefined, form: v.pipe(v.string(), v.includes('@')), expected: 'a mail address' },
  leadsTo: { name: 'LEADS_TO', otherwise: undefined, form: v.pipe(v.string(), v.includes('@')), expected: 'a mail address' },
  webhookUrl: { name: 'WEBHOOK_URL', otherwise: undefined, form: urlOf('http:', 'https:'), expected: 'an http: or https: URL' },
  linkSecret: { name: 'LINK_SECRET', otherwise: undefined, form: v.pipe(v.string(), v.minLength(32)), expected: 'at least 32 random characters' },
  metricsPort: { name: 'METRICS_PORT', otherwise: undefined, form: wholeNumber(1, 65_535), expected: 'a port from 1 to 65535' },
  webhookSecret: { name: 'WEBHOOK_SECRET', otherwise: undefined, form: webhookSecret, expected: 'a Standard Webhooks secret, whsec_ and base64' },
  videoProviderUrl: { name: 'VIDEO_PROVIDER_URL', otherwise: undefined, form: providerUrl, expected: 'an http: or https: URL without a slash at its end' },
  videoProviderSecret: { name: 'VIDEO_PROVIDER_SECRET', otherwise: undefined, form: webhookSecret, expected: 'a Standard Webhooks secret, whsec_ and base64' },
  researchProviderUrl: { name: 'RESEARCH_PROVIDER_URL', otherwise: undefined, form: providerUrl, expected: 'an http: or https: URL without a slash at its end' },
  researchProviderSecret: { name: 'RESEARCH_PROVIDER_SECRET', otherwise: undefined, form: webhookSecret, expected: 'a Standard Webhooks secret, whsec_ and base64' },
  receiptSigningKey: { name: 'RECEIPT_SIGNING_KEY', otherwise: undefined, form: v.pipe(v.string(), v.check(isSigningKey)), expected: 'an Ed25519 private key in PEM (PKCS #8), as openssl genpkey -algorithm ed25519 writes it' },
  agentCardKey: { name: 'AGENT_CARD_KEY', otherwise: undefined, form: v.pipe(v.string(), v.check(isSigningKey)), expected: 'an Ed25519 private key in PEM (PKCS #8), as openssl genpkey -algorithm ed25519 writes it' },
  allowPrivateTargets: { name: 'ALLOW_PRIVATE_TARGETS', otherwise: '0', form: flag, expected: '0 or 1' },
  logLevel: { name: 'LOG_LEVEL', otherwise: 'info', form: v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), expected: 'one of fatal, error, warn, info, debug, trace, silent' },
  trustProxy: { name: 'TRUST_PROXY', otherwise: '0', form: wholeNumber(0, 10), expected: 'how many proxies stand in front, 0 to 10' },
  sourceDateEpoch: { name: 'SOURCE_DATE_EPOCH', otherwise: undefined, form: v.pipe(wholeNumber(0, 8_640_000_000_000)), expected: 'seconds since 1970-01-01T00:00:00Z, a whole number' },
  registryDir: { name: 'REGISTRY_DIR', otherwise: 'registry', form: v.string(), expected: 'the folder of the registry' },
  outDir: { name: 'OUT_DIR', otherwise: 'dist', form: v.string(), expected: 'the folder that the build is written to' },
  dynamic: { name: 'DYNAMIC', otherwise: '1', form: flag, expected: '1, or 0 for a purely static deployment' },
} as const;

type Read<Name extends keyof typeof settings> = (typeof settings)[Name]['otherwise'] extends string
  ? v.InferOutput<(typeof settings)[Name]['form']>
  : v.InferOutput<(typeof settings)[Name]['form']> | undefined;

export type Settings = { readonly [Name in keyof typeof settings]: Read<Name> };

type Name = keyof typeof settings;

/** The values of some settings, and a sentence for each that has a bad one. */
function readNamed(names: readonly Name[], environment: Environment): { read: Settings; faults: string[] } {
  const faults: string[] = [];
  const entries = names.map((key) => {
    const { name, otherwise, form, expected } = settings[key];
    const text = readSetting(environment, name) ?? otherwise;
    if (text === undefined) return [key, undefined];
    const result = v.safeParse(form as v.GenericSchema, text);
    if (!result.success) faults.push(`${name}: expected ${expected}.`);
    return [key, result.output];
  });
  return { read: Object.fromEntries(entries) as Settings, faults };
}

/**
 * All settings of the environment, checked.
 * @throws {SettingsError} naming every setting that has a bad value; a value is never repeated, it may be secret.
 */
export function readSettings(environment: Environment = process.env): Settings {
  const { read, faults } = readNamed(Object.keys(settings) as Name[], environment);
  for (const [one, other] of pairs)
    if ((read[one] === undefined) !== (read[other] === undefined)) faults.push(`${settings[one].name} and ${settings[other].name}: one is set without the other. Set both or neither.`);
  if (faults.length) throw new SettingsError(faults.join('\n'));
  return read;
}

/** Some settings of the environment, checked; the others are not looked at. @throws {SettingsError} */
export function readSome<Wanted extends Name>(names: readonly Wanted[], environment: Environment = process.env): Pick<Settings, Wanted> {
  const { read, faults } = readNamed(names, environment);
  if (faults.length) throw new SettingsError(faults.join('\n'));
  return read;
}

/** What a build needs: where the registry is, where it will be served, the time written into artifacts, and the key that signs the agent card. */
export function readBuildSettings(environment: Environment = process.env): { registryDir: string; outDir: string; siteUrl: string; dynamic: boolean; buildTime: Date; agentCardKey: string | undefined } {
  const { registryDir, outDir, siteUrl, dynamic, sourceDateEpoch, agentCardKey } = readSettings(environment);
  return { registryDir, outDir, siteUrl, dynamic, agentCardKey, buildTime: sourceDateEpoch === undefined ? new Date() : new Date(sourceDateEpoch * 1000) };
}
