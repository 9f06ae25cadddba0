import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The headings of a storefront, which its theme may show in capitals. */
const STOREFRONT_HEADINGS = 'src/styles/storefront.css: text-transform: var(--shop-case);';

it('styles do not change the letters of a value, such as an ID that someone copies', () => {
  const transforms = globSync('src/**/*.{css,astro}').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:text-transform|font-variant-caps):[^;]+;/g)].map(
      ([declaration]) => `${file}: ${declaration}`,
    ),
  );
  expect(transforms).toEqual([STOREFRONT_HEADINGS]);
});
