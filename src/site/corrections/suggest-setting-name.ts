import { editDistance } from './similar-names.ts';

/** Minimum length of names to compare. Shorter names resemble too many other variables. */
const MIN_NAME_LENGTH = 6;

/**
 * True if a name is a short setting name with altered letters: in lowercase, with two adjacent
 * letters swapped, or with one doubled. Unlike other near misses, such as PATH, POST and PORTS,
 * such a name is never a common variable of a shell or service manager.
 */
function isShortSettingMistyped(name: string, setting: string): boolean {
  if (setting.length >= MIN_NAME_LENGTH) return false;
  const swapCharactersAt = (index: number) =>
    setting.slice(0, index) +
    setting.charAt(index + 1) +
    setting.charAt(index) +
    setting.slice(index + 2);
  const doubleCharacterAt = (index: number) => setting.slice(0, index + 1) + setting.slice(index);
  const mistypedNames = Array.from(setting, (_, index) => [
    swapCharactersAt(index),
    doubleCharacterAt(index),
  ]).flat();
  return [setting, ...mistypedNames].includes(name.toUpperCase());
}

/** Maximum edit distance between a name and the intended setting. */
const MAX_EDITS = 2;

/** The setting that an unknown name was probably meant to be; undefined for a known name. */
export function suggestSettingName(
  name: string,
  knownNames: readonly string[],
): string | undefined {
  if (knownNames.includes(name)) return undefined;
  const shortName = knownNames.find((setting) => isShortSettingMistyped(name, setting));
  if (shortName !== undefined || name.length < MIN_NAME_LENGTH) return shortName;
  return knownNames
    .filter(({ length }) => Math.abs(length - name.length) <= MAX_EDITS)
    .map((setting) => ({ setting, distance: editDistance(name.toUpperCase(), setting) }))
    .filter(({ distance }) => distance <= MAX_EDITS)
    .sort((one, other) => one.distance - other.distance)[0]?.setting;
}
