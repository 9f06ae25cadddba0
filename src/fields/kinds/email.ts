import * as v from 'valibot';
import { toHtmlPattern } from '../html-pattern.ts';
import { createMaxLengthCheck } from '../text-length.ts';
import { fieldInstructions } from '../../text/index.ts';
import type { FieldKind } from '../kind.ts';

/**
 * Matches addresses without a display name (RFC 5321 `Dot-string`): one `@`, a dotted domain, no
 * spaces.
 */
const EMAIL_PATTERN =
  "^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$";
const EMAIL_REGEXP = new RegExp(EMAIL_PATTERN, 'u');

/** Maximum address length that mail servers accept (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL_LENGTH = 254;

export const emailSchema = v.pipe(
  v.string(),
  createMaxLengthCheck(MAX_EMAIL_LENGTH),
  v.regex(EMAIL_REGEXP),
);

export const EMAIL_RULE = 'Enter one email address, for example dana@example.com.';

export const email: FieldKind = {
  findExampleFault: (_, example) =>
    EMAIL_REGEXP.test(example)
      ? undefined
      : 'is not an email address. Use one such as dana@example.com.',
  jsonSchema: () => ({
    type: 'string',
    format: 'email',
    pattern: EMAIL_PATTERN,
    maxLength: MAX_EMAIL_LENGTH,
  }),
  check: () => emailSchema,
  rule: () => EMAIL_RULE,
  instruction: () => fieldInstructions.emailAddress,
  control: ({ required }) => ({
    kind: 'input',
    attributes: {
      type: 'email',
      required,
      maxlength: MAX_EMAIL_LENGTH,
      pattern: toHtmlPattern(EMAIL_PATTERN),
      autocomplete: 'email',
    },
  }),
  contactMethod: 'email',
};
