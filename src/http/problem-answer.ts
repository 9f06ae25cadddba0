import type { ServerResponse } from 'node:http';
import { Problem } from '../operation/problem.ts';
import { suggestion } from '../site/nearest.ts';
import type { Registry } from '../site/registry.ts';

/** Status, headers and body of a refusal, RFC 9457. */
function problemParts(problem: Problem, base: string) {
  const body = `${JSON.stringify(problem.details(base))}\n`;
  return {
    body,
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'content-length': String(Buffer.byteLength(body)),
      ...problem.headers,
    },
  };
}

/** A refusal as a response; `more` are headers that belong to every answer of the endpoint. */
export function problemResponse(
  problem: Problem,
  base: string,
  more: Readonly<Record<string, string>> = {},
): Response {
  const { body, status, headers } = problemParts(problem, base);
  return new Response(body, { status, headers: { ...headers, ...more } });
}

/** Writes a refusal; headers that were set on the response before stay. */
export function sendProblem(response: ServerResponse, problem: Problem, base: string): void {
  const { body, status, headers } = problemParts(problem, base);
  response.writeHead(status, headers);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Methods as a sentence lists them. */
const inWords = (methods: string) => methods.replace(/, ([^,]+)$/, ' and $1');

/** A method that an address does not allow; `allow` is the Allow header. */
export const methodNotAllowed = (allow: string): Problem =>
  new Problem('method_not_allowed', `This address takes ${inWords(allow)}.`, {
    headers: { allow },
  });

/** The answer to an unknown address; for a subsite it names the one whose page or name is meant. */
export function unknownAddress(path: string, { subsites }: Pick<Registry, 'subsites'>): Problem {
  const named = /^\/api\/agent\/([^/]+)$/.exec(path)?.[1];
  if (named !== undefined) {
    const names = subsites.map(({ name }) => name);
    const ofPage = subsites.find(({ url }) => url === `/${named}`);
    const meant = ofPage ? ` Did you mean ${ofPage.name}?` : suggestion(named, names);
    return new Problem(
      'unknown_subsite',
      `There is no subsite of that name.${meant} /api/agent-index lists all.`,
    );
  }
  return new Problem(
    'not_found',
    'There is nothing at this address. Begin at /llms.txt or /api/agent-index.',
  );
}

/** The same outside the interface, as Markdown. */
export const unknownPageMarkdown = (base: string): string =>
  `# There is nothing at this address\n\nBegin at [the list of everything](${base}/llms.txt).\n`;
