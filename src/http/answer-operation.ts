import { KEY_PATTERN, KEY_RULE } from '../operation/idempotency.ts';
import type { Call, Operation, Outcome } from '../operation/operation.ts';
import { Problem } from '../operation/problem.ts';
import { type Admission, admit } from './bearer.ts';
import { BODY_BYTES, bodyKind, readBytes, readJson } from './body.ts';
import type { Endpoint, Exchange, Surroundings } from './exchange.ts';
import { type FormFault, readForm, typedValues } from './form.ts';
import { corsHeaders } from './origin.ts';
import { pageHeaders, refusalView, wantsProblem } from './page.ts';
import { problemResponse } from './problem-answer.ts';
import { retryTime } from './retry-time.ts';

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
  if (!KEY.test(key))
    throw new Problem('invalid_input', `The idempotency key is not valid. ${KEY_RULE}`);
  return key;
}

/** Reads the body of a POST; `seen` is called with a form as soon as it was read. */
async function readCalling(
  operation: Operation,
  { request, params, address }: Exchange,
  { context, formKeys }: Surroundings,
  seen: (form: FormSubject) => void,
): Promise<Calling> {
  const header = checkedKey(request.headers.get('idempotency-key'));
  const byJson: Call = { door: 'json', ...(header !== undefined && { idempotencyKey: header }) };
  if (operation.bodiless) return { input: operation.parse(params, context), call: byJson };
  const kind = bodyKind(request.headers, operation.fromForm !== undefined);
  const bytes = await readBytes(request, operation.maxBodyBytes ?? BODY_BYTES);
  if (kind === 'json') return { input: operation.parse(readJson(bytes), context), call: byJson };
  const form = await readForm(bytes, kind, request.headers.get('content-type')!);
  const { body, subsite, verb } = operation.fromForm!(form.texts, context.site);
  const key = header ?? form.key ?? formKeys.keyOf(address, bytes, context.now().getTime());
  if (subsite !== undefined)
    seen({ subsite, verb, values: typedValues(body), ...(KEY.test(key) && { key }) });
  return {
    input: operation.parse(body, context, 'form'),
    call: { door: 'form', idempotencyKey: checkedKey(key)!, suspected: form.honeypot },
  };
}

const hasMember = <Name extends string>(
  value: unknown,
  name: Name,
): value is Record<Name, unknown> => typeof value === 'object' && value !== null && name in value;

const EMPTY = { 'content-length': '0' };

/** The answer to a call that succeeded; `more` are headers that belong to every answer of the endpoint. */
function succeed(
  { output, replayed, status = 200, headers }: Outcome<unknown>,
  { door }: Call,
  more: Readonly<Record<string, string>>,
): Response {
  const all = {
    'cache-control': 'no-store',
    ...(replayed && { 'idempotent-replayed': 'true' }),
    ...headers,
    ...more,
  };
  if (hasMember(output, 'location'))
    return new Response(null, {
      status: 302,
      headers: { ...all, ...EMPTY, location: String(output.location) },
    });
  if (door === 'form' && hasMember(output, 'receiptUrl')) {
    const location = new URL(String(output.receiptUrl)).pathname;
    return new Response(null, { status: 303, headers: { ...all, ...EMPTY, location } });
  }
  const body = JSON.stringify(output);
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...all,
    },
  });
}

const isForm = ({ headers }: Request): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    headers.get('content-type') ?? '',
  );

/** Whether a browser asks. */
const acceptsPage = ({ headers }: Request): boolean =>
  /\btext\/html\b/i.test(headers.get('accept') ?? '');

/**
 * The endpoint of an operation: JSON for JSON, and for a form 303 to its receipt or the form again with what was typed.
 * A refused form whose page is unknown is a page with the reason, and a program that asks for JSON gets the problem.
 */
export function answerOperation(operation: Operation, surroundings: Surroundings): Endpoint {
  const { context, limits, render, problemOf } = surroundings;
  const { base } = context.site;
  const reading = operation.method === 'GET';

  /** The page that shows a refused form again. */
  async function showAgain(
    problem: Problem,
    form: FormSubject | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const { title, status, detail, code, errors = [] } = problem.details(base);
    const retryAt = retryTime(problem, context);
    const html = await render(
      form
        ? {
            kind: 'form',
            fault: {
              ...form,
              status,
              ...(retryAt && { retryAt }),
              detail,
              errors,
              // Sent again unchanged it is the same intent, also where nobody can tell whether it arrived.
              key: code === 'idempotency_mismatch' ? undefined : form.key,
            },
          }
        : refusalView({ title, detail, code }, '/'),
    );
    return new Response(html, { status, headers: { ...pageHeaders(problem), ...headers } });
  }

  return async (exchange) => {
    const { request, params, address } = exchange;
    let form: FormSubject | undefined;
    let allowance: Admission = { headers: {} };
    try {
      allowance = await admit(
        operation,
        { authorization: request.headers.get('authorization'), context, address, limits },
        reading ? 'reads' : 'writes',
      );
      const { refusal } = allowance;
      // A person who sends too often keeps what was typed: the form is read before it is refused.
      if (refusal && !isForm(request)) throw refusal;
      const { input, call }: Calling = reading
        ? { input: operation.parse(params, context), call: { door: 'json' } }
        : await readCalling(operation, exchange, surroundings, (subject) => {
            form = subject;
          }).catch((thrown: unknown) => {
            throw refusal ?? thrown;
          });
      if (refusal) throw refusal;
      const outcome = await operation.handle(
        input,
        { ...call, address, ...(allowance.key && { key: allowance.key }) },
        context,
      );
      return succeed(outcome, call, { ...corsHeaders, ...allowance.headers });
    } catch (thrown) {
      const problem = problemOf(thrown);
      const headers = { ...corsHeaders, ...allowance.headers };
      const forPerson = form ? !wantsProblem(request) : isForm(request) && acceptsPage(request);
      return forPerson
        ? showAgain(problem, form, headers)
        : problemResponse(problem, base, headers);
    }
  };
}
