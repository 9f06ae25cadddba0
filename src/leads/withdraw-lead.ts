import { changeLead } from './change-lead.ts';
import type { Context } from '../operation/context.ts';

/**
 * Withdraws a lead for the person who filed it; its hold is given up.
 * @throws {Problem} unknown_receipt; gone; invalid_input when it has come to an end
 * @throws {DatabaseUnavailable}
 */
export const withdrawLead = (lead: string, context: Context): Promise<void> =>
  changeLead({ lead, to: 'withdrawn', actor: 'person' }, context);
