import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const COMMENT_PATTERN = /\/\*[\s\S]*?\*\/|(?<![:\w'"`])\/\/[^\n]*/g;
const IDENTIFIER_PATTERN = /[A-Za-z_$][\w$]*/g;
/** A single name in backticks; longer code may contain words from other languages. */
const QUOTED_NAME_PATTERN = /`([a-z][\w$]*)`/g;

/** Names from data, protocols, libraries and examples, which no code nearby contains. */
const EXTERNAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  'db/schema-budgets.ts': ['service'],
  'db/schema-capabilities.ts': ['issued', 'revenue'],
  'db/schema-deliveries.ts': ['mail', 'webhook'],
  'db/schema.ts': ['deliveries'],
  'src/build/arena.ts': ['client', 'server'],
  'src/build/policies.ts': ['client'],
  'src/fields/fields.ts': ['fields'],
  'src/fields/html-pattern.ts': ['v'],
  'src/leads/lead-states.ts': ['confirmOnAccept'],
  'src/leads/submit/lead-form.ts': ['n'],
  'src/build/includes.ts': ['include'],
  'src/site/forms/form-fault.ts': ['mistyped'],
  'src/site/words/quantity.ts': ['lead', 'leads'],
  'src/text/fill.ts': ['provider', 'deadline'],
  'test/setup/seeds.ts': ['examples'],
  'test/setup/test-image.ts': ['heif'],
  'test/site/rebuild.test.ts': ['client'],
  'test/spec/link-relations.ts': ['alternate'],
};

interface Source {
  comments: readonly string[];
  identifiers: ReadonlySet<string>;
  imports: readonly string[];
}

const sources = new Map<string, Source>(
  globSync('{src,db,test}/**/*.{ts,js,astro}').map((file) => {
    const text = readFileSync(file, 'utf8');
    const code = text.replaceAll(COMMENT_PATTERN, ' ');
    return [
      file,
      {
        comments: text.match(COMMENT_PATTERN) ?? [],
        identifiers: new Set(code.match(IDENTIFIER_PATTERN)),
        imports: [...code.matchAll(/from '(\.[^']+)'/g)].map(([, path]) =>
          join(dirname(file), path!),
        ),
      },
    ];
  }),
);

/** Names in the comments of a file that neither the file nor a file that it imports contains. */
const findUnknownNames = (source: Source): string[] =>
  source.comments
    .flatMap((comment) => [...comment.matchAll(QUOTED_NAME_PATTERN)])
    .map(([, name]) => name!)
    .filter(
      (name) =>
        ![source, ...source.imports.flatMap((path) => sources.get(path) ?? [])].some(
          ({ identifiers }) => identifiers.has(name),
        ),
    );

describe('a name in a comment', () => {
  it('is recognized as unknown if no code has it', () => {
    const source = { comments: ['/** Pass `oldName`, or `name`. */'], imports: [] };
    expect(findUnknownNames({ ...source, identifiers: new Set(['name']) })).toEqual(['oldName']);
  });

  it.each([...sources.keys()])('in %s exists in the file or in one that it imports', (file) => {
    const unknownNames = new Set(findUnknownNames(sources.get(file)!));
    expect([...unknownNames].sort()).toEqual((EXTERNAL_NAMES[file] ?? []).toSorted());
  });
});
