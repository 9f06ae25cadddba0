import type { Subsite } from '../registry/schemas/subsite.ts';
import type { Registry } from './registry.ts';

/** A subsite's phone number, or the network's if it has none. */
export const phoneOf = (subsite: Subsite | undefined, { network }: Registry): string =>
  subsite?.phone ?? network.organization.phone;

export const createTelUrl = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/g, '')}`;
