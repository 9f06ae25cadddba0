import { etagOf } from '../operation/etag.ts';
import { isValidKey, requireValidKey, withKeyLocation } from '../operation/idempotency.ts';
import type { Call, FormLocation, Operation, Outcome } from '../operation/operation.ts';
import type { Context } from '../operation/context.ts';
import type { InputFault, Problem } from '../operation/problem.ts';
import { createReadCall, findKnownEtag, readIfMatch } from './conditions.ts';
import { readCallbackKey } from '../keys/authenticate-key.ts';
import { type Admission, authenticateAndCount } from './bearer.ts';
import { MAX_BODY_BYTES, detectBodyKind, isForm, readBytes, parseJson } from './body.ts';
import type { Endpoint, Exchange, Dependencies } from './exchange.ts';
import { readForm, flattenValues } from './form.ts';
import { readKeyHeader } from './key-header.ts';
import { corsHeaders } from './origin.ts';
import {
  acceptsHtml,
  createPageHeaders,
  createRejectionView,
  createSeeOtherResponse,
  isForPerson,
  isProgramRequest,
} from './pages/page.ts';
import { createProblemResponse } from './problem-response.ts';
import { formatRetryTime } from './retry-time.ts';
import { hasStrictQuery, listUnknownParameterFaults, readQuery } from './query.ts';
import type { FormFault } from '../site/forms/form-fault.ts';
import { FORM_PARAMETER, ITEM_PARAMETER } from '../site/forms/form-inputs.ts';
import { isObject, memberOf } from '../site/json-object.ts';
import type { View } from './views.ts';
import { formatPointer } from '../operation/json-pointer.ts';
import { parseWithFaults, throwIfAnyFaults, withFormMessages } from '../operation/validate.ts';

/** The input and the call of an operation, parsed from a body of any media type. */
interface ParsedCall {
  input: unknown;
  call: Call;
}

/** A submitted form, for the page that shows it again with the entered values. */
type SubmittedForm = FormLocation & Pick<FormFault, 'values' | 'key' | 'checkedEmails'>;

/**
 * Adds the path parameters to a body. A body that is not an object is left unchanged for validation
 * to reject.
 * @throws {Problem} invalid_input when the body already has a member with the same name
 */
function withParameters(body: unknown, params: Readonly<Record<string, string>>): unknown {
  const names = Object.keys(params);
  if (!names.length || !isObject(body)) return body;
  throwIfAnyFaults(
    names
      .filter((name) => Object.hasOwn(body, name))
      .map((name) => ({
        pointer: formatPointer(name),
        message: 'The URL already has this value. Remove it.',
      })),
  );
  return { ...body, ...params };
}

/** Returns an error for each query parameter of a write, because its values belong in the body. */
function listWriteQueryFaults(operation: Operation, { url }: Request): InputFault[] {
  if (!hasStrictQuery(operation.path)) return [];
  const searchParams = readQuery(url);
  // These parameters identify the form.
  if (operation.form)
    for (const name of [FORM_PARAMETER, ITEM_PARAMETER]) searchParams.delete(name);
  return listUnknownParameterFaults(
    searchParams,
    [],
    operation.hasNoBody ? undefined : 'send them as members of the body',
  );
}

/** A write with its body read, but not yet validated. */
interface UnparsedWrite {
  /** The submitted form; absent if its page is unknown. */
  form?: SubmittedForm;
  /** Validates the input. @throws {Problem} */
  parse: () => ParsedCall;
}

/** Reads a write. @throws {Problem} for a body that cannot be read */
async function readWrite(
  operation: Operation,
  { request, params, address }: Exchange,
  { context, formKeys }: Dependencies,
  caller: Pick<Call, 'key'>,
): Promise<UnparsedWrite> {
  const queryFaults = listWriteQueryFaults(operation, request);
  const header = readKeyHeader(request);
  const jsonCall: Call = {
    channel: 'json',
    ...(header !== undefined && { idempotencyKey: header }),
  };
  const parseJsonCall = (valueOf: () => unknown): ParsedCall => ({
    input: parseWithFaults(queryFaults, () => {
      const value = valueOf();
      operation.authorize?.(value, caller, context);
      return operation.parse(value, context);
    }),
    call: jsonCall,
  });
  if (operation.hasNoBody) return { parse: () => parseJsonCall(() => params) };
  const kind = detectBodyKind(request.headers, operation.form !== undefined);
  const bytes = await readBytes(request, operation.maxBodyBytes ?? MAX_BODY_BYTES);
  if (kind === 'json')
    return { parse: () => parseJsonCall(() => withParameters(parseJson(bytes), params)) };
  throwIfAnyFaults(queryFaults);
  const form = await readForm(bytes, kind, request.headers.get('content-type')!);
  const { body, formLocation } = operation.form!.read(
    form.texts,
    context.site,
    readQuery(request.url),
  );
  const { checkedEmails } = form;
  const key =
    header ?? form.key ?? formKeys.keyOf(address, request.url, bytes, context.now().getTime());
  return {
    ...(formLocation && {
      form: {
        ...formLocation,
        values: flattenValues(body),
        checkedEmails,
        ...(isValidKey(key) && { key }),
      },
    }),
    parse() {
      let input: unknown;
      try {
        input = operation.parse(withParameters(body, params), context, 'form');
      } catch (thrown) {
        throw withFormMessages(thrown);
      }
      return {
        input,
        call: {
          channel: 'form',
          idempotencyKey: requireValidKey(key),
          isHoneypotFilled: form.isHoneypotFilled,
          checkedEmails,
        },
      };
    },
  };
}

