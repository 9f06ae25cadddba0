import { CAPABILITY_BODY_BYTES } from './body-limits.ts';
import type { ProblemCode } from './problem.ts';

/** What a problem means to the caller. */
export interface Advice {
  /** What happened, in one or two sentences. */
  happened: string;
  /** What to do about it, step by step. */
  steps: readonly string[];
  /** Whether the same request can succeed later without a change. */
  retry: boolean;
}

/** Text of the page behind the `type` of each problem document (RFC 9457 section 3.1.1). */
export const problemAdvice: Readonly<Record<ProblemCode, Advice>> = {
  malformed_body: {
    happened: 'The body of the request could not be read as the media type that it was sent with.',
    steps: [
      'Send valid JSON with Content-Type: application/json, in UTF-8.',
      'Send a form as application/x-www-form-urlencoded or multipart/form-data.',
      'Check that the body was not cut off on the way.',
    ],
    retry: false,
  },
  invalid_input: {
    happened:
      'The request was read, but one or more of its values are missing, unknown or not of the documented kind. Nothing was stored.',
    steps: [
      'Read errors in the answer. Each entry has a pointer, a JSON Pointer (RFC 6901) into the body, and a message that says what would be right.',
      'Where allowed is given, choose one of its values.',
      'Correct every entry, then send the request again. All faults are listed at once.',
    ],
    retry: false,
  },
  unauthorized: {
    happened:
      'This address needs a bearer key, and the request had none, or one that is unknown, revoked or expired.',
    steps: [
      'Send the header Authorization: Bearer followed by the key.',
      'Where a key was sent, the WWW-Authenticate header of the answer says error="invalid_token"; without one it has no error code.',
      'The operator issues keys, by mail: there is no self-service page. The detail of the answer has the address to write to, the agent services area what to write.',
    ],
    retry: false,
  },
  insufficient_scope: {
    happened: 'The key is valid, but its scopes do not cover what was asked for.',
    steps: [
      'Read the detail of the answer: it names the scope that is needed.',
      'Ask for a key with that scope. Nothing is widened by asking again with the same key.',
    ],
    retry: false,
  },
  unknown_subsite: {
    happened: 'The address names a subsite that does not exist.',
    steps: [
      'Read the agent index at /api/agent-index; use the name of an entry in the address.',
      'Names are lower case, with hyphens.',
    ],
    retry: false,
  },
  unknown_action: {
    happened: 'The subsite exists, but it has no action of that name.',
    steps: ['Read the manifest of the subsite at /api/agent/{name}; actions lists its verbs.'],
    retry: false,
  },
  unknown_token: {
    happened: 'No share link has this token.',
    steps: [
      'Check that the whole address was copied. Tokens have eight characters, and large and small letters differ.',
      'Make a new link with POST /api/share.',
    ],
    retry: false,
  },
  unknown_receipt: {
    happened: 'No request has this receipt.',
    steps: [
      'Check that the whole address was copied. Tokens have 21 characters, and large and small letters differ.',
      'If the request was sent in the sandbox, its token is the word sandbox: nothing was stored.',
    ],
    retry: false,
  },
  unknown_capability: {
    happened: 'The catalog has no capability with that id, or your key does not allow it.',
    steps: ['Read the catalog at /api/v1/capabilities.'],
    retry: false,
  },
  not_found: {
    happened: 'There is nothing at this address.',
    steps: [
      'Check the spelling of the address.',
      'Begin with the agent index at /api/agent-index, or with the OpenAPI document at /api/openapi.json.',
    ],
    retry: false,
  },
  method_not_allowed: {
    happened: 'The address exists, but it is not used with this method.',
    steps: ['Use one of the methods in the Allow header of the answer.'],
    retry: false,
  },
  in_flight: {
    happened:
      'A request with the same idempotency key is still being worked on. This one was not carried out a second time.',
    steps: [
      'Wait for the seconds in Retry-After.',
      'Send the same request with the same key again. You will get the first answer.',
    ],
    retry: true,
  },
  conflict: {
    happened:
      'What you asked for is taken, or the request is in a state that does not allow it. Nothing was stored.',
    steps: [
      'Where next is in the answer, choose one of what it lists: the request has moved on since you read it. Read its status again.',
      'Where errors is in the answer, each entry says what is free instead: other items on the same days, or the next days on which the same item is free.',
      'Choose one of the values in allowed, or other days, and send the request again. The same idempotency key may be used.',
    ],
    retry: false,
  },
  contract_changed: {
    happened:
      'You sent the contract of an action as you read it, and the action is another one now: a field, a price, an effect or a term has changed. Nothing was stored.',
    steps: [
      'Read changes in the answer: each sentence names one difference.',
      'Where that is still what you want, send the request again with the contract that the detail names. The same idempotency key may be used.',
      'Otherwise read the record of the subsite again; each of its actions has a contract.',
    ],
    retry: false,
  },
  gone: {
    happened:
      'What this address, key or id referred to was removed: a share link that has expired, or a request that was erased.',
    steps: [
      'Its content is not kept. Make a new link, or send a new request with a new idempotency key.',
    ],
    retry: false,
  },
  too_large: {
    happened:
      'The body is larger than this address takes: 64 KiB, 300 KiB for the open MCP endpoints, and ' +
      `${CAPABILITY_BODY_BYTES.toLocaleString('en-US')} bytes for quotes, tasks and the MCP endpoint behind a key.`,
    steps: ['Shorten the text, or leave out what is not needed.'],
    retry: false,
  },
  unsupported_media_type: {
    happened: 'The body has a media type that is not taken at this address.',
    steps: [
      'Send application/json. Lead endpoints also take application/x-www-form-urlencoded and multipart/form-data.',
    ],
    retry: false,
  },
  idempotency_mismatch: {
    happened:
      'The idempotency key, or the id of an imported lead, was used before, with another body. Nothing was carried out.',
    steps: [
      'Use a new key for each new intent, and a new id for each imported lead.',
      'Use the same one only to repeat a request without any change.',
    ],
    retry: false,
  },
  rate_limited: {
    happened: 'More requests came from your address, or with your key, than are taken in a minute.',
    steps: [
      'Wait for the seconds in Retry-After.',
      'RateLimit and RateLimit-Policy in each answer say what is left.',
      'Documents such as the agent index are not limited; keep a copy and ask with If-None-Match.',
    ],
    retry: true,
  },
  budget_exceeded: {
    happened:
      'Holds, storefronts, share links, A2A tasks and questions are limited for each contact, for each address and for the whole service, so that nobody can use up what others need. One of these budgets is used up. Nothing was stored.',
    steps: [
      'Read the detail of the answer: it says which budget it is, when it refills and what helps before that.',
      'Unconfirmed holds: withdraw a request of yours that is no longer needed, which makes room at once, or choose the days in errors. A hold counts until it is confirmed, declined, withdrawn or over.',
      'Otherwise wait for the seconds in Retry-After, then send the same request with the same idempotency key.',
    ],
    retry: true,
  },
  internal: {
    happened: 'Something failed on our side. It was logged under the id in the answer.',
    steps: [
      'Send the request once more with the same idempotency key: it will not be carried out twice.',
      'If it fails again, write to us with the id.',
    ],
    retry: true,
  },
  unavailable: {
    happened: 'The service cannot reach its database at the moment. Nothing was stored.',
    steps: [
      'Wait for the seconds in Retry-After, then send the same request with the same idempotency key.',
      'Documents and pages can be read meanwhile.',
    ],
    retry: true,
  },
};
