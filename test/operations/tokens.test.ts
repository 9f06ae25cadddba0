import { describe, expect, it } from 'vitest';
import {
  RECEIPT_TOKEN_PATTERN,
  REFERENCE_PATTERN,
  tokenGenerators,
  normalizeReference,
  SHARE_TOKEN_PATTERN,
} from '../../src/operation/tokens.ts';
import { formatReference } from '../../src/site/words/words.ts';

const start = Date.parse('2026-11-21T10:00:00.000Z');
/** Ascending times within a few decades that change every digit of a token. */
const times = [
  0,
  1_000,
  9_000,
  60_000,
  3_600_000,
  86_400_000,
  30 * 86_400_000,
  365 * 86_400_000,
  40 * 365 * 86_400_000,
].map((offset) => new Date(start + offset));

describe('tokens', () => {
  it.each([
    ['receipt', (time: Date) => tokenGenerators.receipt(time), new RegExp(RECEIPT_TOKEN_PATTERN)],
    ['event', (time: Date) => tokenGenerators.event(time), new RegExp(REFERENCE_PATTERN)],
  ])('of a later %s sort after earlier tokens in the database’s byte order', (_, make, pattern) => {
    const tokens = times.map(make);
    for (const token of tokens) expect(token).toMatch(pattern);
    expect(
      tokens.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))),
    ).toEqual(tokens);
  });

  it('from the same instant are all different', () => {
    const time = new Date(start);
    for (const make of [tokenGenerators.receipt, tokenGenerators.event])
      expect(new Set(Array.from({ length: 10_000 }, () => make(time))).size).toBe(10_000);
  });

  it('identify a request in any letter case, with spaces or hyphens', () => {
    const reference = tokenGenerators.event(new Date(start));
    const formattedReference = formatReference(reference);
    expect(formattedReference).toMatch(/^[A-Z0-9]{4}(?:-[A-Z0-9]{4}){3}$/);
    for (const enteredReference of [
      reference,
      formattedReference,
      formattedReference.toLowerCase(),
      ` ${formattedReference.replaceAll('-', ' ')} `,
    ])
      expect(normalizeReference(enteredReference)).toBe(reference);
    // A receipt token also identifies the request, but is case-sensitive.
    const token = tokenGenerators.receipt(new Date(start));
    expect(normalizeReference(token)).toBe(token);
  });

  it('of links are easy to read aloud', () => {
    for (let count = 0; count < 100; count++)
      expect(tokenGenerators.share()).toMatch(new RegExp(SHARE_TOKEN_PATTERN));
  });
});
