import { circuitBreaker, ConsecutiveBreaker, handleType, isBrokenCircuitError } from 'cockatiel';
import { Webhook } from 'standardwebhooks';
import { sendOutboundRequest, UnreachableError } from '../../outbound/outbound.ts';
import { MAX_RETRY_SECONDS, type JobReport, parseJobReport } from './job-report.ts';

export interface JobProviderOptions {
  /** Base URL of the provider's job endpoints, without a trailing slash. */
  url: string;
  /** Standard Webhooks secret, `whsec_…`: signs our requests and its callbacks. */
  secret: string;
  allowPrivate: boolean;
  now: () => Date;
  /** Timeout for one exchange, in ms; default 10 s. */
  timeoutMs?: number;
  /** Pause after five consecutive failed calls, in ms; default 30 s. */
  resetMs?: number;
}

/** A job to submit. Repeated submissions with the same task ID count as one job. */
export interface Job {
  taskId: string;
  capability: string;
  input: Record<string, unknown>;
  /** URL for reports from the provider; they are optional, because polling finds every change. */
  callbackUrl: string;
}

/**
 * Why there is no report: the provider was unreachable, the circuit breaker was open, the provider
 * asked for a later retry (429), its response was too large or invalid, or it refused the job.
 */
export class JobProviderError extends Error {
  readonly kind: 'unreachable' | 'resting' | 'busy' | 'too_large' | 'no_report' | 'refused';
  /** HTTP status of the response, if any. */
  readonly status: number | undefined;
  /** Seconds until the next attempt, if a busy provider specified them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: JobProviderError['kind'],
    {
      status,
      retryAfterSeconds,
      ...options
    }: ErrorOptions & { status?: number; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(`The provider returned no report (${kind}).`, options);
    this.name = 'JobProviderError';
    this.kind = kind;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An external service that runs jobs over HTTP. Each call throws {JobProviderError}. */
export interface JobProvider {
  submit: (job: Job) => Promise<JobReport>;
  read: (job: string) => Promise<JobReport>;
  cancel: (job: string) => Promise<void>;
  /** Whether a callback's body was signed by the provider within the last five minutes. */
  isSigned: (body: string, headers: Record<string, string>) => boolean;
}

const TIMEOUT_MS = 10_000;
const RESET_TIMEOUT_MS = 30_000;
const MAX_FAILURES = 5;
/** Maximum size of a response in bytes. */
export const MAX_RESPONSE_BYTES = 256 * 1024;

/**
 * Seconds in a Retry-After header (RFC 9110 section 10.2.3), which contains a number or a date;
 * undefined if invalid.
 */
function parseRetryAfter(retryAfter: string | undefined, now: Date): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), MAX_RETRY_SECONDS);
}

/** A response with a status of 500 or more, which counts as an outage. */
class ServerError extends UnreachableError {
  readonly status: number;

  constructor(status: number) {
    super('connection');
    this.status = status;
  }
}

/** A provider that responds, even with too much data, is not down. */
function ignoreOversizedResponse(error: unknown): undefined {
  if (!(error instanceof UnreachableError && error.reason === 'too_large')) throw error;
}

/**
 * The body of a successful response; no response means that it was too large.
 * @throws {JobProviderError}
 */
function requireBody(
  response: Awaited<ReturnType<typeof sendOutboundRequest>> | undefined,
  now: Date,
): string {
  if (!response) throw new JobProviderError('too_large');
  const { status, headers, text } = response;
  if (status === 429)
    throw new JobProviderError('busy', {
      status,
      retryAfterSeconds: parseRetryAfter(headers['retry-after'], now),
    });
  if (status >= 300) throw new JobProviderError('refused', { status });
  return text;
}

/** The report in a body. @throws {JobProviderError} no_report */
function requireReport(text: string): JobReport {
  const report = parseJobReport(text);
  if (!report) throw new JobProviderError('no_report');
  return report;
}

/**
 * A provider client. Requests are signed per Standard Webhooks, and a circuit breaker pauses calls
 * to a failing provider.
 */
export function connectJobProvider({
  url,
  secret,
  allowPrivate,
  now,
  timeoutMs = TIMEOUT_MS,
  resetMs = RESET_TIMEOUT_MS,
}: JobProviderOptions): JobProvider {
  const webhook = new Webhook(secret);
  const breaker = circuitBreaker(handleType(UnreachableError), {
    halfOpenAfter: resetMs,
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  });

  async function call(
    method: 'GET' | 'POST',
    path: string,
    id: string,
    content?: unknown,
  ): Promise<string> {
    const body = content === undefined ? undefined : JSON.stringify(content);
    const time = now();
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      'idempotency-key': id,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, time, body ?? ''),
    };
    try {
      const answer = await breaker.execute(async () => {
        const response = await sendOutboundRequest(`${url}${path}`, {
          method,
          headers,
          ...(body !== undefined && { body }),
          timeoutMs,
          maxBytes: MAX_RESPONSE_BYTES,
          allowPrivate,
        }).catch(ignoreOversizedResponse);
        if (response && response.status >= 500) throw new ServerError(response.status);
        return response;
      });
      return requireBody(answer, now());
    } catch (error) {
      if (error instanceof JobProviderError) throw error;
      throw new JobProviderError(isBrokenCircuitError(error) ? 'resting' : 'unreachable', {
        cause: error,
        ...(error instanceof ServerError && { status: error.status }),
      });
    }
  }

  return {
    submit: async (job) => requireReport(await call('POST', '/jobs', job.taskId, job)),
    read: async (job) =>
      requireReport(await call('GET', `/jobs/${encodeURIComponent(job)}`, `read-${job}`)),
    cancel: async (job) => {
      await call('POST', `/jobs/${encodeURIComponent(job)}/cancel`, `cancel-${job}`, {});
    },
    isSigned(body, headers) {
      try {
        webhook.verify(body, headers, { jsonParse: false });
        return true;
      } catch {
        return false;
      }
    },
  };
}
