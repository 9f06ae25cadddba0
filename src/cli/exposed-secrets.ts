import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { listFileSettings } from '../environment.js';
import { isSecretName } from '../settings.ts';

const OTHERS_READ_BIT = 0o004;
const OTHERS_EXECUTE_BIT = 0o001;

/**
 * A warning if other users of this machine can read a secret in an environment file, by default
 * `.env`. `names` are the names of the settings in it.
 * @throws {SettingsError} when `.env` cannot be read, or has an invalid line
 */
export function listExposedSecretNotices(
  file = '.env',
  names: Iterable<string> = listFileSettings().keys(),
): string[] {
  const secretName = [...names].find(isSecretName);
  return secretName !== undefined &&
    statSync(dirname(file)).mode & OTHERS_EXECUTE_BIT &&
    statSync(file).mode & OTHERS_READ_BIT
    ? [
        `Other users of this machine can read ${file}, which contains ${secretName}. Run chmod 600 on it, or chmod 640 if another user runs the server.`,
      ]
    : [];
}
