import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Statement } from './client.ts';
import { DatabaseUnavailableError } from './unavailable.ts';

/** How long a measurement of free space is valid, in ms. Filling up a disk takes longer. */
const MEASUREMENT_LIFETIME_MS = 1_000;

/** Statements that only read; everything else counts as a write. */
const READ_STATEMENT_PATTERN = /^\s*(?:select|pragma)\b/i;

const textOf = (statement: Statement): string =>
  typeof statement === 'string'
    ? statement
    : Array.isArray(statement)
      ? statement[0]
      : statement.sql;

/** Monitors the free space on a disk. */
export interface SpaceGuard {
  /** True if writes are currently rejected. */
  isSpaceLow: () => boolean;
  /**
   * @throws {DatabaseUnavailableError} if one of the statements writes while writes are rejected
   */
  requireSpace: (statements: readonly Statement[]) => void;
}

/** A guard that never rejects writes. */
export const disabledSpaceGuard: SpaceGuard = {
  isSpaceLow: () => false,
  requireSpace: () => undefined,
};

/**
 * Rejects writes to a file whose disk has less than `minBytes` free so that the operator finds out
 * in time: a full disk stops everything that uses it, including backups and logs. Reads continue.
 */
export function createSpaceGuard(path: string, minBytes: number): SpaceGuard {
  const folder = dirname(path);
  let measurement = { at: -Infinity, hasEnoughSpace: true };
  const isSpaceLow = () => {
    const now = performance.now();
    if (now - measurement.at > MEASUREMENT_LIFETIME_MS) {
      const { bavail, bsize } = statfsSync(folder);
      measurement = { at: now, hasEnoughSpace: bavail * bsize >= minBytes };
    }
    return !measurement.hasEnoughSpace;
  };
  return {
    isSpaceLow,
    requireSpace(statements) {
      if (
        isSpaceLow() &&
        !statements.every((statement) => READ_STATEMENT_PATTERN.test(textOf(statement)))
      )
        throw new DatabaseUnavailableError('low_space');
    },
  };
}
