import { circuitBreaker, ConsecutiveBreaker, handleType, isBrokenCircuitError } from 'cockatiel';
import { Webhook } from 'standardwebhooks';
import { exchange, Unreachable } from './outbound.ts';
import { type ProviderReport, readReport } from './provider-report.ts';

/** What a provider of jobs is reached with. */
export interface ProviderOptions {
  /** Root of its job endpoints, without a slash at its end. */
  url: string;
  /** Standard Webhooks secret, `whsec_…`: signs our requests and its callbacks. */
  secret: string;
  /** Whether it may be on a private address. */
  allowPrivate: boolean;
  now(): Date;
  /** For one exchange, in ms; 10 s when left out. */
  timeoutMs?: number;
  /** How long a provider that failed five times in a row is left alone, in ms; 30 s when left out. */
  restMs?: number;
}

/** A job as it is submitted. Its task id makes a repeated submission one job. */
export interface Job {
  taskId: string;
  capability: string;
  input: Record<string, unknown>;
  /** Where the provider may say that something changed; polls find it anyway. */
  callbackUrl: string;
}

/** Why a provider gave no report: it was not reached, it was left alone after failures, or it answered and refused. */
export class ProviderFault extends Error {
  readonly kind: 'unreachable' | 'resting' | 'refused';

  constructor(kind: ProviderFault['kind'], options?: ErrorOptions) {
    super(`The provider gave no report (${kind}).`, options);
    this.name = 'ProviderFault';
    this.name = 'ProviderFault';
    this.kind = kind;
  }
}

/** Known by its name: a provider may come from another copy of this module than the one that asks. */
export const isProviderFault = (error: unknown): error is ProviderFault => error instanceof Error && error.name === 'ProviderFault';

/** A service elsewhere that runs jobs over HTTP. Each call throws {ProviderFault}. */
export interface Provider {
  submit(job: Job): Promise<ProviderReport>;
  read(job: string): Promise<ProviderReport>;
  cancel(job: string): Promise<void>;
  /** Whether a callback’s body was signed by the provider within the last five minutes. */
  signed(body: string, headers: Record<string, string>): boolean;
}

const TIMEOUT_MS = 10_000;
const REST_MS = 30_000;
const FAILURES = 5;
const MAX_ANSWER_BYTES = 256 * 1024;

/** A provider by its address. Requests are signed as Standard Webhooks; the breaker spares one that is down. */
export function connectProvider({ url, secret, allowPrivate, now, timeoutMs = TIMEOUT_MS, restMs = REST_MS }: ProviderOptions): Provider {
  const webhook = new Webhook(secret);
  const breaker = circuitBreaker(handleType(Unreachable), { halfOpenAfter: restMs, breaker: new ConsecutiveBreaker(FAILURES) });

  async function call(method: 'GET' | 'POST', path: string, id: string, content?: unknown): Promise<string> {
    const body = content === undefined ? undefined : JSON.stringify(content);
    const at = now();
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      'idempotency-key': id,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, at, body ?? ''),
    };
    try {
      const { status, text } = await breaker.execute(async () => {
        const answer = await exchange(`${url}${path}`, { method, headers, ...(body !== undefined && { body }), timeoutMs, maxBytes: MAX_ANSWER_BYTES, allowPrivate });
        if (answer.status >= 500 || answer.status === 429) throw new Unreachable('connection');
        return answer;
      });
      if (status >= 300) throw new ProviderFault('refused');
      return text;
    } catch (error) {
      if (isProviderFault(error)) throw error;
      throw new ProviderFault(isBrokenCircuitError(error) ? 'resting' : 'unreachable', { cause: error });
    }
  }

  const report = (text: string): ProviderReport => {
    const read = readReport(text);
    if (!read) throw new ProviderFault('refused');
    return read;
  };

  return {
    submit: async (job) => report(await call('POST', '/jobs', job.taskId, job)),
    read: async (job) => report(await call('GET', `/jobs/${encodeURIComponent(job)}`, `read-${job}`)),
    cancel: async (job) => {
      await call('POST', `/jobs/${encodeURIComponent(job)}/cancel`, `cancel-${job}`, {});
    },
    signed(body, headers) {
      try {
        webhook.verify(body, headers, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    },
  };
}
