import type { Described } from '../describe-issue.ts';
import type { Network } from '../network.ts';
import type { Registry } from '../../site/registry.ts';
import type { Unread } from '../unread.ts';

/** A breach of a rule: the record (`subsites/hvac`), the place in it, and what is wrong. */
export interface Breach extends Described {
  record: string;
}

/** The readable records, with the readable part of the network. */
export type Records = Omit<Registry, 'network'> & { readonly network: Partial<Network> };

/**
 * A rule across records. It also runs if some records are `unread`, and then must not report what
 * one of those may provide: they have errors of their own.
 */
export interface Rule {
  name: string;
  description: string;
  check: (records: Records, unread: Unread) => Iterable<Breach>;
}
