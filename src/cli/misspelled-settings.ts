import { type Environment, readEnvironment } from '../environment.js';
import { settingNames } from '../settings.ts';
import { editDistance } from '../site/nearest.ts';

/** Minimum length of names to compare. Shorter names resemble too many other variables. */
const MIN_LENGTH = 6;
/** Maximum edit distance between a name and the intended setting. */
const MAX_EDITS = 2;

/** npm sets dozens of variables, whose names begin like this. */
const NPM_VARIABLE_PATTERN = /^npm_/;

/** Returns a warning for each environment variable that looks like a misspelled setting. */
export function findMisspelledSettings(environment: Environment): string[] {
  const knownNames = settingNames.flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(environment)
    .filter((name) => name.length >= MIN_LENGTH && !NPM_VARIABLE_PATTERN.test(name))
    .filter((name) => !knownNames.includes(name) && environment[name])
    .sort()
    .flatMap((name) => {
      const [closest] = knownNames
        .filter(({ length }) => Math.abs(length - name.length) <= MAX_EDITS)
        .map((setting) => ({ setting, distance: editDistance(name.toUpperCase(), setting) }))
        .filter(({ distance }) => distance <= MAX_EDITS)
        .sort((one, other) => one.distance - other.distance);
      return closest
        ? [`${name} is not a setting and has no effect. Did you mean ${closest.setting}?`]
        : [];
    });
}

/** Prints a warning on standard error for each misspelled setting. */
export function warnOfMisspelledSettings(): void {
  for (const sentence of findMisspelledSettings(readEnvironment()))
    process.stderr.write(`${sentence}\n`);
}
