import astro from 'eslint-plugin-astro';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Rules that need types, for sources; the compiler checks those of pages (`astro check`). */
const typed = { files: ['src/**/*.ts', 'db/**/*.ts'] };

export default defineConfig(
  { ignores: ['dist/', '.build/', '.astro/', 'data/', 'public/', 'registry/'] },
  tseslint.configs.recommended,
  astro.configs.recommended,
  {
    ...typed,
    extends: [tseslint.configs.strictTypeChecked],
    // One program of the sources alone takes less than the language service that an editor uses, which reads the tests, too.
    languageOptions: {
      parserOptions: { project: './tsconfig.sources.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'no-self-compare': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // An async function that awaits nothing turns what it throws into a rejection.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  { files: ['db/**/*.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'error' } },
  {
    rules: {
      // A leading underscore marks what a signature or a pattern has to name and nobody reads.
      '@typescript-eslint/no-unused-vars': [
        'error',
        {
          ignoreRestSiblings: true,
          argsIgnorePattern: '^_',
          varsIgnorePattern: '^_',
          caughtErrorsIgnorePattern: '^_',
        },
      ],
    },
  },
  {
    // Tests read documents as their readers do, without their types.
    files: ['test/**'],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
);
