import { type Field, formatFieldValue } from '../../fields/fields.ts';
import { fill } from '../../text/fill.ts';
import { receipt } from '../../text/index.ts';

/**
 * A requested value as the customer reads it. The published time of its day gives way to one in the
 * provider's `texts`.
 */
export function formatRequestedValue(
  value: unknown,
  field: Field | undefined,
  { provider, texts }: { provider: string; texts: readonly string[] | undefined },
): string {
  const shownValue = formatFieldValue(value, field);
  return field?.time !== undefined && texts?.length
    ? fill(receipt.timeUnlessWritten, { value: shownValue, provider })
    : shownValue;
}
