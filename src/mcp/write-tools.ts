import * as v from 'valibot';
import { captureLead } from '../leads/submit/capture-lead.ts';
import type { Context } from '../operation/context.ts';
import { createShareLink } from '../links/create-share-link.ts';
import { eraseRequest } from '../leads/erase/erase-request.ts';
import { isEnded } from '../leads/lead-states.ts';
import type { LeadState } from '../leads/status/lead-status.ts';
import { readLeadStatus } from '../leads/status/read-lead-status.ts';
import type { Receipt } from '../leads/status/receipt.ts';
import { findMessageFaults } from '../leads/conversation/customer-message.ts';
import { sendMessage } from '../leads/conversation/send-message.ts';
import { submitAction } from '../leads/submit/submit-action.ts';
import { isSandboxToken } from '../leads/status/sample-lead.ts';
import { formatPointer } from '../operation/json-pointer.ts';
import type { InputFault } from '../operation/problem.ts';
import { normalizeTexts } from '../operation/normalize-text.ts';
import { isObject, memberOf } from '../site/json-object.ts';
import { allowAlso } from '../operation/unknown-names.ts';
import { withExpectation, createNameFault, throwIfAnyFaults } from '../operation/validate.ts';
import {
  idempotencyKeySchema,
  createObjectSchema,
  createReadTool,
  createStringSchema,
  createWriteTool,
  type ToolDeclaration,
} from './operation-tool.ts';
import {
  type McpTool,
  readArguments,
  PROVIDER_ANNOTATIONS,
  READ_ANNOTATIONS,
  type ToolAnnotations,
  WRITE_ANNOTATIONS,
} from './tool.ts';

const CREATE_ANNOTATIONS: ToolAnnotations = { ...WRITE_ANNOTATIONS, idempotentHint: true };

/** A withdrawal or an erasure cannot be undone. */
const REPLY_ANNOTATIONS: ToolAnnotations = { ...PROVIDER_ANNOTATIONS, destructiveHint: true };

const STRING_SCHEMA = { type: 'string' };
// The tool list, at most 10 KB, has no room to declare the other members of a status.
const statusSchema = createObjectSchema({ status: STRING_SCHEMA });
/** Arguments for the tools that create a lead. */
const submissionProperties = {
  contract: createStringSchema('From get_subsite_info'),
  notify: { type: 'boolean', description: 'false: no email' },
  callback: { type: 'object', description: '{url}; needs a key' },
  sandbox: { type: 'boolean', description: 'Stores nothing' },
  idempotencyKey: idempotencyKeySchema,
};
const receiptSchema = createObjectSchema({
  receiptToken: STRING_SCHEMA,
  receiptUrl: STRING_SCHEMA,
});
/** A new lead continues as a task; a sandbox lead has already ended. */
const taskOf = ({ sandbox: isSandbox, receiptToken }: Receipt) =>
  isSandbox ? undefined : receiptToken;
const RECEIPT_RULE = 'Send the receiptToken or the receiptUrl of a receipt.';
const receiptArguments = v.strictObject({
  receiptToken: v.pipe(v.string(), withExpectation(RECEIPT_RULE)),
  newerThan: v.optional(
    v.pipe(
      v.string(),
      v.isoTimestamp(),
      withExpectation('Send the updatedAt of the status that you have, or leave it out.'),
    ),
  ),
});

/** How long a call waits for a change; by default, clients give up after 60 seconds. */
const WAIT_SECONDS = 50;

function readReceipt(args: unknown): { receipt: string; wait?: string } {
  const { receiptToken, newerThan } = readArguments(receiptArguments, args);
  return {
    receipt: receiptToken,
    ...(newerThan !== undefined && { wait: String(WAIT_SECONDS) }),
  };
}

/**
 * Creates a check for whether the caller's status is up to date. Comparing times is not enough,
 * because an expired offer changes the allowed actions. A request that has ended or is in the
 * sandbox is never up to date, so the call returns immediately.
 */
function createKnownCheck(args: unknown): ((lead: LeadState) => boolean) | undefined {
  const newerThan = memberOf(args, 'newerThan');
  if (typeof newerThan !== 'string') return undefined;
  const knownTime = Date.parse(newerThan);
  let initialNext: string | undefined;
  return ({ receiptToken, status, updatedAt, next }) => {
    if (isSandboxToken(receiptToken)) return false;
    initialNext ??= next.join();
    return !isEnded(status) && Date.parse(updatedAt) <= knownTime && next.join() === initialNext;
  };
}

/** Says that a call did not wait because too many others are waiting. */
const createNotWaitedNotice = ({ 'retry-after': seconds }: Readonly<Record<string, string>>) =>
  seconds === undefined
    ? undefined
    : `This call did not wait for a change, because too many calls are waiting. The result above is the current state. Call again in ${seconds} seconds.`;

function findReceiptFaults(receiptToken: unknown): InputFault[] {
  if (typeof receiptToken === 'string') return [];
  return [createNameFault(receiptToken, '/receiptToken', RECEIPT_RULE)];
}

/**
 * Converts a tool call to the operation's input for a reply.
 * @throws {Problem} invalid_input with every error at once
 */
