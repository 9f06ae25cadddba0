import { describe, expect, it } from 'vitest';
import { readSettings } from '../src/settings.ts';

describe('SITE_URL', () => {
  it.each([
    [{}, 'http://localhost:4321'],
    [{ PORT: '8080' }, 'http://localhost:8080'],
    [{ PORT: '0' }, 'http://localhost:4321'],
    [{ PORT: '8080', SITE_URL: 'https://example.com' }, 'https://example.com'],
  ])('by %j is %s', (environment, siteUrl) => {
    expect(readSettings(environment).siteUrl).toBe(siteUrl);
  });
});
