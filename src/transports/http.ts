import { type Call, type Context, KEY_PATTERN, type Operation, type Outcome, Problem, type ProblemDetails } from '../operations/index.ts';
import { type Admission, admit } from './bearer.ts';
import { BODY_BYTES, bodyKind, type Incoming, incomingOf, readJson } from './body.ts';
import { type FormFault, readForm, typedValues } from './form.ts';
import type { FormKeys } from './form-keys.ts';
import { corsHeaders, preflight } from './origin.ts';
import type { RateLimits } from './rate-limit.ts';

/** An answer before it is written. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** A request with everything that its answer depends on. */
export interface Exchange {
  request: Incoming;
  /** Parameters of the path, decoded. */
  params: Readonly<Record<string, string | undefined>>;
  context: Context;
  clientAddress: string;
  limits: RateLimits;
  formKeys: FormKeys;
  /** The answer to something thrown, as problem details; what nobody foresaw is logged. */
  replyTo(thrown: unknown): Reply;
  /** The page that shows a refused form again. */
  showFault(fault: FormFault): Promise<Response>;
}

/** What an operation is called with, whichever way the body came. */
interface Calling {
  input: unknown;
  call: Call;
}

/** A form on its way: whose it is, what was typed and its key, for the page that shows it again. */
type FormSubject = Pick<FormFault, 'subsite' | 'verb' | 'values' | 'key'>;

const KEY = new RegExp(KEY_PATTERN);

function checkedKey(key: string | null | undefined): string | undefined {
  if (key === null || key === undefined) return undefined;
  if (!KEY.test(key)) throw new Problem('invalid_input', 'The idempotency key is not valid. Send 1 to 255 visible ASCII characters.');
  return key;
}

/** Reads the body of a POST; `seen` is told of a form as soon as it was read. */
async function readCalling(operation: Operation, { request, params, context, clientAddress, formKeys }: Exchange, seen: (form: FormSubject) => void): Promise<Calling> {
  const header = checkedKey(request.header('idempotency-key'));
  if (operation.bodiless) return { input: operation.parse(params, context), call: { door: 'json', ...(header !== undefined && { idempotencyKey: header }) } };
  const kind = bodyKind(request, operation.fromForm !== undefined);
  const bytes = await request.bytes(operation.maxBodyBytes ?? BODY_BYTES);
  if (kind === 'json') return { input: operation.parse(readJson(bytes), context), call: { door: 'json', ...(header !== undefined && { idempotencyKey: header }) } };
  const form = await readForm(bytes, kind, request.header('content-type')!);
  const { body, subsite, verb } = operation.fromForm!(form.texts, context.site);
  const key = header ?? form.key ?? formKeys.keyOf(clientAddress, bytes, context.now().getTime());
  if (subsite !== undefined) seen({ subsite, verb, values: typedValues(body), ...(KEY.test(key) && { key }) });
  return { input: operation.parse(body, context), call: { door: 'form', idempotencyKey: checkedKey(key)!, suspected: form.honeypot } };
}

function succeed({ output, replayed, status = 200, headers: more }: Outcome<unknown>, { door }: Call): Reply {
  const headers = { 'cache-control': 'no-store', ...(replayed && { 'idempotent-replayed': 'true' }), ...more };
  if (typeof output === 'object' && output !== null && 'location' in output) return { status: 302, headers: { ...headers, location: String(output.location) }, body: null };
  if (door === 'form' && typeof output === 'object' && output !== null && 'receiptUrl' in output)
    return { status: 303, headers: { ...headers, location: new URL(String(output.receiptUrl)).pathname }, body: null };
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(output) };
}

async function refuse(thrown: unknown, form: FormSubject | undefined, { replyTo, showFault }: Exchange): Promise<Reply> {
  const reply = replyTo(thrown);
  if (!form) return reply;
  const { status, detail, errors = [], code } = JSON.parse(reply.body!) as ProblemDetails;
  // Sent again unchanged it is the same intent, also where nobody can tell whether it arrived.
  const { key, ...subject } = form;
  const page = await showFault({ ...subject, status, detail, errors, ...(code !== 'idempotency_mismatch' && { key }) });
  const headers = Object.fromEntries(page.headers);
  for (const name of ['retry-after', 'ratelimit', 'ratelimit-policy']) if (reply.headers[name] !== undefined) headers[name] = reply.headers[name];
  return { status, headers: { ...headers, 'cache-control': 'no-store' }, body: await page.text() };
}

const allowOf = ({ method }: Operation): string => (method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS');

/**
 * Answers a request with an operation: JSON for JSON, and for a form 303 to its receipt or the form again with what was
 * typed. Never rejects.
 */
export async function replyWith(operation: Operation, exchange: Exchange): Promise<Reply> {
  const { request, params, context, replyTo } = exchange;
  const reading = operation.method === 'GET';
  let form: FormSubject | undefined;
  let allowance: Admission = { headers: {} };
  const reply = await (async () => {
    if (request.method !== operation.method && !(reading && request.method === 'HEAD')) throw new Problem('method_not_allowed', `This address takes ${operation.method}.`, { headers: { allow: allowOf(operation) } });
    allowance = await admit(operation, exchange, reading ? 'reads' : 'writes');
    if (reading && allowance.refusal) throw allowance.refusal;
    // A person who asks too often keeps what was typed: the form is read before it is refused.
    if (allowance.refusal && (request.header('content-type') ?? '').includes('json')) throw allowance.refusal;
    const { input, call }: Calling = reading
      ? { input: operation.parse(params, context), call: { door: 'json' } }
      : await readCalling(operation, exchange, (subject) => (form = subject)).catch((thrown: unknown) => {
          throw allowance.refusal ?? thrown;
        });
    if (allowance.refusal) throw allowance.refusal;
    return succeed(await operation.handle(input, { ...call, ...(allowance.key && { key: allowance.key }) }, context), call);
  })()
    .catch((thrown: unknown) => refuse(thrown, form, exchange))
    .catch((thrown: unknown) => replyTo(thrown));
  Object.assign(reply.headers, corsHeaders, allowance.headers);
  return reply;
}

/** The same for a request of the web platform; OPTIONS tells what the address takes. */
export async function answer(operation: Operation, request: Request, exchange: Omit<Exchange, 'request'>): Promise<Response> {
  if (request.method === 'OPTIONS') return preflight(allowOf(operation));
  const { body, status, headers } = await replyWith(operation, { ...exchange, request: incomingOf(request) });
  return new Response(body, { status, headers });
}
