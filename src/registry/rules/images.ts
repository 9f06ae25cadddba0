import { findNearest } from '../../site/corrections/similar-names.ts';
import { imagesOf } from '../../site/pictures.ts';
import type { Rule } from './rule.ts';

export const imageRules: Rule[] = [
  {
    name: 'image-file',
    description: 'An image that a record names is a file in the registry folder.',
    *check(records) {
      for (const { record, path, image } of imagesOf(records)) {
        if (records.images.includes(image.file)) continue;
        const guess = findNearest(image.file, records.images);
        yield {
          record,
          path: [...path, 'file'],
          problem: `names a file that is not in the registry folder. ${guess ? `Did you mean ${guess}?` : 'Add the file, or remove the image.'}`,
        };
      }
    },
  },
];
