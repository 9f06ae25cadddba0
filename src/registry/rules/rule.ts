import type { RecordProblem } from '../describe-issue.ts';
import type { RecordPath } from '../fault.ts';
import type { Network } from '../schemas/network.ts';
import type { Registry } from '../../site/registry.ts';
import type { UnreadableRecords } from '../unreadable-records.ts';

/** A record, such as `subsites/hvac`, and a path in it. */
export interface Location {
  record: string;
  path: RecordPath;
}

/** A violation of a rule: where it is, and what is wrong. */
export interface Violation extends Location, RecordProblem {
  /** Where else the same value occurs; the fault also names this place. */
  other?: Location;
}

/** The readable records, with the readable part of the network record. */
export type Records = Omit<Registry, 'network'> & { readonly network: Partial<Network> };

/**
 * A rule across records. It runs even if some records are `unreadable`, and must not report as
 * missing anything that these records may define.
 */
export interface Rule {
  name: string;
  description: string;
  check: (records: Records, unreadable: UnreadableRecords) => Iterable<Violation>;
}
