/** An amount in minor units (cents) as a decimal string: 240 is `2.40`. */
export function toDecimal(minorUnits: number): string {
  const digits = String(Math.abs(minorUnits)).padStart(3, '0');
  return `${minorUnits < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A decimal amount: up to nine digits before the point, at most two after it. */
export const AMOUNT_PATTERN = '^[0-9]{1,9}(?:\\.[0-9]{1,2})?$';

/** Converts a decimal string to minor units: `2.4` becomes 240. */
export function toMinorUnits(decimal: string): number {
  const [whole, fraction = ''] = decimal.split('.');
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
}
