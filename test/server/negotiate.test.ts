import { describe, expect, it } from 'vitest';
import type { Coding } from '../../src/build/arena.ts';
import { resolveClientAddress } from '../../src/http/client-address.ts';
import { chooseCoding, prefersMarkdown } from '../../src/http/negotiate.ts';

const isAlwaysAvailable = () => true;
const isOneOf =
  (...available: Coding[]) =>
  (coding: Coding) =>
    available.includes(coding);

describe('the content coding of a response', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['identity;q=1, br;q=0.5', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['zstd', 'identity'],
    ['nonsense;;q=x', 'identity'],
  ])('with Accept-Encoding %j is %s', (header, coding) => {
    expect(chooseCoding(header, isAlwaysAvailable)).toBe(coding);
  });

  it('is a coding in which the body is available', () => {
    expect(chooseCoding('br, gzip', isOneOf('gzip', 'identity'))).toBe('gzip');
    expect(chooseCoding('br, gzip', isOneOf('identity'))).toBe('identity');
    expect(chooseCoding('br, identity;q=0', isOneOf('identity'))).toBe('identity');
  });
});

describe('the choice between Markdown and HTML, even for a client that accepts no HTML', () => {
  it.each([
    ['text/markdown', true],
    ['text/markdown, text/html, */*', true],
    ['text/html;q=0.9, text/markdown', true],
    ['text/markdown;q=0.5, text/html', false],
    ['text/markdown;q=0.5, */*', false],
    ['text/markdown;q=0', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['*/*', false],
    ['text/*', false],
    ['text/html, text/markdown;q=0.1', false],
    ['text/markdown;q=0.50, text/html;q=0.5', true],
    ['text/markdown;q=0.4, text/html;q=0.39, */*', true],
    ['text/markdown;q=0.4, text/*;q=0.5', false],
    ['text/markdownish, */*', false],
    ['application/json', true],
    ['text/plain', true],
    ['text/html;q=0, */*', true],
    ['application/json, */*;q=0.1', false],
    ['', false],
  ])('with Accept %j: %s', (accept, isPreferred) => {
    expect(prefersMarkdown(accept)).toBe(isPreferred);
  });
});

describe('the client address', () => {
  const createRequest = (remoteAddress: string, forwardedFor?: string) =>
    ({
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
      socket: { remoteAddress },
    }) as unknown as Parameters<typeof resolveClientAddress>[0];

  it('is the peer address if no proxy is trusted', () => {
    expect(resolveClientAddress(createRequest('203.0.113.7', '198.51.100.1'), 0)).toBe(
      '203.0.113.7',
    );
  });

  it('is the address that called the last trusted proxy', () => {
    expect(resolveClientAddress(createRequest('10.0.0.1', '198.51.100.1'), 1)).toBe('198.51.100.1');
    expect(resolveClientAddress(createRequest('10.0.0.1', '192.0.2.66, 198.51.100.1'), 1)).toBe(
      '198.51.100.1',
    );
    expect(
      resolveClientAddress(createRequest('10.0.0.1', '192.0.2.66, 198.51.100.1, 10.0.0.2'), 2),
    ).toBe('198.51.100.1');
    expect(resolveClientAddress(createRequest('10.0.0.1', '2001:db8::1'), 1)).toBe('2001:db8::1');
  });

  it.each([
    ['203.0.113.9:51234', '203.0.113.9'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[::ffff:203.0.113.9]:443', '::ffff:203.0.113.9'],
  ])('has no port number: %s', (forwardedFor, address) => {
    expect(resolveClientAddress(createRequest('10.0.0.1', forwardedFor), 1)).toBe(address);
  });

  it('is never an invalid address', () => {
    expect(resolveClientAddress(createRequest('10.0.0.1', 'unknown'), 1)).toBe('10.0.0.1');
    expect(resolveClientAddress(createRequest('10.0.0.1', 'unknown:80'), 1)).toBe('10.0.0.1');
    expect(resolveClientAddress(createRequest('10.0.0.1'), 1)).toBe('10.0.0.1');
  });
});
