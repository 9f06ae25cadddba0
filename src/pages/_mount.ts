import type { APIContext, APIRoute } from 'astro';
import type { Operation } from '../operations/index.ts';
import { answer, type FormFault, formKeys, requestLimits } from '../transports/index.ts';

/** Answers one request with an operation. A refused form is shown again by /form-fault, to which the request is led inside the server. */
export function answerWith(operation: Operation<any, any>, { request, params, locals, rewrite, url }: APIContext): Promise<Response> {
  return answer(operation, request, {
    params,
    context: locals.context,
    clientAddress: locals.clientAddress,
    limits: requestLimits(),
    formKeys: formKeys(),
    replyTo: locals.replyTo,
    showFault(fault: FormFault) {
      locals.formFault = fault;
      // The body of the request was read; the page needs none.
      return rewrite(new Request(new URL('/form-fault', url)));
    },
  });
}

/** An endpoint for every method: the operation’s own, OPTIONS, and a refusal of the others. */
export const mount =
  (operation: Operation<any, any>): APIRoute =>
  (context) =>
    answerWith(operation, context);
