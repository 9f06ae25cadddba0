import { demand } from '../../db/schema-capabilities.ts';
import { daysLater } from '../operations/receipt.ts';
import type { Context } from '../operations/context.ts';
import { capabilityCatalog } from '../operations/capability-catalog.ts';
import type { Adapter } from './adapter.ts';
import { searchKnowledge, searchSubsites } from './knowledge-search.ts';
import { termsOf } from './word-index.ts';

/** Subsites that an answer names. */
const MOST_PLACES = 3;
/** Days for which an unanswered question is kept. */
const KEPT_DAYS = 365;

async function recordDemand(taskId: string, question: string, { database, now }: Context): Promise<void> {
  const at = now();
  // The task’s id makes a repeated step one row.
  await database.writer.insert(demand).values({ id: taskId, topic: termsOf(question).sort().join(' '), question, at: at.toISOString(), eraseAt: daysLater(at, KEPT_DAYS) }).onConflictDoNothing();
}

/** Says which subsites answer a question and with which action or capability; records the question where none does. */
export const assist: Adapter = {
  immediate: true,
  async step({ taskId, capability, input }, context) {
    const { site } = context;
    const question = String(input['question']);
    const { passages } = searchKnowledge(site, { question });
    const names = new Set([...passages.map(({ subsite }) => subsite), ...searchSubsites(site, question).map(({ name }) => name)].slice(0, MOST_PLACES));
    const answered = passages.length > 0;
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
        answer: answered
          ? passages.map(({ text }) => text).join(' ')
          : !asked
            ? 'Nothing was asked. Write what is needed, in words.'
            : 'Nothing that the network publishes answers this. The question was recorded as unmet demand.',
        passages,
        places,
        limitations: capability.limitations,
      },
    };
  },
};
