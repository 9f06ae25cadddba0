import type { ServerResponse } from 'node:http';
import type { Reply } from '../transports/index.ts';
import { Problem } from '../operations/problem.ts';

/** Body and headers of a refusal, RFC 9457. */
export function problemAnswer(problem: Problem, base: string): Reply & { body: string } {
  return {
    status: problem.status,
    body: `${JSON.stringify(problem.details(base))}\n`,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'access-control-allow-origin': '*', ...problem.headers },
  };
}

/** Answers with a refusal; headers that were set on the response before stay. */
export function sendProblem(response: ServerResponse, problem: Problem, base: string): void {
  const { status, body, headers } = problemAnswer(problem, base);
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** A method that an address does not take; `allow` as in the header of that name. */
export const methodNotAllowed = (allow: string): Problem =>
  new Problem('method_not_allowed', `This address takes ${allow.replace(/, ([^,]+)$/, ' and $1')}.`, { headers: { allow } });

/** What there is to say about an unknown address. */
export function unknownAddress(path: string): Problem {
  if (/^\/api\/agent\/[^/]+$/.test(path)) return new Problem('unknown_subsite', 'There is no subsite of that name. /api/agent-index lists all.');
  return new Problem('not_found', 'There is nothing at this address. Begin at /llms.txt or /api/agent-index.');
}

/** The same outside the interface, as Markdown. */
export const unknownPageMarkdown = (base: string): string => `# There is nothing at this address\n\nBegin at [the list of everything](${base}/llms.txt).\n`;
