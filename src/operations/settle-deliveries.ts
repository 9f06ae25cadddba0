import { and, eq, inArray, or } from 'drizzle-orm';
import { deliveries } from '../../db/schema-deliveries.ts';
import { outbox } from '../../db/schema.ts';
import type { Context } from './context.ts';
import { isGivenUp, isLate, isUntold, SETTLED } from './late-deliveries.ts';

/** Which deliveries are meant; each member adds some. */
export interface Settled {
  /** Everything about these leads, by their tokens. */
  leads?: readonly string[] | undefined;
  /** Everything by this channel. */
  channel?: string | undefined;
  /** Everything that was given up. */
  givenUp?: boolean | undefined;
  /** Every lead that no address is set for. */
  untold?: boolean | undefined;
}

/** Ends deliveries that have not arrived: they are neither tried again nor counted as late. Answers how many. @throws {DatabaseUnavailable} */
export async function settleDeliveries({ leads = [], channel, givenUp, untold }: Settled, { database: { writer } }: Pick<Context, 'database'>): Promise<number> {
  const events = writer.select({ id: outbox.id }).from(outbox).where(inArray(outbox.lead, [...leads]));
  const meant = or(leads.length ? inArray(deliveries.event, events) : undefined, channel === undefined ? undefined : eq(deliveries.channel, channel), givenUp ? isGivenUp : undefined, untold ? isUntold : undefined);
  if (!meant) return 0;
  const { rowsAffected } = await writer.update(deliveries).set({ dueAt: null, outcome: SETTLED }).where(and(isLate, meant));
  return rowsAffected;
}
