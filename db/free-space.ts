import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Statement } from './client.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/** How long a measurement is valid, in ms: a disk does not fill up faster. */
const FRESH_MS = 1_000;

/** Statements that only read; everything else counts as a write. */
const READS = /^\s*(?:select|pragma)\b/i;

const textOf = (statement: Statement): string =>
  typeof statement === 'string'
    ? statement
    : Array.isArray(statement)
      ? statement[0]
      : statement.sql;

/** Watches the free space of a disk. */
export interface SpaceGuard {
  /** Whether writes are refused now. */
  isLow: () => boolean;
  /** @throws {DatabaseUnavailable} if one of the statements writes and writes are refused */
  allow: (statements: readonly Statement[]) => void;
}

/** A guard that refuses nothing. */
export const unguarded: SpaceGuard = { isLow: () => false, allow: () => undefined };

/**
 * Refuses writes to a file whose disk has less than `least` bytes free, so that the service reports
 * it in time: a full disk stops everything on it, including backups and logs. Reads continue.
 */
export function spaceGuard(path: string, least: number): SpaceGuard {
  const folder = dirname(path);
  let measured = { at: -Infinity, enough: true };
  const isLow = () => {
    const now = performance.now();
    if (now - measured.at > FRESH_MS) {
      const { bavail, bsize } = statfsSync(folder);
      measured = { at: now, enough: bavail * bsize >= least };
    }
    return !measured.enough;
  };
  return {
    isLow,
    allow(statements) {
      if (isLow() && !statements.every((statement) => READS.test(textOf(statement))))
        throw new DatabaseUnavailable('low_space');
    },
  };
}
