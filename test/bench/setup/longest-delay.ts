import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

// Sends requests to a running service one after another. When its parent asks, it reports the
// longest response time of each kind since the last report, in ms.

/** Longest response time of each kind, in ms. */
export interface LongestDelays {
  document: number;
  status: number;
  lead: number;
}

const PAUSE_MS = 5;

const [origin, receipt, source] = process.argv.slice(2) as [string, string, string];
const agent = new Agent({ keepAlive: true });
let longestDelays: LongestDelays = { document: 0, status: 0, lead: 0 };
/** Time of the last report, in ms. */
let reportedAt = 0;

function send(path: string, body?: object): Promise<void> {
  const text = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      origin + path,
      {
        agent,
        method: text ? 'POST' : 'GET',
        headers: text ? { 'content-type': 'application/json' } : {},
      },
      (response) => {
        response
          .resume()
          .on('end', () =>
            response.statusCode! < 400 ? resolve() : reject(new Error(String(response.statusCode))),
          );
      },
    );
    sent.on('error', reject).end(text);
  });
}

let count = 0;
const kinds: Record<keyof LongestDelays, () => Promise<void>> = {
  document: () => send('/llms.txt'),
  status: () => send(`/api/lead/${receipt}`),
  lead: () => send('/api/email-capture', { email: `probe${++count}@example.com`, source }),
};

process.on('message', () => {
  process.send!(longestDelays);
  longestDelays = { document: 0, status: 0, lead: 0 };
  reportedAt = performance.now();
});
process.on('disconnect', () => process.exit());

for (;;)
  for (const [kind, sendRequest] of Object.entries(kinds) as [
    keyof LongestDelays,
    () => Promise<void>,
  ][]) {
    const startedAt = performance.now();
    await sendRequest();
    // The delay of a request that was sent before the last report may belong to the previous task.
    if (startedAt >= reportedAt)
      longestDelays[kind] = Math.max(longestDelays[kind], performance.now() - startedAt);
    await wait(PAUSE_MS);
  }
