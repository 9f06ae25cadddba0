import { operations } from '../../../src/operations/index.ts';
import { problemOf } from '../../../src/server/faults.ts';
import { problemAnswer } from '../../../src/server/problem-answer.ts';
import { FormKeys } from '../../../src/transports/form-keys.ts';
import { answer, type FormFault, type RateLimits } from '../../../src/transports/index.ts';
import type { World } from '../../operations/setup/world.ts';

/** The pieces of a request that a test sets. */
export interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: RequestInit['body'];
  params?: Record<string, string>;
  address?: string;
}

/** A client of the endpoints without a socket: `send(path, …)` answers as the mounts do. */
export function client(world: World, limits: RateLimits = async () => ({ headers: {} })) {
  const formKeys = new FormKeys();
  const faults: FormFault[] = [];

  async function send(path: string, { method = 'POST', headers = {}, body, params = {}, address = '192.0.2.7' }: Sending = {}): Promise<Response> {
    const operation = operations(world.context.site).find((candidate) => candidate.path === path && (method !== 'GET' || candidate.method === 'GET'));
    if (!operation) throw new Error(`No operation stands at ${path}.`);
    const request = new Request(`http://127.0.0.1${path}`, { method, headers, ...(body !== undefined && { body, duplex: 'half' }) } as RequestInit);
    return answer(operation, request, {
      params,
      context: world.context,
      clientAddress: address,
      limits,
      formKeys,
      replyTo: (thrown) => problemAnswer(problemOf(thrown, world.context), world.context.site.base),
      async showFault(fault) {
        faults.push(fault);
        return new Response(`<p>${fault.detail}</p>`, { headers: { 'content-type': 'text/html' } });
      },
    });
  }

  return {
    send,
    /** Every form that was shown again. */
    faults,
    json: (path: string, value: unknown, more: Sending = {}) => send(path, { ...more, headers: { 'content-type': 'application/json', ...more.headers }, body: typeof value === 'string' ? value : JSON.stringify(value) }),
    form: (path: string, inputs: Record<string, string> | [string, string][], more: Sending = {}) =>
      send(path, { ...more, headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers }, body: new URLSearchParams(inputs).toString() }),
    multipart(path: string, inputs: Record<string, string | Blob>, more: Sending = {}) {
      const data = new FormData();
      for (const [name, value] of Object.entries(inputs)) data.append(name, value);
      return send(path, { ...more, body: data });
    },
    get: (path: string, params: Record<string, string>, more: Sending = {}) => send(path, { method: 'GET', params, ...more }),
  };
}

/** A body as the dotted inputs of a form. */
export function inputsOf(body: object, above = ''): Record<string, string> {
  return Object.assign({}, ...Object.entries(body).map(([name, value]) => (typeof value === 'object' && value !== null ? inputsOf(value as object, `${above}${name}.`) : { [`${above}${name}`]: String(value) }))) as Record<string, string>;
}
