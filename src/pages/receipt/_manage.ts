import type { AstroGlobal } from 'astro';
import type { Context, ProblemDetails } from '../../operations/index.ts';
import { readPagePost } from '../../transports/index.ts';
import { admit } from '../_admit.ts';
import { refuseWith } from '../_page.ts';

/** Refusals that the receipt’s own page shows better: the lead is in another state, erased or unknown. */
const shownByReceipt = new Set(['invalid_input', 'gone', 'unknown_receipt']);

/**
 * Does what the person wants with their request and leads back to its receipt. Opening the address changes nothing.
 * A refusal that the receipt does not explain is given back for a page, with its status set.
 */
export async function manage(astro: AstroGlobal, act: (token: string, context: Context) => Promise<void>, confirmation?: string): Promise<Response | ProblemDetails> {
  const token = astro.params['token']!;
  const back = (part = '') => new Response(null, { status: 303, headers: { location: `/receipt/${encodeURIComponent(token)}${part}`, 'cache-control': 'no-store' } });
  try {
    if (!(await admit(astro)).posted) return back();
    const post = await readPagePost(astro.request);
    const texts = post.kind === 'form' ? post.texts : {};
    if (confirmation !== undefined && texts[confirmation] === undefined) return back('#erase');
    await act(token, astro.locals.context);
    return back();
  } catch (thrown) {
    const answer = astro.locals.answerFault(thrown);
    const problem = (await answer.clone().json()) as ProblemDetails;
    if (shownByReceipt.has(problem.code)) return back();
    if (answer.status === 405) return answer;
    return await refuseWith(astro, answer);
  }
}
