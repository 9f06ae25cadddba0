import { eraseLead } from '../../leads/erase/erase-lead.ts';
import { readStatus, receiptOf } from '../../leads/status/read-lead-status.ts';
import { stopMail, wantsMail } from '../../leads/deliveries/stop-mail.ts';
import type { Context } from '../../operation/context.ts';
import { SANDBOX_TOKEN } from '../../operation/tokens.ts';
import type { Exchange } from '../exchange.ts';
import { type Page, seeOther } from './page.ts';
import { textOf } from './page-post.ts';
import { isObject } from '../../site/json-object.ts';

const HOME = '/receipt';

const receiptIn = ({ params }: Exchange): string => receiptOf({ receipt: params['token'] });

/**
 * The page for email recipients who did not send the request or want no more email about it.
 * Opening the page changes nothing, because mail scanners open every link. One-click unsubscribe in
 * a mail program (RFC 8058) stops the email and erases nothing.
 */
export function notMePage(context: Context): Page {
  return {
    home: HOME,
    async show(exchange) {
      const receipt = receiptIn(exchange);
      const lead = await readStatus(receipt, context);
      return {
        kind: 'not-me',
        lead,
        stopped: receipt !== SANDBOX_TOKEN && !(await wantsMail(receipt, context)),
      };
    },
    async submit(exchange, post) {
      const receipt = receiptIn(exchange);
      const { kind } = post;
      const act = kind === 'form' ? textOf(post, 'do') : isObject(post.body) && post.body['do'];
      const isErase = act === 'erase';
      if (receipt !== SANDBOX_TOKEN)
        await (isErase ? eraseLead(receipt, 'person', context) : stopMail(receipt, context));
      return seeOther(`${HOME}/${receipt}${isErase ? '' : '/not-me'}`);
    },
  };
}
