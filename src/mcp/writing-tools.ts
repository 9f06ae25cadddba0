import * as v from 'valibot';
import { captureLead } from '../leads/submit/capture-lead.ts';
import type { Context } from '../operation/context.ts';
import { createShareLink } from '../links/create-share-link.ts';
import { isEnded } from '../leads/lead-states.ts';
import type { LeadState } from '../leads/status/lead-status.ts';
import { readLeadStatus } from '../leads/status/read-lead-status.ts';
import type { Receipt } from '../leads/status/receipt.ts';
import { messageFaults, sendMessage } from '../leads/conversation/send-message.ts';
import { submitAction } from '../leads/submit/submit-action.ts';
import { normalizeTexts } from '../operation/normalize-text.ts';
import { isObject } from '../site/json-object.ts';
import { expecting, allowAlso, missingName, throwIfAny } from '../operation/validate.ts';
import {
  idempotencyKey,
  listOf,
  objectOf,
  readingTool,
  textOf,
  writingTool,
} from './operation-tool.ts';
import {
  type McpTool,
  readArguments,
  REACHES_PROVIDERS,
  READS,
  type ToolAnnotations,
} from './tool.ts';

const CREATES: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A withdrawal cannot be undone. */
const REPLIES: ToolAnnotations = { ...REACHES_PROVIDERS, destructiveHint: true };

const text = { type: 'string' };
const next = listOf(text);
const messages = listOf(objectOf({ text }));
/** Arguments of the tools that file a lead. */
const forSubmissions = {
  contract: textOf('As read'),
  notify: { type: 'boolean', description: 'false: no mail' },
  callback: { type: 'object', description: 'Needs a key' },
  sandbox: { type: 'boolean', description: 'Stores nothing' },
  idempotencyKey,
};
const receipt = objectOf({ receiptToken: text, receiptUrl: text });
/** A filed lead is a task; a sandbox lead has already ended. */
const taskOf = ({ sandbox: isTrial, receiptToken }: Receipt) =>
  isTrial ? undefined : receiptToken;
const RECEIPT_RULE = 'Write the receiptToken of a receipt.';
const receiptArguments = v.strictObject({
  receiptToken: v.pipe(v.string(), expecting(RECEIPT_RULE)),
  newerThan: v.optional(
    v.pipe(
      v.string(),
      v.isoTimestamp(),
      expecting('Write the updatedAt of the answer that you have, or leave it out.'),
    ),
  ),
});

/**
 * Maximum seconds that a call waits for a change; clients abandon a request after 60 by default.
 */
const WAIT_SECONDS = 50;

/**
 * The requested receipt; `receipt` is the argument's former name. @throws {Problem} invalid_input
 */
function readReceipt(args: unknown): { receipt: string; wait?: string } {
  const { receipt, ...others } = isObject(args) ? args : {};
  const renamed = receipt !== undefined && !Object.hasOwn(others, 'receiptToken');
  const { receiptToken, newerThan } = readArguments(
    receiptArguments,
    renamed ? { ...others, receiptToken: receipt } : args,
  );
  return {
    receipt: receiptToken,
    ...(newerThan !== undefined && { wait: String(WAIT_SECONDS) }),
  };
}

/**
 * Whether the caller's status is up to date. Not only times count, because an expired offer changes
 * the allowed actions; a request that has ended is always returned immediately.
 */
function knownOf(args: unknown): ((lead: LeadState) => boolean) | undefined {
  const { newerThan } = args as { newerThan?: string };
  if (newerThan === undefined) return undefined;
  let first: string | undefined;
  return ({ status, updatedAt, next }) => {
    first ??= next.join();
    return !isEnded(status) && updatedAt <= newerThan && next.join() === first;
  };
}

/** The operation's input for a reply. @throws {Problem} invalid_input with every error at once */
function readReply(args: unknown): unknown {
  const sent = normalizeTexts(args);
  const { receiptToken, ...body } = isObject(sent) ? sent : {};
  throwIfAny([
    ...(typeof receiptToken === 'string'
      ? []
      : [
          receiptToken === undefined
            ? missingName('/receiptToken', RECEIPT_RULE)
            : { pointer: '/receiptToken', message: RECEIPT_RULE },
        ]),
    ...allowAlso(messageFaults(body), 'receiptToken'),
  ]);
  return { ...body, receipt: receiptToken };
}

/**
 * The tools that write, each based on the same operation as every other channel. Their published
 * input schema has what a model needs; the operation validates the input, and its errors explain
 * the rest.
 */
export function writingTools(context: Context): McpTool[] {
  return [
    writingTool(
      submitAction,
      {
        name: 'submit_action',
        title: 'Submit an action',
        description:
          'Requests a quote, visit or booking, free; get_subsite_info shows actions, fields.',
        annotations: REACHES_PROVIDERS,
        inputSchema: objectOf(
          {
            subsite: textOf('Its name'),
            action: textOf('Verb'),
            fields: { type: 'object', description: 'By name' },
            contact: { type: 'object', description: 'name, email, phone' },
            source: textOf('Yours'),
            ...forSubmissions,
          },
          ['subsite', 'action'],
        ),
        outputSchema: receipt,
      },
      context,
      { taskOf },
    ),
    writingTool(
      captureLead,
      {
        name: 'capture_lead',
        title: 'Leave an email',
        description: 'Asks a subsite to write back. For a quote or booking use submit_action.',
        annotations: REACHES_PROVIDERS,
        inputSchema: objectOf(
          {
            email: textOf('To reply'),
            source: textOf('Its leadSource'),
            name: textOf('Who asks'),
            data: { type: 'object', description: 'More' },
            ...forSubmissions,
          },
          ['email', 'source'],
        ),
        outputSchema: receipt,
      },
      context,
      { taskOf },
    ),
    readingTool(
      readLeadStatus,
      {
        name: 'get_lead_status',
        title: 'State of a request',
        description: 'State, messages, offer; next lists what may be done.',
        annotations: READS,
        inputSchema: objectOf(
          {
            receiptToken: textOf('Of a receipt, or sandbox'),
            newerThan: textOf('updatedAt; waits for a change'),
          },
          ['receiptToken'],
        ),
        outputSchema: objectOf({ status: text, next, messages }),
      },
      context,
      { read: readReceipt, knownOf },
    ),
    writingTool(
      sendMessage,
      {
        name: 'reply_to_request',
        title: 'Reply to a request',
        description: 'Sends one of text, accept, decline and withdraw, as next allows.',
        annotations: REPLIES,
        inputSchema: objectOf(
          {
            receiptToken: textOf('Of the receipt'),
            text: textOf('For the provider'),
            accept: textOf('offerId'),
            decline: textOf('offerId'),
            withdraw: { const: true, description: 'Ends it' },
            idempotencyKey,
          },
          ['receiptToken'],
        ),
        outputSchema: objectOf({ status: text, next }),
      },
      context,
      { read: readReply },
    ),
    writingTool(
      createShareLink,
      {
        name: 'create_share_link',
        title: 'Make a share link',
        description: 'A short link to a page.',
        annotations: CREATES,
        inputSchema: objectOf(
          {
            subsite: textOf('Its name'),
            path: textOf('Its page'),
            title: textOf('Of the link'),
            meta: { type: 'object', description: 'Kept with it' },
            idempotencyKey,
          },
          ['subsite'],
        ),
        outputSchema: objectOf({ url: text }),
      },
      context,
    ),
  ];
}
