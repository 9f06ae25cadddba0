import type { RecordProblem } from '../describe-issue.ts';
import type { RecordPath } from '../fault.ts';
import {
  INVISIBLE_PATTERN,
  STRAY_JOINER_PATTERN,
  STRAY_SELECTOR_PATTERN,
} from '../../site/corrections/invisible-characters.ts';

/** Matches characters that are not text, and line breaks that YAML does not recognize. */
const CONTROL_PATTERN =
  /[\u0000-\u0008\v\f\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff\p{Surrogate}]/v;

/** Matches characters that no record may contain; a group captures emoji that include them. */
const INVISIBLE_CHARACTERS_PATTERN = new RegExp(
  [INVISIBLE_PATTERN, STRAY_SELECTOR_PATTERN, STRAY_JOINER_PATTERN, CONTROL_PATTERN]
    .map(({ source }) => source)
    .join('|'),
  'gv',
);

/**
 * A quick check before the slower one: matches all text that may contain such characters, and
 * hardly any other text.
 */
const RARE_CHARACTER_PATTERN =
  /[[\p{Other}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\t\n\r]]/v;

/** The hexadecimal code point of a character, such as 202E. */
export const formatCodePoint = (character: string): string =>
  character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');

/** Finds the first invisible character in text; undefined if there is none. */
function findInvisibleCharacter(
  text: string,
): Pick<RecordProblem, 'problem' | 'location'> | undefined {
  if (!RARE_CHARACTER_PATTERN.test(text)) return undefined;
  const matches = [...text.matchAll(INVISIBLE_CHARACTERS_PATTERN)];
  const match = matches.findIndex(([, emoji]) => emoji === undefined);
  const character = matches[match]?.[0];
  if (character === undefined) return undefined;
  return {
    problem: `has the invisible character U+${formatCodePoint(character)}, which programs read but people do not see. Remove it.`,
    location: { pattern: INVISIBLE_CHARACTERS_PATTERN, match },
  };
}

/** Finds problems in the texts and keys anywhere in a record. */
export function findTextProblems(value: unknown, path: RecordPath = []): RecordProblem[] {
  if (typeof value === 'string') {
    const problem = findInvisibleCharacter(value);
    return problem ? [{ path, ...problem }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const nestedPath = [...path, Array.isArray(value) ? Number(name) : name];
    const problem =
      name === '__proto__'
        ? 'is a reserved name in JavaScript. Choose another.'
        : findInvisibleCharacter(name)?.problem;
    return problem
      ? [{ path: nestedPath, problem, isKeyProblem: true }]
      : findTextProblems(inner, nestedPath);
  });
}
