import { z } from 'zod';
import { memberOf } from '../../site/json-object.ts';
import { addFault, createMaxLengthRule, line } from './text.ts';

/** SPDX identifiers of licenses that allow commercial use of other people's images. */
const openLicenses = [
  'CC0-1.0',
  'CC-BY-2.0',
  'CC-BY-2.5',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC-BY-SA-2.0',
  'CC-BY-SA-2.5',
  'CC-BY-SA-3.0',
  'CC-BY-SA-4.0',
] as const;

const normalizeAlt = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

/** True if the alternative text only repeats the file name, with or without the extension. */
function repeatsName(alt: string, file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return [name, name.slice(0, name.lastIndexOf('.'))].some(
    (one) => normalizeAlt(one) === normalizeAlt(alt),
  );
}

/** A photograph in the registry folder. */
export const image = z
  .strictObject({
    file: z
      .string()
      .max(...createMaxLengthRule(120))
      .regex(
        /^images\/(?:[a-z0-9][a-z0-9_-]*\/)*[a-z0-9][a-z0-9_-]*\.(?:jpg|jpeg|png|webp|avif)$/,
        'is not an image path. Use images/, then lowercase letters, digits and hyphens, and end with .jpg, .png, .webp or .avif',
      )
      .describe(
        'Path of the file in the registry folder, such as images/skillet.jpg; at least 1,200 by 900 pixels. Pages crop it to 4:3.',
      ),
    alt: line(200).describe('Description of the image for people who cannot see it.'),
    credit: line(80).optional().describe('Author; required for a CC-BY license.'),
    license: z
      .enum(['own', ...openLicenses])
      .describe(
        'own if the business may use the image freely; otherwise, the SPDX identifier of its license.',
      ),
  })
  .superRefine(
    ({ file, alt }, context) => {
      if (repeatsName(alt, file))
        addFault(context, ['alt'], 'repeats the file name. Describe what the image shows');
    },
    // Check this even if other keys are invalid.
    {
      when: ({ value }) =>
        typeof memberOf(value, 'file') === 'string' && typeof memberOf(value, 'alt') === 'string',
    },
  )
  .superRefine(({ credit, license }, context) => {
    if (license.startsWith('CC-BY') && credit === undefined)
      addFault(context, ['license'], 'requires credit. Add the author’s name as credit');
  })
  .describe('A photograph, with its description and license.');

export type Image = z.infer<typeof image>;
