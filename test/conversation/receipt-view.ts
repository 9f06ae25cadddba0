import type { AnswerView, ReceiptView } from '../../src/http/views.ts';
import type { Fixture } from '../operations/setup/fixture.ts';
import { client } from '../transports/setup/send.ts';

/** The view of a lead’s receipt page. */
export const receiptOf = async (fixture: Fixture, lead: string): Promise<ReceiptView> =>
  (await client(fixture).get(`/receipt/${lead}`, {})).json() as Promise<ReceiptView>;

/** The view of the page that an answer link opens; `url` is its URL or path. */
export const answerPageOf = async (fixture: Fixture, url: string): Promise<AnswerView> =>
  (
    await client(fixture).get(new URL(url, fixture.context.site.base).pathname, {})
  ).json() as Promise<AnswerView>;
