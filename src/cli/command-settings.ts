import { readSelectedSettings, type Settings, SettingsError } from '../settings.ts';

/**
 * Reads only the settings that a command needs; other settings may be invalid. An invalid setting
 * ends the command with a message.
 */
export function readCommandSettings<Name extends keyof Settings>(
  ...names: readonly Name[]
): Pick<Settings, Name> {
  try {
    return readSelectedSettings(names);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
