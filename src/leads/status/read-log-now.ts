import type { Context } from '../../operation/context.ts';
import { type LeadLog, readCachedLog } from '../lead-log.ts';
import { createSampleLog, isSandboxToken } from './sample-lead.ts';

/**
 * Reads a lead with the current time, or the sandbox lead with its fixed time. Pass `readLog` as
 * `read` to see a change at once.
 * @throws {Problem} unknown_receipt, gone
 */
export const readLogWithTime = async (
  receiptToken: string,
  context: Context,
  read: (receiptToken: string, context: Context) => Promise<LeadLog> = readCachedLog,
): Promise<{ log: LeadLog; now: Date }> =>
  isSandboxToken(receiptToken)
    ? createSampleLog(context.site, receiptToken)
    : { log: await read(receiptToken, context), now: context.now() };
