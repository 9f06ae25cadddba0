import { type AppOptions, createApp } from '../../../src/http/app.ts';
import type { FormView } from '../../../src/http/views.ts';
import type { CheckRateLimit } from '../../../src/http/rate-limit.ts';
import type { Fixture } from '../../operations/setup/fixture.ts';

/** Parts of a request that tests set. */
export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: RequestInit['body'];
  params?: Record<string, string>;
  address?: string;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
}

/** The app without a socket. Views are rendered as JSON and passed to `onView`. */
export const createTestApp = (
  { context }: Pick<Fixture, 'context'>,
  {
    checkRateLimit = async () => ({ headers: {} }),
    onView,
  }: {
    checkRateLimit?: CheckRateLimit;
    onView?: (view: Parameters<AppOptions['render']>[0]) => void;
  } = {},
) =>
  createApp({
    context,
    checkRateLimit,
    async render(view) {
      onView?.(view);
      return JSON.stringify(view);
    },
    checkHealth: async () => ({ status: 'ok' }),
    respondToUnknownPage: () => new Response('unknown', { status: 404 }),
  });

/**
 * A client of the app without a socket; `path` is an operation’s path with parameters in braces.
 * The default receipt is that of the sandbox.
 */
export function client(fixture: Fixture, checkRateLimit?: CheckRateLimit) {
  const faults: FormView['fault'][] = [];
  const app = createTestApp(fixture, {
    ...(checkRateLimit && { checkRateLimit }),
    onView: (view) => {
      if (view.kind === 'form') faults.push(view.fault);
    },
  });

  async function send(
    path: string,
    {
      method = 'POST',
      headers = {},
      body,
      params = {},
      address = '192.0.2.7',
      signal,
    }: RequestOptions = {},
  ): Promise<Response> {
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? (name === 'receipt' ? 'sandbox' : name)),
    );
    return app.request(
      target,
      {
        method,
        headers,
        ...(body !== undefined && { body, duplex: 'half' }),
        ...(signal && { signal }),
      } as RequestInit,
      { address },
    );
  }

  return {
    send,
    /** Every form that was shown again with its errors. */
    faults,
    json: (path: string, value: unknown, more: RequestOptions = {}) =>
      send(path, {
        ...more,
        headers: { 'content-type': 'application/json', ...more.headers },
        body: typeof value === 'string' ? value : JSON.stringify(value),
      }),
    form: (
      path: string,
      inputs: Record<string, string> | [string, string][],
      more: RequestOptions = {},
    ) =>
      send(path, {
        ...more,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
        body: new URLSearchParams(inputs).toString(),
      }),
    multipart(path: string, inputs: Record<string, string | Blob>, more: RequestOptions = {}) {
      const data = new FormData();
      for (const [name, value] of Object.entries(inputs)) data.append(name, value);
      return send(path, { ...more, body: data });
    },
    get: (path: string, params: Record<string, string>, more: RequestOptions = {}) =>
      send(path, { method: 'GET', params, ...more }),
  };
}

/** A body as dotted form inputs. */
export const inputsOf = (body: object, prefix = ''): Record<string, string> =>
  // Unlike an assignment, this keeps a member called `__proto__`.
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(inputsOf(value as object, `${prefix}${name}.`))
        : [[`${prefix}${name}`, String(value)]],
    ),
  );
