import fc from 'fast-check';
import { expect, it } from 'vitest';
import { networkOf } from '../../src/operation/network-of-address.ts';
import { createPropertyParameters } from '../setup/seeds.ts';

const group = fc.integer({ min: 0, max: 0xffff });
const listGroups = (count: number) =>
  // Zeros are common, so that many addresses contain `::`.
  fc.array(fc.oneof(fc.constant(0), group), { minLength: count, maxLength: count });

/** An address as a client or proxy may write it. */
const notation = fc.record({
  /** Which run of zeros becomes `::`, if there is one. */
  run: fc.option(fc.nat({ max: 7 }), { nil: undefined }),
  isPadded: fc.boolean(),
  isUpperCase: fc.boolean(),
  /** Whether the last two groups are written as an IPv4 address. */
  hasDottedEnd: fc.boolean(),
  zone: fc.constantFrom('', '%eth0', '%1'),
});

const formatIpv4 = (high: number, low: number): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

function write(
  groups: readonly number[],
  {
    run,
    isPadded,
    isUpperCase,
    hasDottedEnd,
    zone,
  }: typeof notation extends fc.Arbitrary<infer T> ? T : never,
): string {
  const format = (value: number) => value.toString(16).padStart(isPadded ? 4 : 1, '0');
  const parts = groups.map(format);
  if (hasDottedEnd) parts.splice(6, 2, formatIpv4(groups[6]!, groups[7]!));
  const isZero = (index: number) => index < parts.length && Number(`0x${parts[index]!}`) === 0;
  let text = parts.join(':');
  if (run !== undefined && isZero(run)) {
    let end = run;
    while (isZero(end)) end++;
    text = `${parts.slice(0, run).join(':')}::${parts.slice(end).join(':')}`;
  }
  return (isUpperCase ? text.toUpperCase() : text) + zone;
}

const isIpv4Mapped = (groups: readonly number[]): boolean =>
  groups.slice(0, 5).every((value) => value === 0) && groups[5] === 0xffff;

it('all addresses of a /64 are one network, however they are written', () => {
  fc.assert(
    fc.property(
      listGroups(4),
      listGroups(4),
      listGroups(4),
      notation,
      notation,
      (prefix, one, other, oneNotation, otherNotation) => {
        const [first, second] = [
          [...prefix, ...one],
          [...prefix, ...other],
        ];
        fc.pre(!isIpv4Mapped(first) && !isIpv4Mapped(second));
        expect(networkOf(write(first, oneNotation))).toBe(networkOf(write(second, otherNotation)));
      },
    ),
    createPropertyParameters(500),
  );
});

it('different /64 prefixes are different networks', () => {
  fc.assert(
    fc.property(
      listGroups(8),
      listGroups(8),
      notation,
      notation,
      (one, other, oneNotation, otherNotation) => {
        fc.pre(one.slice(0, 4).join() !== other.slice(0, 4).join());
        expect(networkOf(write(one, oneNotation))).not.toBe(networkOf(write(other, otherNotation)));
      },
    ),
    createPropertyParameters(500),
  );
});

it('an IPv4 address is a network of its own, also if it is mapped to IPv6', () => {
  fc.assert(
    fc.property(group, group, notation, (high, low, mappedNotation) => {
      const address = formatIpv4(high, low);
      expect(networkOf(address)).toBe(address);
      expect(networkOf(write([0, 0, 0, 0, 0, 0xffff, high, low], mappedNotation))).toBe(address);
    }),
    createPropertyParameters(500),
  );
});

it('a text that is not an address is a network of its own', () => {
  for (const text of ['', 'unknown', '1.2.3', ':::']) expect(networkOf(text)).toBe(text);
});
