import { findNearestName, isTextAlias } from '../site/corrections/similar-names.ts';
import { pluralize, formatQuantity } from '../site/words/quantity.ts';
import { parentOf, formatPointer, parsePointer } from './json-pointer.ts';
import type { InputFault } from './problem.ts';

/**
 * Maximum number of unknown names in an object that are reported individually. Each name costs a
 * comparison with all known names and an entry in the response.
 */
export const MAX_UNKNOWN_NAMES = 20;

/** The error for the remaining unknown names of the object at `pointer`. */
export const summarizeUnknownNames = (pointer: string, unknown: number): InputFault[] =>
  unknown > MAX_UNKNOWN_NAMES
    ? [
        {
          pointer,
          message: `${formatQuantity(unknown - MAX_UNKNOWN_NAMES, 'more name is', 'more names are')} unknown. Remove ${pluralize(unknown - MAX_UNKNOWN_NAMES, 'it', 'them')}.`,
        },
      ]
    : [];

const UNKNOWN_NAME_MESSAGE = 'This name is unknown.';

/** The error for an unknown name, with advice as one or more sentences. */
export const withAdvice = (error: InputFault, advice: string): InputFault => ({
  ...error,
  message: `${UNKNOWN_NAME_MESSAGE} ${advice}`,
});

/** The error for an unknown name that can only be removed, with a sentence about its value. */
export const withRemark = (error: InputFault, remark: string): InputFault => ({
  ...withAdvice(error, `Remove it. ${remark}`),
  remark,
});

/** The error for an unknown name where another name was intended. */
export const withIntendedName = (error: InputFault, intended: string): InputFault => ({
  ...withAdvice(error, `Did you mean ${intended}?`),
  intended,
});

/** The error for an unknown name in an object that lacks a name, with all known names. */
export const withChoices = (error: InputFault): InputFault =>
  withAdvice(
    error,
    [`Use one of ${error.allowed?.join(', ') ?? ''}, or remove it.`, error.remark]
      .filter(Boolean)
      .join(' '),
  );

const SANDBOX_ADVICE =
  'Requests sent here are real. To try an action without storing anything, send it with sandbox to POST /api/lead/action or, over MCP, to submit_action.';

/** Advice, by pointer, for names that only other channels or methods accept. */
const ADVICE_BY_POINTER: Readonly<Record<string, string>> = {
  '/idempotencyKey': 'Send it in the Idempotency-Key header.',
  '/erase': 'To erase the request, send DELETE to the statusUrl.',
  '/offerId': 'Send it as the value of accept or decline.',
  '/sandbox': SANDBOX_ADVICE,
  '/input/sandbox': SANDBOX_ADVICE,
};

/** Names that may belong elsewhere in a body, by the pointer to the object that accepts them. */
export type NamesByPointer = Readonly<Record<string, readonly string[]>>;

/** A name that some programs use as the path to a form value: “fields[zip]”. */
const BRACKETED_NAME_PATTERN = /^([^[\]]+)((?:\[[^[\]]*\])+)$/;

/**
 * Pointer to the value that a name with brackets stands for; the name is a member of the object at
 * `parent`.
 */
function findBracketedPlace(
  name: string,
  parent: string,
  known: readonly string[],
): string | undefined {
  const [, root, brackets] = BRACKETED_NAME_PATTERN.exec(name) ?? [];
  if (root === undefined || !known.includes(root)) return undefined;
  const steps = brackets!.slice(1, -1).split('][').filter(Boolean);
  return parent + formatPointer(root, ...steps);
}

/** Pointer to the correct location of a misplaced name; undefined if there is none. */
function findCorrectPlace(name: string, namesByPointer: NamesByPointer): string | undefined {
  const parent = Object.keys(namesByPointer).find((place) => namesByPointer[place]?.includes(name));
  return parent === undefined ? undefined : parent + formatPointer(name);
}

/** The error for an unknown name, with the correct location or the closest known name. */
export function createUnknownNameFault(
  pointer: string,
  name: string,
  known: readonly string[],
  namesByPointer: NamesByPointer = {},
): InputFault {
  const unknown = { pointer, allowed: known };
  const correctPlace =
    findCorrectPlace(name, namesByPointer) ?? findBracketedPlace(name, parentOf(pointer), known);
  const advice =
    correctPlace === undefined ? ADVICE_BY_POINTER[pointer] : `Move it to ${correctPlace}.`;
  if (advice !== undefined)
    return {
      ...unknown,
      message: `${UNKNOWN_NAME_MESSAGE} ${advice}`,
      ...(correctPlace !== undefined && {
        // Names of form inputs have dots in place of slashes.
        formMessage: `${UNKNOWN_NAME_MESSAGE} Use the name ${parsePointer(correctPlace).join('.')}.`,
      }),
      kind: 'misplaced',
    };
  const error: InputFault = {
    ...unknown,
    message: `${UNKNOWN_NAME_MESSAGE} Remove it.`,
    kind: 'unknown',
  };
  const intendedName = findNearestName(name, known);
  return intendedName === undefined ? error : withIntendedName(error, intendedName);
}

/** Adds `names` to the known names in the errors about a body's members. */
export const allowAlso = (errors: readonly InputFault[], ...names: string[]): InputFault[] =>
  errors.map((error) => {
    const [key, ...remainingSteps] = parsePointer(error.pointer);
    const isAboutName = error.kind === 'unknown' || error.kind === 'misplaced';
    if (!isAboutName || !error.allowed || remainingSteps.length) return error;
    const allowed = [...new Set([...error.allowed, ...names])];
    const fault = createUnknownNameFault(error.pointer, key!, allowed);
    // Keep advice that is not based on spelling.
    return error.kind === 'misplaced' || fault.intended === undefined
      ? { ...error, allowed }
      : fault;
  });

/**
 * Adds suggestions to the errors for unknown names in objects that lack required names: the missing
 * name if the only unknown name is a common alias of it, otherwise all known names. If two unknown
 * names would get the same suggestion, both get all known names instead.
 */
export function withSuggestions(errors: readonly InputFault[]): InputFault[] {
  return errors.map((error) => {
    const { pointer, kind, intended } = error;
    const name = parsePointer(pointer).at(-1);
    if (kind !== 'unknown' || name === undefined) return error;
    const siblings = errors.filter((other) => parentOf(other.pointer) === parentOf(pointer));
    if (intended !== undefined)
      return siblings.filter((other) => other.intended === intended).length > 1
        ? withChoices(error)
        : error;
    const missing = siblings.filter((other) => other.kind === 'missing');
    if (!missing.length) return error;
    const unknownNames = siblings.filter((other) => other.kind && other.kind !== 'missing');
    const alias = missing
      .map((other) => parsePointer(other.pointer).at(-1)!)
      .find((other) => isTextAlias(name, other));
    return alias === undefined || unknownNames.length > 1
      ? withChoices(error)
      : withIntendedName(error, alias);
  });
}
