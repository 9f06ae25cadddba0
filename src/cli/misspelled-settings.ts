import type { Environment } from '../environment.js';
import { readValidEnvironment, settingVariables } from '../settings.ts';
import { suggestSettingName } from '../site/corrections/suggest-setting-name.ts';

/** npm sets dozens of variables whose names begin with this prefix. */
const NPM_VARIABLE_PATTERN = /^npm_/;

/** Returns a warning for each environment variable that looks like a misspelled setting. */
export const findMisspelledSettings = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => !NPM_VARIABLE_PATTERN.test(name) && environment[name])
    .sort()
    .flatMap((name) => {
      const meant = suggestSettingName(name, settingVariables);
      return meant === undefined
        ? []
        : [`${name} is not a setting and has no effect. Did you mean ${meant}?`];
    });

/**
 * Prints a warning on standard error for each misspelled setting in the environment, which may
 * belong to another program. @throws {SettingsError} for one in `.env`
 */
export function warnOfMisspelledSettings(): void {
  for (const sentence of findMisspelledSettings(readValidEnvironment()))
    process.stderr.write(`${sentence}\n`);
}
