import type { keys } from '../../db/schema-capabilities.ts';

export type KeyState = 'active' | 'expired' | 'revoked';

/** The state of a key at a given time. Only an active key may be used. */
export function keyStateOf(
  { revokedAt, expiresAt }: Pick<typeof keys.$inferSelect, 'revokedAt' | 'expiresAt'>,
  now: Date,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now.toISOString() ? 'expired' : 'active';
}
