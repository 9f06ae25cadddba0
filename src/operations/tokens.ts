import { customAlphabet, nanoid } from 'nanoid';
import type { Tokens } from './context.ts';

/** Letters and digits that are not mistaken for one another when read out or copied by hand. */
export const CLEAR_ALPHABET = '346789ABCDEFGHJKLMNPQRTUVWXYabcdefghijkmnpqrtwxyz';
/** What a share token looks like. */
export const SHARE_TOKEN_PATTERN = `^[${CLEAR_ALPHABET}]{8}$`;
/** What a receipt token looks like; `sandbox` is the one exception. */
export const RECEIPT_TOKEN_PATTERN = '^[A-Za-z0-9_-]{21}$';
/** Token of every receipt that was given in the sandbox. */
export const SANDBOX_TOKEN = 'sandbox';

/** Random names from nanoid, which draws on the system’s cryptographic generator. */
export const randomTokens: Tokens = {
  receipt: () => nanoid(21),
  share: customAlphabet(CLEAR_ALPHABET, 8),
  suffix: customAlphabet('346789abcdefghijkmnpqrtwxyz', 4),
  // People name a lead by it, also at a command line and on the telephone.
  event: customAlphabet(CLEAR_ALPHABET, 16),
};
