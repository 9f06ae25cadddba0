import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// valibot accepts an array as a record, unlike jsonObject in src/operation/validate.ts.
it.each(globSync('src/**/*.{ts,astro}').sort())(
  '%s does not mistake an array for a JSON object',
  (file) => {
    expect(readFileSync(file, 'utf8')).not.toContain('v.record(');
  },
);
