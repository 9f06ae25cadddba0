import type { Action } from '../../registry/schemas/action.ts';

/** Tells software how to add text to a submitted request. */
export const SEND_TEXT_ADVICE =
  'send it as text to statusUrl + /messages or, over MCP, with reply_to_request';

/** Schema description of the hint about information that no field asks for. */
export const MESSAGE_HINT_TEXT = `What else to tell the provider, worded for the person, because no field asks for it. After submitting, ${SEND_TEXT_ADVICE}.`;

/** Says what else to write to the provider and how to send it; undefined if the fields suffice. */
export const describeMessageHint = ({
  messageHint,
}: Pick<Action, 'messageHint'>): string | undefined =>
  messageHint === undefined
    ? undefined
    : `${messageHint} No field asks for this: after submitting, ${SEND_TEXT_ADVICE}.`;
