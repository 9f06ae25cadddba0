import * as v from 'valibot';
import {
  MAX_LIMIT,
  outboundUrls,
  pairedSettings,
  type Setting,
  settings,
} from './declared-settings.ts';
import {
  type Environment,
  findFileLine,
  listFileSettings,
  readEnvironment,
  readSetting,
  SettingsError,
} from './environment.js';
import { describeCurlyQuotes } from './site/corrections/curly-quotes.ts';
import { hasPrivateHost } from './outbound/public-address.ts';
import { dailyWritesOf } from './site/default-rate-limits.ts';
import { keysOf } from './site/json-object.ts';
import { suggestSettingName } from './site/corrections/suggest-setting-name.ts';

export { isRunByNpm, setVariable, SettingsError } from './environment.js';

type SettingName = keyof typeof settings;

export type Settings = {
  readonly [Name in SettingName]:
    | v.InferOutput<(typeof settings)[Name]['schema']>
    | ((typeof settings)[Name] extends { defaultValue: string } ? never : undefined);
};

/** The environment variable of a setting: SITE_URL for siteUrl. */
const variableOf = (key: SettingName): string =>
  key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The environment variable of each setting. */
export const settingNames: readonly string[] = keysOf(settings).map(variableOf);

/** The environment variables for all settings, with and without _FILE. */
export const settingVariables: readonly string[] = settingNames.flatMap((name) => [
  name,
  `${name}_FILE`,
]);

/**
 * Returns the environment, with the settings from `.env`. The file contains only settings, so a
 * name that looks like a misspelled setting is an error.
 * @throws {SettingsError}
 */
export function readValidEnvironment(): Environment {
  const environment = readEnvironment();
  const faults = [...listFileSettings()].flatMap(([name, line]) => {
    const intendedName = suggestSettingName(name, settingVariables);
    return intendedName === undefined
      ? []
      : [`.env:${line}: ${name} is not a setting. Did you mean ${intendedName}?`];
  });
  if (faults.length) throw new SettingsError(faults.join('\n'));
  return environment;
}

/** Daily limits that, by default, depend on the limit on writes per minute. */
const dailyWriteLimits: readonly SettingName[] = ['leadsPerAddress', 'messagesPerAddress'];

/**
 * The default of a setting. For SITE_URL, it is the server's local URL. For the limits on leads and
 * messages, it is a multiple of the limit on writes, so that they never stop a load test that
 * raises that limit or turns it off.
 */
function defaultOf(key: SettingName, environment: Environment): string | undefined {
  const { defaultValue }: Setting = settings[key];
  if (dailyWriteLimits.includes(key)) {
    const rateLimit = v.safeParse(
      settings.rateLimitWrites.schema,
      readSetting(environment, 'RATE_LIMIT_WRITES') ?? settings.rateLimitWrites.defaultValue,
    );
    return rateLimit.success
      ? String(Math.min(dailyWritesOf(rateLimit.output), MAX_LIMIT))
      : defaultValue;
  }
  if (key !== 'siteUrl') return defaultValue;
  const port = v.safeParse(settings.port.schema, readSetting(environment, 'PORT'));
  // Port 0 means any free port, so the port is not known until the server starts listening.
  return port.success && port.output ? `http://localhost:${port.output}` : defaultValue;
}

/** The name of a setting, preceded by its line number if it is set in `.env`. */
function describeSource(key: SettingName, environment: Environment): string {
  const name = variableOf(key);
  const line = findFileLine(environment, name);
  return line === undefined ? name : `.env:${line}: ${name}`;
}

const MAX_SHOWN_LENGTH = 80;

/** True if the value of the environment variable is a password, token or key, or contains one. */
export const isSecretName = (name: string): boolean =>
  /(?:_SECRET|_TOKEN|_KEY|^SMTP_URL)$/.test(name);

/**
 * True if the value of a setting is or may contain a secret, such as a password in the URL of a
 * service.
 */
const mayBeSecret = (key: SettingName): boolean =>
  isSecretName(variableOf(key)) || (key.endsWith('Url') && key !== 'siteUrl');

/** Quotes the invalid value of a setting; empty if it is long or may contain a secret. */
const describeValue = (key: SettingName, text: string): string =>
  !mayBeSecret(key) && text.length <= MAX_SHOWN_LENGTH && !/[@\p{Cc}]/u.test(text)
    ? `, not ${JSON.stringify(text)}`
    : '';

