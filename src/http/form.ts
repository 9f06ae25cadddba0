import { Problem } from '../operation/problem.ts';
import type { FormTexts } from '../operation/operation.ts';
import { CHECKED_EMAIL_INPUT, HONEYPOT_INPUT, KEY_INPUT } from '../site/forms/form-inputs.ts';
import type { BodyKind } from './body.ts';

export interface Form {
  /** Values nested by the dots in their names. */
  texts: FormTexts;
  key: string | undefined;
  /** Whether the honeypot, a hidden input that people cannot see, was filled in. */
  isHoneypotFilled: boolean;
  /** Email addresses that the person was asked to check. */
  checkedEmails: readonly string[];
}

const MAX_INPUTS = 200;

/** Maximum nesting depth of a name; the deepest input has four levels. */
const MAX_LEVELS = 8;

/** Creates an object without a prototype, because names are user input. */
const createEmptyTexts = (): FormTexts => Object.create(null) as FormTexts;

const createMalformedBodyProblem = (detail: string) => new Problem('malformed_body', detail);

async function readPairs(
  bytes: Uint8Array<ArrayBuffer>,
  kind: Exclude<BodyKind, 'json'>,
  contentType: string,
): Promise<[string, string][]> {
  if (kind === 'urlencoded') return [...new URLSearchParams(new TextDecoder().decode(bytes))];
  const data = await new Response(bytes, { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw createMalformedBodyProblem(
        'The body is not valid multipart/form-data. Separate its parts with the boundary in the Content-Type header.',
      );
    });
  return [...data].flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'string') return [[name, value]];
    // An empty file input contains no file.
    if (value.size === 0) return [];
    throw createMalformedBodyProblem('This form accepts no files. Send text.');
  });
}

/**
 * Stores the value of a dotted name in nested objects. Repeated names, from checkboxes, become a
 * comma-separated list.
 */
function setText(root: FormTexts, name: string, text: string): void {
  const steps = name.split('.');
  if (steps.length > MAX_LEVELS)
    throw createMalformedBodyProblem(
      `A name in the form has more than ${MAX_LEVELS} levels. Use at most ${MAX_LEVELS}.`,
    );
  const last = steps.pop()!;
  let group = root;
  for (const step of steps) {
    const child = Object.hasOwn(group, step) ? group[step] : undefined;
    if (typeof child === 'string')
      throw createMalformedBodyProblem('The form uses one name for both a value and a group.');
    group = child ?? (group[step] = createEmptyTexts());
  }
  const previous = Object.hasOwn(group, last) ? group[last] : undefined;
  if (typeof previous === 'object')
    throw createMalformedBodyProblem('The form uses one name for both a value and a group.');
  group[last] = previous === undefined ? text : `${previous},${text}`;
}

/**
 * Reads an HTML form. Empty inputs are omitted, values are trimmed, and line breaks become line
 * feeds, so that a form and the equivalent JSON are the same input.
 * @throws {Problem} malformed_body
 */
export async function readForm(
  bytes: Uint8Array<ArrayBuffer>,
  kind: Exclude<BodyKind, 'json'>,
  contentType: string,
): Promise<Form> {
  // Some programs send JSON as a form, for example curl -d without a media type.
  if (kind === 'urlencoded' && /^\s*[[{]/.test(new TextDecoder().decode(bytes.subarray(0, 64))))
    throw createMalformedBodyProblem(
      'This looks like JSON. Send it with Content-Type: application/json.',
    );
  const pairs = await readPairs(bytes, kind, contentType);
  if (pairs.length > MAX_INPUTS)
    throw createMalformedBodyProblem(`The form may have at most ${MAX_INPUTS} inputs. Send fewer.`);
  const texts = createEmptyTexts();
  let key: string | undefined;
  let isHoneypotFilled = false;
  const checkedEmails: string[] = [];
  for (const [name, value] of pairs) {
    const text = value.replace(/\r\n?/g, '\n').trim();
    if (text === '') continue;
    if (name === KEY_INPUT) key = text;
    else if (name === HONEYPOT_INPUT) isHoneypotFilled = true;
    else if (name === CHECKED_EMAIL_INPUT) checkedEmails.push(text);
    else setText(texts, name, text);
  }
  return { texts, key, isHoneypotFilled, checkedEmails };
}

/** Flattens a body to strings by dotted name. */
export function flattenValues(body: unknown, name = ''): Record<string, string> {
  if (typeof body !== 'object' || body === null) return { [name]: String(body) };
  return Object.fromEntries(
    Object.entries(body).flatMap(([step, inner]) =>
      Object.entries(flattenValues(inner, name ? `${name}.${step}` : step)),
    ),
  );
}
