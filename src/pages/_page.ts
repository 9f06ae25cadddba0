import { STATUS_CODES } from 'node:http';
import type { AstroGlobal } from 'astro';
import type { ProblemDetails } from '../operations/index.ts';

/** Gives a page its status, with the words that belong to it: Astro keeps those of the first. */
export function setStatus({ response }: Pick<AstroGlobal, 'response'>, status: number): void {
  response.status = status;
  response.statusText = STATUS_CODES[status] ?? '';
}

/** Gives a page the status and headers of a refusal; what it has to show of it. */
export async function refuseWith(astro: Pick<AstroGlobal, 'response'>, answer: Response): Promise<ProblemDetails> {
  setStatus(astro, answer.status);
  for (const name of ['allow', 'retry-after', 'ratelimit', 'ratelimit-policy']) {
    const value = answer.headers.get(name);
    if (value !== null) astro.response.headers.set(name, value);
  }
  return (await answer.json()) as ProblemDetails;
}

/** What a page found, or why it cannot be shown: then its status and headers are set. */
export async function find<Found>(astro: AstroGlobal, read: () => Promise<Found>): Promise<{ found: Found } | { refusal: ProblemDetails }> {
  try {
    return { found: await read() };
  } catch (thrown) {
    return { refusal: await refuseWith(astro, astro.locals.answerFault(thrown)) };
  }
}
