import * as v from 'valibot';
import { autofillAttributesOf } from '../control.ts';
import { toHtmlPattern } from '../html-pattern.ts';
import { fieldInstructions } from '../../text/index.ts';
import type { FieldKind } from '../kind.ts';

/** A US ZIP code, or ZIP+4, as text. */
const ZIP_PATTERN = '^[0-9]{5}(?:-[0-9]{4})?$';
const ZIP_REGEXP = new RegExp(ZIP_PATTERN, 'u');

export const zip: FieldKind = {
  findExampleFault: (_, example) =>
    ZIP_REGEXP.test(example)
      ? undefined
      : 'is not a ZIP code. Use five digits, or ZIP+4, in quotes.',
  jsonSchema: () => ({ type: 'string', pattern: ZIP_PATTERN }),
  check: () => v.pipe(v.string(), v.regex(ZIP_REGEXP)),
  rule: () => 'Enter a US ZIP code as text: five digits, or ZIP+4 such as 33701-1234.',
  instruction: () => fieldInstructions.zipCode,
  control: ({ required }, { name }) => ({
    kind: 'input',
    attributes: {
      type: 'text',
      required,
      inputmode: 'numeric',
      maxlength: 10,
      pattern: toHtmlPattern(ZIP_PATTERN),
      ...autofillAttributesOf(name),
    },
  }),
  isNumericCode: true,
  isZipCode: true,
};
