import type { Fixture } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';

/** The view of a lead’s receipt page. */
export const receiptOf = async (fixture: Fixture, lead: string) =>
  (await (await client(fixture).get(`/receipt/${lead}`, {})).json()) as any;
