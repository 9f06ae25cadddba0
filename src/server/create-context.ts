import type { Context } from '../operation/context.ts';
import { tokenGenerators } from '../operation/tokens.ts';
import { erasers } from './erasers.ts';

/** Adds the system's clock, random tokens and the erasers. */
export function createContext(
  parts: Omit<Context, 'now' | 'tokens' | 'erasers'> &
    Required<Pick<Context, 'isCustomerEmailEnabled'>>,
): Context {
  return { ...parts, now: () => new Date(), tokens: tokenGenerators, erasers };
}
