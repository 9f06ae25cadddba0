import type { RecordPath } from '../fault.ts';
import type { Registry } from '../registry.ts';

/** A breach of a rule: in which record (`subsites/hvac`), where in it, and what would be right. */
export interface Breach {
  record: string;
  path: RecordPath;
  problem: string;
  atKey?: boolean;
}

/**
 * A rule over many records. `broken` names the records that could not be read, so that a reference to
 * one of them is not reported a second time.
 */
export interface Rule {
  name: string;
  description: string;
  check(registry: Registry, broken: ReadonlySet<string>): Iterable<Breach>;
}
