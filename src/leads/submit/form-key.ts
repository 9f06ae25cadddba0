import type { Context } from '../../operation/context.ts';
import { findSubject } from '../../operation/idempotency.ts';
import { isEnded } from '../lead-states.ts';
import { readLog } from '../lead-log.ts';

/** The scope of the keys that create leads. */
export const LEAD_SCOPE = 'lead';

/**
 * The idempotency key for a form that is sent with `key`. A form may keep its key on a page that a
 * person goes back to. Once its request has ended, sending it again is a new request, so it gets
 * another key, which is the same for every repeat of the new request.
 */
export async function nextFormKey(key: string, context: Context): Promise<string> {
  const receiptToken = await findSubject({ scope: LEAD_SCOPE, key }, context);
  const isRepeat =
    receiptToken === undefined ||
    (receiptToken && !isEnded((await readLog(receiptToken, context)).status));
  // Callers’ keys contain no spaces.
  return isRepeat ? key : nextFormKey(`${key} again`, context);
}
