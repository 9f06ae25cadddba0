import { countQuestion } from '../../operation/question-budget.ts';
import type { Context } from '../../operation/context.ts';
import { searchForNeed } from '../../search/knowledge.ts';
import { MAX_CHARACTERS } from '../../search/question.ts';
import { type Page, createSeeOtherResponse } from './page.ts';

/** The front page's search results, for browsers without JavaScript. */
export const createFindPage = (context: Context): Page => ({
  home: '/',
  async show({ request, address }) {
    const { searchParams } = new URL(request.url);
    const query = (searchParams.get('q') ?? '').trim().slice(0, MAX_CHARACTERS);
    if (!query) return createSeeOtherResponse('/');
    await countQuestion(query, { address }, context);
    // Match the last word as a prefix, as the script does while the user types.
    const findings = searchForNeed(context.site, query, { isTyping: true });
    return { kind: 'find', query, findings, at: context.now().toISOString() };
  },
});
