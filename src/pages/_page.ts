import { STATUS_CODES } from 'node:http';
import type { AstroGlobal } from 'astro';
import type { ProblemDetails } from '../operations/index.ts';

/** Gives a page its status, with the words that belong to it: Astro keeps those of the first. */
export function setStatus({ response }: Pick<AstroGlobal, 'response'>, status: number): void {
  response.status = status;
  response.statusText = STATUS_CODES[status] ?? '';
}

/** What a page found, or why it cannot be shown: then its status and headers are set. */
export async function find<Found>(astro: AstroGlobal, read: () => Promise<Found>): Promise<{ found: Found } | { refusal: ProblemDetails }> {
  try {
    return { found: await read() };
  } catch (thrown) {
    const answer = astro.locals.answerFault(thrown);
    setStatus(astro, answer.status);
    const wait = answer.headers.get('retry-after');
    if (wait) astro.response.headers.set('retry-after', wait);
    return { refusal: (await answer.json()) as ProblemDetails };
  }
}
