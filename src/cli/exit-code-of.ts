import { codeOf } from '../../db/error-code.ts';
import { DatabaseUnavailableError } from '../../db/unavailable.ts';
import { KeyUsageError } from '../keys/keys.ts';
import { Problem } from '../operation/problem.ts';
import { RegistryFolderError } from '../registry/fault.ts';
import { exitCodes } from './exit-codes.ts';

/** System error codes for a path that does not lead to the expected file or folder. */
const wrongPathCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** The exit code of a command that ended with an error, which may be due to its command line. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof DatabaseUnavailableError) return exitCodes.refused;
  const isUsageError =
    error instanceof KeyUsageError ||
    error instanceof RegistryFolderError ||
    (error instanceof Problem && error.code === 'invalid_input') ||
    [error, (error as Error).cause].some((cause) => wrongPathCodes.has(codeOf(cause)));
  return isUsageError ? exitCodes.usageError : exitCodes.refused;
}
