import type { Subsite } from '../registry/subsite.ts';
import type { Registry } from './registry.ts';

/** The number that people call about a subsite: its own, or else that of the network. */
export const phoneOf = (subsite: Subsite | undefined, { network }: Registry): string =>
  subsite?.phone ?? network.organization.phone;

/** The link that dials a telephone number. */
export const dialLink = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/g, '')}`;
