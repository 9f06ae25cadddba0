import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { fieldTypes } from '../../src/fields/fields.ts';

const names: ReadonlySet<string> = new Set(fieldTypes);

/** TypeScript code in a file, including the front matter and scripts of a page. */
const codeOf = (file: string): string => {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.astro') ? (text.split(/^---$/m)[1] ?? '') : text;
};

const isKindName = (node: ts.Node): boolean => ts.isStringLiteral(node) && names.has(node.text);

/** True if an expression is a type property: `type`, `field.type` or `fields[name]?.type`. */
const isTypeProperty = (node: ts.Node): boolean =>
  (ts.isIdentifier(node) && node.text === 'type') ||
  (ts.isPropertyAccessExpression(node) && node.name.text === 'type');

/**
 * Code that depends on the name of a field kind: comparisons, cases, and tables with several names.
 */
function findBranches(code: string, file: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isComparison =
      ts.isBinaryExpression(node) &&
      [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
        node.operatorToken.kind,
      ) &&
      ((isTypeProperty(node.left) && isKindName(node.right)) ||
        (isKindName(node.left) && isTypeProperty(node.right)));
    const isSwitch =
      ts.isSwitchStatement(node) &&
      isTypeProperty(node.expression) &&
      node.caseBlock.clauses.some(
        (clause) => ts.isCaseClause(clause) && isKindName(clause.expression),
      );
    const isLookupTable =
      ts.isObjectLiteralExpression(node) &&
      node.properties.filter(({ name }) => name && 'text' in name && names.has(name.text)).length >
        3;
    const isKindList =
      ts.isArrayLiteralExpression(node) && node.elements.filter(isKindName).length > 2;
    // The kinds that an effect accepts are part of the effect, and new kinds do not have to be
    // added.
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'effectFieldTypes') return;
    if (isComparison || isSwitch || isLookupTable || isKindList)
      found.push(`${file}: ${node.getText().slice(0, 100)}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('the names of field kinds', () => {
  it.each(globSync('src/**/*.{ts,astro}').filter((file) => !file.startsWith('src/fields/kinds/')))(
    'do not decide any branch in %s',
    (file) => {
      expect(findBranches(codeOf(file), file)).toEqual([]);
    },
  );

  it('are detected wherever they decide a branch', () => {
    for (const code of [
      "if (field.type === 'date') act();",
      "const shown = type !== 'zip';",
      "switch (spec.type) { case 'phone': act(); }",
      'const table = { string: 1, enum: 2, number: 3, date: 4 };',
      "const SHOWN = new Set(['enum', 'number', 'date']);",
    ])
      expect(findBranches(code, 'x.ts'), code).toHaveLength(1);
  });
});

it('appear only in the tables that the recipe in CONTRIBUTING lists', () => {
  const [, recipe = ''] =
    /\n### Add a field kind\n([\s\S]*?)\n###? /.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
  const isTable = (file: string) =>
    /Record<Field\['type'\],|\.type satisfies never/.test(readFileSync(file, 'utf8'));
  const tables = globSync(['src/**/*.{ts,astro}', 'test/**/*.ts'])
    .filter((file) => file !== 'test/boundaries/field-kinds.test.ts' && isTable(file))
    .sort();
  const listedFiles = recipe.match(/test\/[\w/.-]+\.ts/g)!;
  expect(
    listedFiles.filter((file) => file !== 'test/boundaries/field-kinds.test.ts').sort(),
  ).toEqual(tables);
});
