import * as v from 'valibot';
import { captureLead } from '../leads/capture-lead.ts';
import type { Context } from '../operation/context.ts';
import { createShareLink } from '../links/create-share-link.ts';
import { readLeadStatus } from '../leads/read-lead-status.ts';
import { submitAction } from '../leads/submit-action.ts';
import { expecting } from '../operation/validate.ts';
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

const MINTS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const text = { type: 'string' };
const sandbox = { type: 'boolean', description: 'true stores nothing' };
const receipt = objectOf({ receiptToken: text, statusUrl: text, receiptUrl: text }, [
  'receiptToken',
]);
const oneReceipt = v.strictObject({
  receipt: v.pipe(v.string(), expecting('Write the receiptToken of a receipt.')),
});

/**
 * The tools that do something, each by the operation behind every other door. What is published of their input is what
 * a model needs to call them; the operation checks it, and its faults say the rest.
 */
export function writingTools(context: Context): McpTool[] {
  return [
    writingTool(
      submitAction,
      {
        name: 'submit_action',
        title: 'Submit an action',
        description:
          'Requests a quote, a visit or a booking; get_subsite_info shows actions and fields. Free; a receipt is no confirmed booking or payment.',
        annotations: REACHES_PROVIDERS,
        inputSchema: objectOf(
          {
            subsite: textOf('Its name'),
            action: textOf('Verb'),
            fields: { type: 'object', description: 'Values by field name' },
            contact: {
              ...objectOf({ name: text, email: text, phone: text }),
              description: 'Who asks',
            },
            source: textOf('Label of origin'),
            sandbox,
            idempotencyKey,
          },
          ['subsite', 'action'],
        ),
        outputSchema: receipt,
      },
      context,
    ),
    writingTool(
      captureLead,
      {
        name: 'capture_lead',
        title: 'Leave a mail address',
        description:
          'Leaves a mail address with a subsite that is to write back. For a quote or a booking use submit_action.',
        annotations: REACHES_PROVIDERS,
        inputSchema: objectOf(
          {
            email: textOf('Where to reply'),
            source: textOf('leadSource of the subsite'),
            name: textOf('Who asks'),
            data: { type: 'object', description: 'Anything else' },
            sandbox,
            idempotencyKey,
          },
          ['email', 'source'],
        ),
        outputSchema: receipt,
      },
      context,
    ),
    readingTool(
      readLeadStatus,
      {
        name: 'get_lead_status',
        title: 'State of a request',
        description:
          'Says what became of a request: its state, history and until when an answer is promised.',
        annotations: READS,
        inputSchema: objectOf({ receipt: textOf('receiptToken; sandbox shows a sample') }, [
          'receipt',
        ]),
        outputSchema: objectOf(
          { status: text, respondBy: text, history: listOf({ type: 'object' }) },
          ['status'],
        ),
      },
      context,
      { read: (args) => readArguments(oneReceipt, args) },
    ),
    writingTool(
      createShareLink,
      {
        name: 'create_share_link',
        title: 'Make a share link',
        description:
          'Makes a short link to a page of a subsite; the same request makes the same link.',
        annotations: MINTS,
        inputSchema: objectOf(
          {
            subsite: textOf('Its name'),
            path: textOf("Page at or under the subsite's url"),
            title: textOf('Of the link'),
            meta: { type: 'object', description: 'Kept with it' },
            idempotencyKey,
          },
          ['subsite'],
        ),
        outputSchema: objectOf({ url: text, target: text }, ['url']),
      },
      context,
    ),
  ];
}
