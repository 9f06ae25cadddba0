import type { Described } from '../describe-issue.ts';
import type { Network } from '../network.ts';
import type { Registry } from '../../site/registry.ts';
import type { Unread } from '../unread.ts';

/** A breach of a rule: in which record (`subsites/hvac`), where in it, and what would be right. */
export interface Breach extends Described {
  record: string;
}

/** The records that could be read, and of the network what could be read of it. */
export type Records = Omit<Registry, 'network'> & { readonly network: Partial<Network> };

/**
 * A rule over many records. It runs whether or not all of them could be read, and says nothing of
 * what may come from one that is `unread`: that one has faults of its own.
 */
export interface Rule {
  name: string;
  description: string;
  check: (records: Records, unread: Unread) => Iterable<Breach>;
}
