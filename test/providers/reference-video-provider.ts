import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { renderClip } from './render-clip.ts';

interface Submission {
  taskId: string;
  input: { script: string; features?: { aspect?: string } };
  callbackUrl: string;
}

/**
 * A complete video provider, as an operator would write it: accepts signed jobs, renders them in
 * the background, serves the files and signs its callbacks. Implements the provider side of the
 * protocol in src/capabilities/adapters/job-provider.ts.
 */
export async function startReferenceProvider(secret: string) {
  const webhook = new Webhook(secret);
  const folder = mkdtempSync(join(tmpdir(), 'reference-provider-'));
  const jobs = new Map<
    string,
    { jobId: string; status: string; result?: object; detail?: string }
  >();
  const callbackStatuses: number[] = [];
  const pendingRenders: Promise<void>[] = [];

  async function render({ taskId, input, callbackUrl }: Submission): Promise<void> {
    const jobId = `clip-${taskId}`;
    try {
      const { codecs: _, ...clip } = await renderClip(folder, jobId, input);
      jobs.set(jobId, {
        jobId,
        status: 'completed',
        result: { url: `${origin}/files/${jobId}.mp4`, mediaType: 'video/mp4', ...clip },
      });
    } catch {
      jobs.set(jobId, { jobId, status: 'failed', detail: 'The clip could not be rendered.' });
    }
    const body = JSON.stringify(jobs.get(jobId));
    const now = new Date();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': jobId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': webhook.sign(jobId, now, body),
    };
    // Clients without a callback URL poll.
    const answer = await fetch(callbackUrl, { method: 'POST', headers, body }).catch(
      () => undefined,
    );
    callbackStatuses.push(answer?.status ?? 0);
  }

  const server = createServer((request, response) => {
    const [, resource, name, verb] = request.url!.split('/');
    if (resource === 'files')
      return void createReadStream(join(folder, name!)).pipe(
        response.writeHead(200, { 'content-type': 'video/mp4' }),
      );
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const answer = (status: number, value: unknown) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(value));
      try {
        webhook.verify(body, request.headers as Record<string, string>, { jsonParse: false });
      } catch {
        return answer(401, { detail: 'Sign the request.' });
      }
      if (name) return answer(jobs.has(name) ? 200 : 404, verb === 'cancel' ? {} : jobs.get(name));
      const submission = JSON.parse(body) as Submission;
      const jobId = `clip-${submission.taskId}`;
      if (!jobs.has(jobId)) {
        jobs.set(jobId, { jobId, status: 'working' });
        pendingRenders.push(render(submission));
      }
      return answer(202, jobs.get(jobId));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: origin,
    folder,
    /** Response statuses for its callbacks. */
    callbacks: callbackStatuses,
    /** Resolves when all jobs are rendered and reported. */
    idle: async () => void (await Promise.all(pendingRenders)),
    async close() {
      await Promise.allSettled(pendingRenders);
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}
