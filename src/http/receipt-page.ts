import { possibleStates } from '../leads/lead-states.ts';
import { eraseLead } from '../leads/erase-lead.ts';
import { readLeadStatus } from '../leads/read-lead-status.ts';
import { readReceiptExtra } from '../leads/read-receipt-extra.ts';
import { withdrawLead } from '../leads/withdraw-lead.ts';
import type { Context } from '../operation/context.ts';
import { Problem, type ProblemCode } from '../operation/problem.ts';
import { SANDBOX_TOKEN } from '../operation/tokens.ts';
import type { Exchange } from './exchange.ts';
import { type Page, seeOther } from './page.ts';
import { textOf } from './page-post.ts';

const HOME = '/receipt';

const tokenOf = ({ params }: Exchange): string => params['token']!;

const receiptPath = (exchange: Exchange): string =>
  `${HOME}/${encodeURIComponent(tokenOf(exchange))}`;

/** The receipt of a lead, for whoever holds its token. */
export const receiptPage = (context: Context): Page => ({
  home: HOME,
  async show(exchange) {
    const receipt = tokenOf(exchange);
    const { output: lead } = await readLeadStatus.handle(
      readLeadStatus.parse({ receipt }, context),
      { door: 'json' },
      context,
    );
    return {
      kind: 'receipt',
      lead,
      extra: await readReceiptExtra(receipt, context),
      sandbox: receipt === SANDBOX_TOKEN,
      canWithdraw: possibleStates(lead.status, 'person').includes('withdrawn'),
    };
  },
});

/** Refusals that the receipt’s own page explains better: the lead is in another state, erased or unknown. */
const explainedByReceipt: ReadonlySet<ProblemCode> = new Set([
  'invalid_input',
  'gone',
  'unknown_receipt',
]);

/** Does what the person wants with their request and leads back to its receipt. Opening the address changes nothing. */
const manage = (
  act: (exchange: Exchange) => Promise<void>,
): Omit<Page, 'submit'> & Required<Pick<Page, 'submit'>> => ({
  home: HOME,
  show: async (exchange) => seeOther(receiptPath(exchange)),
  async submit(exchange) {
    try {
      await act(exchange);
    } catch (thrown) {
      if (!(thrown instanceof Problem && explainedByReceipt.has(thrown.code))) throw thrown;
    }
    return seeOther(receiptPath(exchange));
  },
});

/** Withdraws a request for the person who has its receipt. */
export const withdrawPage = (context: Context): Page =>
  manage((exchange) => withdrawLead(tokenOf(exchange), context));

/** Erases a request for the person who has its receipt and ticked the box. */
export function erasePage(context: Context): Page {
  const erase = manage((exchange) => eraseLead(tokenOf(exchange), 'person', context));
  return {
    ...erase,
    submit: async (exchange, post) =>
      textOf(post, 'sure') === undefined
        ? seeOther(`${receiptPath(exchange)}#erase`)
        : erase.submit(exchange, post),
  };
}
