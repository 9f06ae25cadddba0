import { demand } from '../../../db/schema-capabilities.ts';
import { daysLater } from '../../operation/later.ts';
import type { Context } from '../../operation/context.ts';
import { capabilityCatalog } from '../capability-catalog.ts';
import type { Adapter } from './adapter.ts';
import { answerText, searchKnowledge, subsitesFor } from '../../search/knowledge.ts';
import { termsOf } from '../../search/terms.ts';

/** Maximum number of subsites in an answer. */
const MAX_SUBSITES = 3;
/** Days for which an unanswered question is kept. */
const RETENTION_DAYS = 365;

const RECORDED_NOTE = ' The question was recorded as unmet demand.';

async function recordDemand(
  taskId: string,
  question: string,
  { database, now }: Context,
): Promise<void> {
  const at = now();
  // The task ID as row ID makes a repeated step idempotent.
  await database.writer
    .insert(demand)
    .values({
      id: taskId,
      topic: [...new Set(termsOf(question))].sort().join(' '),
      question,
      at: at.toISOString(),
      eraseAt: daysLater(at, RETENTION_DAYS),
    })
    .onConflictDoNothing();
}

/**
 * Finds the subsites that answer a question, with their action or capability; records the question
 * if none does.
 */
export const assist: Adapter = {
  immediate: true,
  question: (input) => input['question'],
  async step({ taskId, capability, input }, context) {
    const { site } = context;
    const question = String(input['question']);
    const { answered, passages } = searchKnowledge(site, { question });
    const names = new Set(
      [
        ...(answered ? passages.flatMap(({ subsite }) => subsite ?? []) : []),
        ...subsitesFor(site, question).map(({ name }) => name),
      ].slice(0, MAX_SUBSITES),
    );
    const asked = termsOf(question).length > 0;
    const catalog = [...capabilityCatalog(site).values()];
    const places = site.registry.subsites
      .filter(({ name }) => names.has(name))
      .sort((a, b) => [...names].indexOf(a.name) - [...names].indexOf(b.name))
      .map(({ name, title, purpose, url, actions }) => ({
        subsite: name,
        title,
        purpose,
        url: `${site.base}${url}`,
        actions: actions.map(({ verb }) => verb),
        capabilities: catalog.filter(({ subsite }) => subsite === name).map(({ id }) => id),
      }));
    if (asked && !answered) await recordDemand(taskId, question, context);
    return {
      kind: 'completed',
      result: {
        answered,
        answer: asked
          ? `${answerText(answered, passages)}${answered ? '' : RECORDED_NOTE}`
          : 'The question is empty. Say what you need in words.',
        passages,
        places,
        limitations: capability.limitations,
      },
    };
  },
};
