import astro from 'eslint-plugin-astro';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Rules that need types, for sources; `astro check` checks the types of pages. */
const typedFiles = { files: ['src/**/*.ts', 'db/**/*.ts'] };

export default defineConfig(
  { ignores: ['dist/', '.build/', '.astro/', 'data/', 'public/', 'registry/'] },
  tseslint.configs.recommended,
  astro.configs.recommended,
  {
    ...typedFiles,
    extends: [tseslint.configs.strictTypeChecked],
    // A program with only the sources uses less memory than the editor’s language service, which
    // also reads the tests.
    languageOptions: {
      parserOptions: { project: './tsconfig.sources.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'no-self-compare': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // An async function without `await` turns exceptions into rejections.
      '@typescript-eslint/require-await': 'off',
      'no-restricted-properties': [
        'error',
        {
          object: 'v',
          property: 'maxLength',
          message:
            'It counts UTF-16 units, but JSON Schema counts code points. Use createMaxLengthCheck.',
        },
      ],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  { files: ['db/**/*.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'error' } },
  {
    rules: {
      // Once a process has compiled a lot of regular-expression code, V8 13.6 compiles without
      // optimizing, and then misses “Com” for `(?i:com)`.
      'no-restricted-syntax': [
        'error',
        ...[
          String.raw`Literal[regex.pattern=/\(\?-?[ims]/]`,
          String.raw`Literal[value=/\(\?-?[ims]/]`,
          String.raw`TemplateElement[value.raw=/\(\?-?[ims]/]`,
        ].map((selector) => ({
          selector,
          message: 'V8 sometimes ignores modifiers in regular expressions. List both cases.',
        })),
      ],
      // A leading underscore marks a required but unused parameter or variable.
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
