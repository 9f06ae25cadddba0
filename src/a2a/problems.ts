import { sendMessage } from '../leads/conversation/send-message.ts';
import { leadProblems } from '../leads/submit/lead-channels.ts';
import type { ProblemCode } from '../operation/problem.ts';

/** Problems that another message to the same task can correct. */
const correctableCodes: ReadonlySet<ProblemCode> = new Set([
  'invalid_input',
  'idempotency_mismatch',
  'in_flight',
  'conflict',
  'contract_changed',
  'gone',
]);

/**
 * Whether the task of a rejected request waits for a correction. If not, the call fails. As on
 * other channels, a new request fails if its key belongs to another request.
 */
export const isCorrectable = (code: ProblemCode, isNewTask: boolean): boolean =>
  correctableCodes.has(code) && !(isNewTask && code === 'idempotency_mismatch');

/** Problems with requests and replies that make the call fail. */
export const messageProblems: readonly ProblemCode[] = [
  ...leadProblems.filter((code) => !isCorrectable(code, true)),
  // These cannot occur: a reply uses the receipt token of an existing task, and no If-Match.
  ...sendMessage.problems.filter(
    (code) => code !== 'unknown_receipt' && code !== 'precondition_failed',
  ),
];

/** Error codes from JSON-RPC 2.0 and, starting at −32001, from A2A. */
const rpcCodes: Partial<Record<ProblemCode, number>> = {
  malformed_body: -32700,
  invalid_input: -32602,
  conflict: -32004,
  too_large: -32600,
  unsupported_media_type: -32005,
  internal: -32603,
};

/** The JSON-RPC error code of a problem. Each server defines its own use of −32000. */
export const rpcCodeOf = (code: ProblemCode): number => rpcCodes[code] ?? -32000;
