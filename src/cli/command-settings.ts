import { readSelectedSettings, type Settings, SettingsError } from '../settings.ts';
import { exitCodes, exitWithMessage } from './exit-codes.ts';

/** Reads settings; an invalid setting ends the program with a message. */
export function exitOnInvalidSettings<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return exitWithMessage(error.message, exitCodes.refused);
  }
}

/**
 * Reads only the settings that a command needs; other settings may be invalid. An invalid setting
 * ends the command with a message.
 */
export const readCommandSettings = <Name extends keyof Settings>(
  ...names: readonly Name[]
): Pick<Settings, Name> => exitOnInvalidSettings(() => readSelectedSettings(names));