/** The values of some settings, and an error message for each invalid setting. */
function readNamedSettings(
  names: readonly SettingName[],
  environment: Environment,
): { read: Settings; faults: string[] } {
  const faults: string[] = [];
  const entries = names.map((key) => {
    const { schema, expected }: Setting = settings[key];
    const name = variableOf(key);
    let text;
    try {
      text = readSetting(environment, name) ?? defaultOf(key, environment);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      if (!faults.includes(error.message)) faults.push(error.message);
    }
    if (text === undefined) return [key, undefined];
    const result = v.safeParse(schema, text);
    const advice = describeCurlyQuotes(text);
    // A schema such as that for an address may also accept the quotes.
    if (!result.success || advice)
      faults.push(
        `${describeSource(key, environment)}: expected ${expected}${describeValue(key, text)}.${advice}`,
      );
    return [key, result.output];
  });
  return { read: Object.fromEntries(entries) as Settings, faults };
}

/** All settings from the environment, and an error message for each invalid setting. */
function readAllSettings(environment: Environment): { read: Settings; faults: string[] } {
  const { read, faults } = readNamedSettings(keysOf(settings), environment);
  const isSet = (key: SettingName) =>
    read[key] !== undefined || faults.some((fault) => fault.startsWith(`${variableOf(key)}_FILE:`));
  for (const [one, other] of pairedSettings)
    if (isSet(one) !== isSet(other))
      faults.push(
        `${variableOf(one)} and ${variableOf(other)}: one is set without the other. Set both or neither.`,
      );
  if (read.metricsPort !== undefined && read.metricsPort === read.port)
    faults.push('METRICS_PORT and PORT are the same. Set METRICS_PORT to another port.');
  if (isSet('alertsTo') && !isSet('smtpUrl'))
    faults.push(
      'ALERTS_TO is set, but SMTP_URL, which is needed to send the alerts, is not. Set SMTP_URL too.',
    );
  return { read, faults };
}

/**
 * Lists startup warnings about URLs to which nothing is sent, because they point to private
 * addresses.
 */
export const listPrivateTargetNotices = (
  read: Pick<Settings, (typeof outboundUrls)[number] | 'allowPrivateTargets'>,
): string[] =>
  outboundUrls
    .filter((key) => !read.allowPrivateTargets && read[key] && hasPrivateHost(read[key]))
    .map(
      (key) =>
        `${variableOf(key)} points to this machine or a private network, to which nothing is sent. Use a public address, or set ALLOW_PRIVATE_TARGETS=1 for development.`,
    );

/**
 * All validated settings from the environment.
 * @throws {SettingsError} naming every invalid setting, but no value that may be secret
 */
export function readSettings(environment: Environment = readValidEnvironment()): Settings {
  const { read, faults } = readAllSettings(environment);
  if (faults.length) throw new SettingsError(faults.join('\n'));
  return read;
}

/**
 * Some validated settings from the environment. The others are checked only if one of these is
 * invalid, so that all errors are reported at once.
 * @throws {SettingsError}
 */
export function readSelectedSettings<Names extends SettingName>(
  names: readonly Names[],
  environment: Environment = readValidEnvironment(),
): Pick<Settings, Names> {
  const { read, faults } = readNamedSettings(names, environment);
  if (faults.length) throw new SettingsError(readAllSettings(environment).faults.join('\n'));
  return read;
}

/**
 * The URL and token of the database. Only the folder of the default database is created
 * automatically.
 */
export const createDatabaseConfig = ({
  databaseUrl: url,
  databaseAuthToken: authToken,
}: Pick<Settings, 'databaseUrl' | 'databaseAuthToken'>) => ({
  url,
  createsFolder: url === settings.databaseUrl.defaultValue,
  ...(authToken && { authToken }),
});

/** Reads the settings for a build, including the build time to record in its artifacts. */
export function readBuildSettings(
  environment: Environment = readValidEnvironment(),
): Settings & { buildTime: Date } {
  const settings = readSettings(environment);
  const { sourceDateEpoch } = settings;
  return {
    ...settings,
    buildTime: sourceDateEpoch === undefined ? new Date() : new Date(sourceDateEpoch * 1000),
  };
}
