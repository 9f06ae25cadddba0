import type { CapabilityRecord } from '../../site/capability-record.ts';

/** What each mode of a capability is called, in the order of the catalog. */
export const modes = {
  intake: { title: 'Requests', note: 'Send a request to a provider and get a receipt.' },
  execution: { title: 'Execution', note: 'Have something made, priced by a quote.' },
  education: { title: 'Guides and research', note: 'Learn how to do or to choose it.' },
  information: { title: 'Help', note: 'Ask the published facts and prices.' },
} as const satisfies Record<CapabilityRecord['mode'], { title: string; note: string }>;
