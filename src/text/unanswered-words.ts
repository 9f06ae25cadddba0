import { fill } from './fill.ts';
import { receipt as text } from './index.ts';

/** What becomes of a request that nobody answers by its deadline, in a sentence. */
export const describeUnansweredEnd = (effect: string | undefined): string =>
  text.endsUnanswered[effect === 'storefront' ? effect : 'request'];

/** What to do without an answer to a request that ends at its deadline, and what becomes of it. */
export const describeUnanswered = (phone: string, effect: string | undefined): string =>
  `${fill(text.callOrSendAgain, { phone })} ${describeUnansweredEnd(effect)}`;
