import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { MAX_RESPONSE_BYTES } from '../../src/capabilities/adapters/job-provider.ts';

/** Shared secret of the test providers. */
export const SECRET = `whsec_${Buffer.from('a secret that both sides of a test know').toString('base64')}`;

/** Behavior of the provider for the next requests. */
export type ProviderBehavior =
  'working' | 'failing' | 'refusing' | 'busy' | 'down' | 'silent' | 'malformed' | 'oversized';

export interface ProviderJob {
  jobId: string;
  taskId: string;
  capability: string;
  input: Record<string, unknown>;
  callbackUrl: string;
  /** Number of submissions for this task. */
  submissionCount: number;
  state: {
    status: string;
    result?: Record<string, unknown>;
    detail?: string;
    retryAfterSeconds?: number;
  };
  isCanceled: boolean;
}

/** An HTTP job provider on 127.0.0.1. Tests change the state of its jobs. */
export interface HttpProvider {
  url: string;
  /** Jobs by task ID. */
  jobs: Map<string, ProviderJob>;
  behavior: ProviderBehavior;
  /** Number of requests with an invalid signature. */
  invalidSignatureCount: number;
  requestCount: number;
  /** ID of the next job; generated if undefined. */
  nextJobId: string | undefined;
  /** Initial state of the next job; queued if undefined. */
  nextState: ProviderJob['state'] | undefined;
  /** Retry-After value from a busy provider. */
  retryAfter: string | undefined;
  /** Delays the response to a submission until it resolves; the job already exists. */
  submissionGate: Promise<void> | undefined;
  /** A signed callback with the current state of a job. */
  callback(job: ProviderJob, time?: Date): { body: string; headers: Record<string, string> };
  close(): Promise<void>;
}

export const VIDEO_RESULT = {
  url: 'https://videos.example/v/1.mp4',
  mediaType: 'video/mp4',
  durationSeconds: 12.5,
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

/** Starts a provider on a free port. */
export async function startHttpProvider(): Promise<HttpProvider> {
  const webhook = new Webhook(SECRET);
  const jobsById = new Map<string, ProviderJob>();

  const server = createServer((request, response) => {
    void (async () => {
      provider.requestCount++;
      if (provider.behavior === 'silent') return;
      const answer = (status: number, value?: unknown, headers: Record<string, string> = {}) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(value === undefined ? undefined : JSON.stringify(value));
      };
      const body = await bodyOf(request);
      try {
        webhook.verify(body, request.headers as Record<string, string>, { jsonParse: false });
      } catch {
        provider.invalidSignatureCount++;
        return answer(401);
      }
      if (provider.behavior === 'down') return answer(503);
      if (provider.behavior === 'refusing') return answer(422, { detail: 'no' });
      if (provider.behavior === 'busy')
        return answer(
          429,
          { detail: 'later' },
          provider.retryAfter === undefined ? {} : { 'retry-after': provider.retryAfter },
        );
      if (provider.behavior === 'oversized')
        return answer(200, { words: 'x'.repeat(MAX_RESPONSE_BYTES) });
      if (provider.behavior === 'malformed') return answer(200, { hello: 'there' });
      const [, , jobId, verb] = request.url!.split('/');
      if (!jobId) {
        const { taskId, capability, input, callbackUrl } = JSON.parse(body) as ProviderJob;
        const existingJob = provider.jobs.get(taskId);
        const job = existingJob ?? {
          jobId: provider.nextJobId ?? `job-${jobsById.size + 1}`,
          taskId,
          capability,
          input,
          callbackUrl,
          submissionCount: 0,
          state: provider.nextState ?? { status: 'queued' },
          isCanceled: false,
        };
        job.submissionCount++;
        if (!existingJob && provider.behavior === 'failing')
          job.state = { status: 'failed', detail: 'The style is not known.' };
        provider.jobs.set(taskId, job);
        jobsById.set(job.jobId, job);
        await provider.submissionGate;
        return answer(202, { jobId: job.jobId, ...job.state });
      }
      const job = jobsById.get(decodeURIComponent(jobId));
      if (!job) return answer(404);
      if (verb === 'cancel') {
        job.isCanceled = true;
        return answer(200, {});
      }
      return answer(200, { jobId: job.jobId, ...job.state });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const provider: HttpProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    jobs: new Map(),
    behavior: 'working',
    invalidSignatureCount: 0,
    requestCount: 0,
    nextJobId: undefined,
    nextState: undefined,
    retryAfter: undefined,
    submissionGate: undefined,
    callback({ jobId, state }, time = new Date()) {
      const body = JSON.stringify({ jobId, ...state });
      const id = `callback-${jobId}`;
      return {
        body,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
          'webhook-signature': webhook.sign(id, time, body),
        },
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}
