import type { Subsite } from '../registry/subsite.ts';
import type { Registry } from './registry.ts';

/** The phone number of a subsite: its own, or else the network's. */
export const phoneOf = (subsite: Subsite | undefined, { network }: Registry): string =>
  subsite?.phone ?? network.organization.phone;

/** The link that dials a phone number. */
export const dialLink = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/g, '')}`;