function readReply(args: unknown): unknown {
  const sent = normalizeTexts(args);
  const { receiptToken, ...body } = isObject(sent) ? sent : {};
  throwIfAnyFaults([
    ...findReceiptFaults(receiptToken),
    ...allowAlso(findMessageFaults(body), 'receiptToken', 'erase').map((fault) => {
      if (fault.pointer === '/erase')
        return { pointer: fault.pointer, message: 'Send true, or leave it out.' };
      return fault.pointer === '' && fault.allowed
        ? {
            ...fault,
            message: `${fault.message} To erase the request, send erase (true).`,
            allowed: [...fault.allowed, 'erase'],
          }
        : fault;
    }),
  ]);
  return { ...body, receipt: receiptToken };
}

const asksForErasure = (args: unknown): boolean => memberOf(args, 'erase') === true;

/**
 * Converts a tool call to the operation's input for an erasure.
 * @throws {Problem} invalid_input with every error at once
 */
function readErasure(args: unknown): unknown {
  const { receiptToken, erase: _, ...others } = args as Record<string, unknown>;
  throwIfAnyFaults([
    ...findReceiptFaults(receiptToken),
    ...Object.keys(others).map((name) => ({
      pointer: formatPointer(name),
      message: 'Remove it: send erase alone, because nothing remains of the request.',
    })),
  ]);
  return { receipt: receiptToken };
}

/** One tool for messages and erasure, because an endpoint may have at most 15 tools. */
function createReplyTool(declaration: ToolDeclaration, context: Context): McpTool {
  const reply = createWriteTool(sendMessage, declaration, context, { read: readReply });
  const erasure = createWriteTool(eraseRequest, declaration, context, { read: readErasure });
  return {
    ...reply,
    call: (args, call) => (asksForErasure(args) ? erasure : reply).call(args, call),
  };
}

/**
 * The tools that write. Each calls the operation that all channels share. The published input
 * schema has what a model needs; the operation validates the input, and its errors explain the
 * rest.
 */
export function createWriteTools(context: Context): McpTool[] {
  return [
    createWriteTool(
      submitAction,
      {
        name: 'submit_action',
        title: 'Submit an action',
        description: 'Requests a quote, visit or booking, free. Read get_subsite_info first.',
        annotations: PROVIDER_ANNOTATIONS,
        inputSchema: createObjectSchema(
          {
            subsite: createStringSchema('Its name'),
            action: createStringSchema('verb of its action'),
            fields: { type: 'object', description: 'Its fields: {name: value}' },
            contact: { type: 'object', description: 'name, email, phone' },
            source: createStringSchema('Name of your app'),
            ...submissionProperties,
          },
          ['subsite', 'action'],
        ),
        outputSchema: receiptSchema,
      },
      context,
      { taskOf },
    ),
    createWriteTool(
      captureLead,
      {
        name: 'capture_lead',
        title: 'Leave an email',
        description: 'Asks a subsite to write back. For a booking use submit_action.',
        annotations: PROVIDER_ANNOTATIONS,
        inputSchema: createObjectSchema(
          {
            email: createStringSchema('To reply'),
            source: createStringSchema('Its leadSource'),
            name: createStringSchema('Who asks'),
            data: { type: 'object', description: 'Anything else' },
            ...submissionProperties,
          },
          ['email', 'source'],
        ),
        outputSchema: receiptSchema,
      },
      context,
      { taskOf },
    ),
    createReadTool(
      readLeadStatus,
      {
        name: 'get_lead_status',
        title: 'State of a request',
        description: 'State, messages, offer; next: allowed actions.',
        annotations: READ_ANNOTATIONS,
        inputSchema: createObjectSchema(
          {
            receiptToken: createStringSchema('Or receiptUrl, or sandbox'),
            newerThan: createStringSchema('updatedAt; waits for a change'),
          },
          ['receiptToken'],
        ),
        outputSchema: statusSchema,
      },
      context,
      { read: readReceipt, createKnownCheck, noticeOf: createNotWaitedNotice },
    ),
    createReplyTool(
      {
        name: 'reply_to_request',
        title: 'Reply to a request',
        description: 'Sends text, accept, decline, withdraw or erase.',
        annotations: REPLY_ANNOTATIONS,
        inputSchema: createObjectSchema(
          {
            receiptToken: createStringSchema('Or receiptUrl'),
            text: createStringSchema('To the provider'),
            accept: createStringSchema('offerId'),
            decline: createStringSchema('offerId'),
            withdraw: { const: true, description: 'Ends it' },
            erase: { const: true, description: 'Deletes its data' },
            idempotencyKey: idempotencyKeySchema,
          },
          ['receiptToken'],
        ),
        outputSchema: statusSchema,
      },
      context,
    ),
    createWriteTool(
      createShareLink,
      {
        name: 'create_share_link',
        title: 'Make a share link',
        description: 'Creates a short link.',
        annotations: CREATE_ANNOTATIONS,
        replayedText: 'This link already existed; no second one was made.',
        inputSchema: createObjectSchema(
          {
            subsite: createStringSchema('Its name'),
            path: createStringSchema('Its page'),
            title: createStringSchema('Link title'),
            meta: { type: 'object', description: 'Stored data' },
            idempotencyKey: idempotencyKeySchema,
          },
          ['subsite'],
        ),
        outputSchema: createObjectSchema({ url: STRING_SCHEMA }),
      },
      context,
    ),
  ];
}
