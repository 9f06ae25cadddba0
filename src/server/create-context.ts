import type { Context } from '../operation/context.ts';
import { tokenGenerators } from '../operation/tokens.ts';
import { erasers } from './erasers.ts';

/**
 * The context of operations in a running service: its site, database and log, the system's clock,
 * random tokens and the erasers.
 */
export function createContext(
  parts: Pick<
    Context,
    | 'site'
    | 'database'
    | 'log'
    | 'linkSecret'
    | 'channels'
    | 'providers'
    | 'signReceipt'
    | 'signDocument'
    | 'budgets'
    | 'refusesPrivateTargets'
  > &
    Required<Pick<Context, 'isPersonMailEnabled'>>,
): Context {
  return { ...parts, now: () => new Date(), tokens: tokenGenerators, erasers };
}
