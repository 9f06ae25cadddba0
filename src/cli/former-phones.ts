import type { Fault } from '../registry/fault.ts';
import { placeOf, type Source } from '../registry/source.ts';
import type { Registry } from '../site/registry.ts';

const listPhones = ({ network, subsites }: Registry): string[] => [
  network.organization.phone,
  ...subsites.flatMap(({ phone }) => phone ?? []),
];

/** Matches a phone number in any notation with the same digits. */
const createPhonePattern = (phone: string): RegExp =>
  new RegExp(`(?<!\\d)${phone.replaceAll(/\D/g, '').split('').join('[ ().-]{0,2}')}(?!\\d)`, 'g');

/**
 * Warns about text that still names a phone number which a previous registry had for a subsite or
 * the organization, and the registry no longer has.
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
        ...placeOf(text, index),
        path: '',
        problem: `names ${phone}, which was the phone number of a record and no longer is. Replace it.`,
      })),
    ),
  );
}
