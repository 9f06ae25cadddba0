import type { FieldKind } from '../kind.ts';
import { date } from './date.ts';
import { email } from './email.ts';
import { enumeration } from './enum.ts';
import { number } from './number.ts';
import { phone } from './phone.ts';
import { string } from './string.ts';
import { zip } from './zip.ts';

/** Every field kind by its name in records. */
export const kinds = {
  string,
  enum: enumeration,
  number,
  date,
  zip,
  phone,
  email,
} as const satisfies Record<string, FieldKind>;
