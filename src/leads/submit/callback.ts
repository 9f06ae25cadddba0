import * as v from 'valibot';
import { createMaxLengthCheck } from '../../fields/text-length.ts';
import type { Call } from '../../operation/operation.ts';
import type { Context } from '../../operation/context.ts';
import { type InputError, Problem, type ProblemCode } from '../../operation/problem.ts';
import { memberOf } from '../../site/json-object.ts';
import { withExpectation } from '../../operation/validate.ts';
import { hasPrivateHost } from '../../outbound/public-address.ts';
import { softwareLocale } from '../../language.ts';

/** Maximum length of a callback URL, in characters. */
export const MAX_URL_LENGTH = 2_000;

/**
 * Whether a string is a valid callback URL. A user name or password is rejected, because it would
 * be stored.
 */
function isValidCallbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${hash}` === '';
}

export const callbackUrlSchema = v.pipe(
  v.string(),
  v.url(),
  createMaxLengthCheck(MAX_URL_LENGTH),
  v.check(isValidCallbackUrl),
  withExpectation(
    `Enter an http: or https: URL of at most ${MAX_URL_LENGTH.toLocaleString(softwareLocale)} characters, without a user name, password or fragment.`,
  ),
  v.description('A public URL that accepts POST requests.'),
);

export const PUBLIC_URL_RULE =
  'Enter a URL on the public internet. This URL points to a private address.';

/** Whether a submitted URL is rejected. */
export const isRefusedTarget = (
  url: string,
  { refusesPrivateTargets }: Pick<Context, 'refusesPrivateTargets'>,
): boolean => refusesPrivateTargets === true && isValidCallbackUrl(url) && hasPrivateHost(url);

/** Errors in an unvalidated body's callback, except syntax errors. */
export function findCallbackFaults(body: unknown, context: Context): InputError[] {
  const url = memberOf(memberOf(body, 'callback'), 'url');
  return typeof url === 'string' && isRefusedTarget(url, context)
    ? [{ pointer: '/callback/url', message: PUBLIC_URL_RULE }]
    : [];
}

export const callbackSchema = v.pipe(
  v.strictObject({ url: callbackUrlSchema }),
  withExpectation('Send an object with url.'),
  v.description(
    'Requires a key with the callbacks scope in the Authorization header. Each change to the lead is posted to url as a Standard Webhooks event lead.updated {receiptToken, status, at, statusUrl}, signed with the callback secret of the key.',
  ),
);

/** Callback of the program that submits a lead, posted after each change. */
export type Callback = v.InferOutput<typeof callbackSchema>;

const MISSING_KEY_ERROR: InputError = {
  pointer: '/callback',
  message: 'Only callback needs a key; remove it to send the request without one.',
};

const KEY_PROBLEM_CODES: ReadonlySet<ProblemCode> = new Set(['unauthorized', 'insufficient_scope']);

/**
 * ID of the key that signs the caller's callbacks. @throws {Problem} unauthorized without a valid
 * key, or if the channel cannot carry one; insufficient_scope
 */
export async function requireCallbackKey({ getCallbackKey }: Call): Promise<string> {
  if (!getCallbackKey)
    throw new Problem(
      'unauthorized',
      `A callback needs a key. Post the request with the header Authorization: Bearer <API_KEY>. ${MISSING_KEY_ERROR.message}`,
      { headers: { 'www-authenticate': 'Bearer' }, errors: [MISSING_KEY_ERROR] },
    );
  try {
    return await getCallbackKey();
  } catch (thrown) {
    if (!(thrown instanceof Problem) || !KEY_PROBLEM_CODES.has(thrown.code)) throw thrown;
    const { code, message, headers } = thrown;
    throw new Problem(code, `${message} ${MISSING_KEY_ERROR.message}`, {
      headers,
      errors: [MISSING_KEY_ERROR],
    });
  }
}
