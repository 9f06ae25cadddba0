import type { Context } from '../operation/context.ts';
import { authenticateKey, createScopeProblem } from './authenticate-key.ts';
import { CALLBACKS_SCOPE } from './key-scopes.ts';

/**
 * The ID of the key in an Authorization header, which must allow callbacks. @throws {Problem}
 * unauthorized; insufficient_scope if the key has another scope
 */
export async function readCallbackKey(header: string | null, context: Context): Promise<string> {
  const { id, scopes } = await authenticateKey(header, context);
  // No wildcard includes it: only a key created for callbacks has a secret to sign them.
  if (scopes.includes(CALLBACKS_SCOPE)) return id;
  throw createScopeProblem(
    CALLBACKS_SCOPE,
    `The key does not allow callbacks. Ask the operator for a key with the scope ${CALLBACKS_SCOPE}, or leave callback out.`,
  );
}
