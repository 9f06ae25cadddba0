import { demand } from '../../../db/schema-capabilities.ts';
import { addDaysToTime } from '../../operation/time-arithmetic.ts';
import type { Context } from '../../operation/context.ts';
import { capabilityCatalogOf } from '../capability-catalog.ts';
import type { Adapter } from './adapter.ts';
import { formatAnswerText, searchKnowledge } from '../../search/knowledge.ts';
import { selectNotice } from '../../search/not-offered.ts';
import { termsOf } from '../../search/index/terms.ts';
import { isOffered } from '../../site/capability-record.ts';
import { findSubsite } from '../../site/registry.ts';

/** Days for which an unanswered question is kept. */
const RETENTION_DAYS = 365;

const RECORDED_NOTE = ' The question was recorded as unmet demand.';

async function recordDemand(
  taskId: string,
  question: string,
  { database, now }: Context,
): Promise<void> {
  const time = now();
  // Using the task ID as the row ID makes a repeated step idempotent.
  await database.writer
    .insert(demand)
    .values({
      id: taskId,
      topic: [...new Set(termsOf(question))].sort().join(' '),
      question,
      at: time.toISOString(),
      eraseAt: addDaysToTime(time, RETENTION_DAYS),
    })
    .onConflictDoNothing();
}

/**
 * Finds passages that answer a question, and services that meet a need, with their actions and
 * capabilities. Records questions without an answer.
 */
export const assist: Adapter = {
  immediate: true,
  questionOf: (input) => input['question'],
  async step({ taskId, capability, input }, context) {
    const { site } = context;
    const question = String(input['question']);
    const answer = searchKnowledge(site, { question });
    const { answered, passages, ask } = answer;
    const hasTerms = termsOf(question).length > 0;
    const catalog = [...capabilityCatalogOf(site).values()];
    const services = ask.map((service) => ({
      ...service,
      purpose: findSubsite(site.registry, service.subsite)!.purpose,
      capabilities: catalog
        .filter((record) => record.subsite === service.subsite && isOffered(site.registry, record))
        .map(({ id }) => id),
    }));
    const isUnmet = hasTerms && !answered && answer.notOfferedCode !== 'answered';
    if (isUnmet) await recordDemand(taskId, question, context);
    return {
      kind: 'completed',
      result: {
        ...selectNotice(answer),
        answered,
        answer: hasTerms
          ? `${formatAnswerText(answer)}${isUnmet ? RECORDED_NOTE : ''}`
          : 'The question is empty. Describe what you need.',
        passages,
        places: services,
        limitations: capability.limitations,
      },
    };
  },
};
