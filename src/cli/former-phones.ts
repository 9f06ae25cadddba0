import type { Fault } from '../registry/fault.ts';
import { toLineAndColumn, type Source } from '../registry/source/source.ts';
import type { Registry } from '../site/registry.ts';

const listPhones = ({ network, subsites }: Registry): string[] => [
  network.organization.phone,
  ...subsites.flatMap(({ phone }) => phone ?? []),
];

/** Matches a phone number in any notation with the same digits. */
const createPhonePattern = (phone: string): RegExp =>
  new RegExp(`(?<!\\d)${phone.replaceAll(/\D/g, '').split('').join('[ ().-]{0,2}')}(?!\\d)`, 'g');

/**
 * Warns about text with a phone number that a subsite or the organization had in a previous
 * registry but that the registry no longer has.
 */
export function findFormerPhones(
  previousRegistry: Registry,
  registry: Registry,
  sources: readonly Source[],
): Fault[] {
  const phones = new Set(listPhones(registry));
  const formerPhones = [...new Set(listPhones(previousRegistry))].filter(
    (phone) => !phones.has(phone),
  );
  return sources.flatMap(({ file, text }) =>
    formerPhones.flatMap((phone) =>
      [...text.matchAll(createPhonePattern(phone))].map(({ index }) => ({
        file,
        ...toLineAndColumn(text, index),
        path: '',
        problem: `contains ${phone}, which is no longer the phone number of any record. Replace it.`,
      })),
    ),
  );
}