function parseRead(operation: Operation, { request, params }: Exchange, context: Context): unknown {
  const { path, query = [] } = operation;
  const searchParams = readQuery(request.url);
  const values = query
    .filter((name) => searchParams.has(name))
    .map((name) => {
      const all = searchParams.getAll(name);
      return [name, all.length > 1 ? all : all[0]] as const;
    });
  return parseWithFaults(
    hasStrictQuery(path) ? listUnknownParameterFaults(searchParams, query) : [],
    () => operation.parse({ ...params, ...Object.fromEntries(values) }, context),
  );
}

/**
 * The response to a successful call. `extraHeaders` are the headers that every response of the
 * endpoint has; `ifNoneMatch` is the request header of a read. A program that posts a form and asks
 * for JSON gets JSON.
 */
function createSuccessResponse(
  { form, etag: hasEtag }: Operation,
  { output, replayed, status = 200, headers }: Outcome<unknown>,
  { channel }: Call,
  extraHeaders: Readonly<Record<string, string>>,
  { ifNoneMatch, asksForJson }: { ifNoneMatch: string | null; asksForJson: boolean },
): Response {
  const [statusUrl, location] = [memberOf(output, 'statusUrl'), memberOf(output, 'location')];
  const allHeaders = {
    'cache-control': 'no-store',
    ...(replayed && {
      'idempotent-replayed': 'true',
      // Link to the current state (RFC 5829).
      ...(typeof statusUrl === 'string' && { link: `<${statusUrl}>; rel="latest-version"` }),
    }),
    ...headers,
    ...extraHeaders,
  };
  if (typeof location === 'string')
    return new Response(null, {
      status: 302,
      headers: { ...allHeaders, 'content-length': '0', location },
    });
  if (channel === 'form' && form && !asksForJson)
    return createSeeOtherResponse(form.pageOf(output), allHeaders);
  const body = JSON.stringify(output);
  const etag = hasEtag ? etagOf(body) : undefined;
  const knownEtag = etag && ifNoneMatch !== null && findKnownEtag(ifNoneMatch, etag);
  if (knownEtag)
    return new Response(null, { status: 304, headers: { ...allHeaders, etag: knownEtag } });
  return new Response(body, {
    status,
    headers: {
      ...(etag && { etag }),
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...allHeaders,
    },
  });
}

/** The page that shows a rejected form again, or only the reason if the form's page is unknown. */
function createRejectedFormView(
  problem: Problem,
  form: SubmittedForm | undefined,
  context: Context,
): View {
  const details = problem.details(context.site.base);
  const { status, detail, code } = details;
  if (!form) return createRejectionView(details, '/');
  const retryAt = formatRetryTime(problem, context);
  return {
    kind: 'form',
    fault: {
      ...form,
      status,
      ...(retryAt && { retryAt }),
      detail,
      errors: problem.errors ?? [],
      // The key stays the same, so that submitting the unchanged form again counts as a retry.
      key: code === 'idempotency_mismatch' ? undefined : form.key,
    },
  };
}

/**
 * The endpoint for an operation. It responds to JSON with JSON, and to a form with a 303 redirect
 * to the receipt or, if the form is rejected, with the form and the entered values. If the page of
 * a rejected form is unknown, an error page shows the reason. A program that asks for JSON gets the
 * problem.
 */
export function createOperationEndpoint(
  operation: Operation,
  dependencies: Dependencies,
): Endpoint {
  const { context, checkRateLimit, render, toProblem } = dependencies;
  const isRead = operation.method === 'GET';

  return async (exchange) => {
    const { request, address } = exchange;
    let form: SubmittedForm | undefined;
    let allowance: Admission = { headers: {} };
    try {
      allowance = await authenticateAndCount(
        operation,
        { authorization: request.headers.get('authorization'), context, address, checkRateLimit },
        isRead ? 'reads' : 'writes',
      );
      const { rejection } = allowance;
      // Read the form before checking the rate limit, so that the person keeps the entered values.
      if (rejection && !isForm(request)) throw rejection;
      const write = isRead
        ? undefined
        : await readWrite(operation, exchange, dependencies, allowance).catch((thrown: unknown) => {
            throw rejection ?? thrown;
          });
      form = write?.form;
      if (rejection) throw rejection;
      const { input, call }: ParsedCall = write?.parse() ?? {
        input: parseRead(operation, exchange, context),
        call: createReadCall(operation, request),
      };
      const outcome = await operation.handle(
        input,
        {
          ...call,
          address,
          ...readIfMatch(request),
          ...(allowance.key && { key: allowance.key }),
          getCallbackKey: () => readCallbackKey(request.headers.get('authorization'), context),
        },
        context,
      );
      return createSuccessResponse(
        operation,
        outcome,
        call,
        { ...corsHeaders, ...allowance.headers },
        {
          ifNoneMatch: isRead ? request.headers.get('if-none-match') : null,
          asksForJson: isProgramRequest(request),
        },
      );
    } catch (thrown) {
      const [pointer, name] = request.headers.has('idempotency-key')
        ? (['', 'The key in the header Idempotency-Key'] as const)
        : (['/idempotencyKey', 'This key'] as const);
      const problem = toProblem(form ? thrown : withKeyLocation(thrown, pointer, name));
      // For a URL that people open, the app renders the error page.
      if (isRead && isForPerson(request)) throw problem;
      const headers = { ...corsHeaders, ...allowance.headers };
      const isFromPerson = form
        ? !isProgramRequest(request)
        : isForm(request) && acceptsHtml(request);
      if (!isFromPerson) return createProblemResponse(problem, context.site.base, headers);
      return new Response(await render(createRejectedFormView(problem, form, context)), {
        status: problem.status,
        headers: { ...createPageHeaders(problem), ...headers },
      });
    }
  };
}
