import { type Environment, readEnvironment } from '../environment.js';
import { settingNames } from '../settings.ts';
import { editDistance } from '../site/nearest.ts';

/** Minimum length of names to compare. Shorter names resemble too many other variables. */
const MIN_NAME_LENGTH = 6;

/**
 * True if a name is a short setting with different letters: in lowercase, with two adjacent letters
 * swapped, or with one doubled. No usual variable of a shell or a service manager is like that,
 * unlike names with another letter, such as PATH, POST and PORTS.
 */
function isShortSettingMistyped(name: string, setting: string): boolean {
  if (setting.length >= MIN_NAME_LENGTH) return false;
  const exchanged = (index: number) =>
    setting.slice(0, index) +
    setting.charAt(index + 1) +
    setting.charAt(index) +
    setting.slice(index + 2);
  const doubleCharacterAt = (index: number) => setting.slice(0, index + 1) + setting.slice(index);
  const mistyped = Array.from(setting, (_, index) => [
    exchanged(index),
    doubleCharacterAt(index),
  ]).flat();
  return [setting, ...mistyped].includes(name.toUpperCase());
}

/** Maximum edit distance between a name and the intended setting. */
const MAX_EDITS = 2;

/** npm sets dozens of variables, whose names begin like this. */
const NPM_VARIABLE_PATTERN = /^npm_/;

/** The setting that a name probably stands for. */
function suggestSettingName(name: string, knownNames: readonly string[]): string | undefined {
  const short = knownNames.find((setting) => isShortSettingMistyped(name, setting));
  if (short !== undefined || name.length < MIN_NAME_LENGTH) return short;
  return knownNames
    .filter(({ length }) => Math.abs(length - name.length) <= MAX_EDITS)
    .map((setting) => ({ setting, distance: editDistance(name.toUpperCase(), setting) }))
    .filter(({ distance }) => distance <= MAX_EDITS)
    .sort((one, other) => one.distance - other.distance)[0]?.setting;
}

/** Returns a warning for each environment variable that looks like a misspelled setting. */
export function findMisspelledSettings(environment: Environment): string[] {
  const knownNames = settingNames.flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(environment)
    .filter((name) => !NPM_VARIABLE_PATTERN.test(name))
    .filter((name) => !knownNames.includes(name) && environment[name])
    .sort()
    .flatMap((name) => {
      const meant = suggestSettingName(name, knownNames);
      return meant === undefined
        ? []
        : [`${name} is not a setting and has no effect. Did you mean ${meant}?`];
    });
}

/** Prints a warning on standard error for each misspelled setting. */
export function warnOfMisspelledSettings(): void {
  for (const sentence of findMisspelledSettings(readEnvironment()))
    process.stderr.write(`${sentence}\n`);
}
