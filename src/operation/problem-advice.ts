import { DEFAULT_RATE_LIMITS_TEXT } from '../site/default-rate-limits.ts';
import { MAX_CAPABILITY_BODY_BYTES } from './body-limits.ts';
import type { ProblemCode } from './problem.ts';
import { softwareLocale } from '../language.ts';

export interface Advice {
  explanation: string;
  /** Sentences with names in backticks. */
  steps: readonly string[];
  /** Whether the same request can succeed later without a change. */
  retry: boolean;
}

/** Text of the page at the `type` URL of a problem document (RFC 9457 section 3.1.1). */
export const problemAdvice: Readonly<Record<ProblemCode, Advice>> = {
  malformed_body: {
    explanation:
      'The request body could not be parsed as the media type in its Content-Type header, or an object in it has the same name twice.',
    steps: [
      'Send valid JSON with `Content-Type: application/json`, in UTF-8, with each name only once per object.',
      'Send a form as `application/x-www-form-urlencoded` or `multipart/form-data`.',
      'Check that the body was not truncated in transit.',
    ],
    retry: false,
  },
  invalid_input: {
    explanation:
      'The request was parsed, but one or more of its values are missing, unknown or invalid. Nothing was stored.',
    steps: [
      'Read `errors` in the response. Each entry has a `pointer`, a JSON Pointer (RFC 6901) into the body, and a `message` that says how to fix the value.',
      'If an entry lists `allowed` values, choose one of them; if it has `min` or `max`, choose a day in that range.',
      'Fix every error, then send the request again. All errors are listed at once.',
    ],
    retry: false,
  },
  unauthorized: {
    explanation:
      'This URL requires an API key as a bearer token. The key is missing, unknown, revoked or expired.',
    steps: [
      'Send the header `Authorization: Bearer <API_KEY>`.',
      'If a key was sent, the `WWW-Authenticate` header of the response has `error="invalid_token"`; otherwise it has no error code.',
      'The operator issues keys by email; there is no self-service page. The `detail` of the response has the email address, and the agent services area explains what to write.',
      'Without a key, submit actions with `POST /api/lead/action`, and ask questions with the MCP tool `ask_knowledge` at `/api/v1/mcp`.',
    ],
    retry: false,
  },
  insufficient_scope: {
    explanation: 'The key is valid, but its scopes do not cover this request.',
    steps: [
      'Read the required scope in the `detail` of the response.',
      'Ask the operator for a key with that scope. Sending the request again with the same key does not help.',
    ],
    retry: false,
  },
  unknown_subsite: {
    explanation: 'The URL names a subsite that does not exist.',
    steps: [
      'Read the agent index at `/api/agent-index`, and use the name of an entry in the URL.',
      'Names are lowercase, with hyphens.',
    ],
    retry: false,
  },
  unknown_action: {
    explanation: 'The subsite exists, but it has no action with that name.',
    steps: ['Read the manifest of the subsite at `/api/agent/{name}`; `actions` lists its verbs.'],
    retry: false,
  },
  unknown_token: {
    explanation: 'No share link matches this token.',
    steps: [
      'Check that the whole URL was copied. Tokens have 8 characters and are case-sensitive.',
      'Create a new link with `POST /api/share`.',
    ],
    retry: false,
  },
  unknown_receipt: {
    explanation: 'No request matches this receipt.',
    steps: [
      'Check that the whole URL was copied. Tokens have 21 characters and are case-sensitive.',
      'If the request was sent in the sandbox, its token is the word `sandbox`: nothing was stored.',
    ],
    retry: false,
  },
  unknown_capability: {
    explanation: 'The catalog has no capability with that ID, or your key does not allow it.',
    steps: ['Read the catalog at `/api/v1/capabilities`.'],
    retry: false,
  },
  not_found: {
    explanation: 'There is nothing at this address.',
    steps: [
      'Check the spelling of the URL.',
      'Start with the agent index at `/api/agent-index`, or with the OpenAPI document at `/api/openapi.json`.',
    ],
    retry: false,
  },
  method_not_allowed: {
    explanation: 'The URL exists, but does not accept this method.',
    steps: ['Use one of the methods in the `Allow` header of the response.'],
    retry: false,
  },
  in_flight: {
    explanation:
      'A request with the same idempotency key is still in progress. It was not carried out a second time.',
    steps: [
      'Wait for the number of seconds in `Retry-After`.',
      'Send the same request with the same key again. You will get the first response.',
    ],
    retry: true,
  },
  conflict: {
    explanation:
      'The requested item is taken, or the state of the request does not allow the action. Nothing was stored.',
    steps: [
      'If the response has `next`, the current state of the request does not allow the action. Read its status again, and choose one of the actions in `next`.',
      'If the response has `errors`, they are alternatives: choose another item for the same days, or keep the item and send the first and last day of one of the periods in which it is free.',
      'If the item is held for days, such as a trailer, `GET /api/free-days` lists its available days.',
      'Send the corrected request. You may use the same idempotency key.',
    ],
    retry: false,
  },
  precondition_failed: {
    explanation:
      'The ETag in If-Match is not that of the current version: the resource has changed since you read it. Nothing was stored.',
    steps: [
      'Read the resource again.',
      'If you still want to make the request, send it again with the new ETag. You may use the same idempotency key.',
    ],
    retry: false,
  },
  contract_changed: {
    explanation:
      'The submitted contract is not the current contract of the action. Usually, a field, price, effect or term has changed since you read it. Nothing was stored.',
    steps: [
      'Read `changes` in the response: each sentence describes one difference or identifies the submitted contract. If it is absent, this service never published the submitted contract.',
      'If you still want the action, send the request again with the `contract` in the response. You may use the same idempotency key.',
      'Otherwise, read the record at `manifest` again; each of its actions has a `contract`.',
    ],
    retry: false,
  },
  gone: {
    explanation:
      'The resource was removed: an erased request, a storefront that was taken down, or a share link whose service is no longer offered here.',
    steps: [
      'Its content no longer exists. If you still need it, send a new request with a new idempotency key, or create a new link.',
    ],
    retry: false,
  },
  too_large: {
    explanation:
      'The body exceeds the limit of this URL: 64 KiB; 300 KiB for the MCP endpoints without a key; and ' +
      `${MAX_CAPABILITY_BODY_BYTES.toLocaleString(softwareLocale)} bytes for quotes, tasks and the MCP endpoint with a key.`,
    steps: ['Shorten the text, or omit what you do not need.'],
    retry: false,
  },
  unsupported_media_type: {
    explanation: 'This URL does not accept the media type of the body.',
    steps: [
      'Send `application/json`. Lead endpoints also accept `application/x-www-form-urlencoded` and `multipart/form-data`.',
    ],
    retry: false,
  },
  idempotency_mismatch: {
    explanation:
      'The idempotency key, or the ID of an imported lead, was used before with another body. Nothing was carried out.',
    steps: [
      'Use a new key for each new request, and a new ID for each imported lead.',
      'Use the same key or ID only to repeat a request unchanged.',
      'To correct a request that was accepted, send a message about it, or withdraw it before you submit a new one: a new key makes a second request.',
    ],
    retry: false,
  },
  rate_limited: {
    explanation:
      'More requests were sent from your IP address or with your key than are allowed per minute.',
    steps: [
      'Wait for the number of seconds in `Retry-After`.',
      DEFAULT_RATE_LIMITS_TEXT,
      'The `RateLimit` and `RateLimit-Policy` headers have the remaining quota; a response without them has no limit.',
      'Documents such as the agent index have no limit; cache them and revalidate with `If-None-Match`.',
    ],
    retry: true,
  },
  budget_exceeded: {
    explanation:
      'Requests, messages, holds, storefronts, share links, A2A tasks and questions have budgets per contact, per IP address or key, and for the whole service, so that enough is left for everyone. A request with a key counts against the key, not against the address. One of these budgets is used up. Nothing was stored.',
    steps: [
      'Read the `detail` of the response for the budget, when it refills, and what you can do until then.',
      'If a contact, an address or a key has used up its unconfirmed holds, withdraw a request that you no longer need; choosing other days does not help. A hold counts until it is confirmed, declined, withdrawn or expired.',
      'If no more holds are possible on those days, for everyone or from one address or key, choose other days: `errors` may suggest some. One address or key can hold only part of a catalog on one day, and the holds of everyone behind an IP address count together.',
      'Otherwise, wait for the number of seconds in `Retry-After`, then send the same request with the same idempotency key.',
    ],
    retry: true,
  },
  internal: {
    explanation: 'Something failed on our side. The error was logged under the ID in the response.',
    steps: [
      'Send the request again with the same idempotency key; it will not be carried out twice.',
      'If it fails again, write to us with the ID.',
    ],
    retry: true,
  },
  unavailable: {
    explanation: 'The service cannot reach its database at the moment. Nothing was stored.',
    steps: [
      'Wait for the number of seconds in `Retry-After`, then send the same request with the same idempotency key.',
      'Documents and pages are still available in the meantime.',
    ],
    retry: true,
  },
};
