import type { Context } from '../operation/context.ts';
import { randomTokens } from '../operation/tokens.ts';
import { erasers } from './erasers.ts';

/**
 * What operations of a running service work with: its site, database and log, the system’s clock,
 * random tokens and what an erase reaches.
 */
export function createContext(
  parts: Pick<
    Context,
    | 'site'
    | 'database'
    | 'log'
    | 'linkSecret'
    | 'channels'
    | 'mailsPeople'
    | 'providers'
    | 'signReceipt'
    | 'signDocument'
    | 'budgets'
    | 'refusesPrivateTargets'
  >,
): Context {
  return { ...parts, now: () => new Date(), tokens: randomTokens, erasers };
}
