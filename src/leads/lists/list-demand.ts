import { desc, eq, sql } from 'drizzle-orm';
import { demand } from '../../../db/schema-capabilities.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import type { Database } from '../../../db/index.ts';

/**
 * Unmet demand, most frequent first. SQLite takes `question` from the row with the maximum `at`.
 */
export async function listDemand({ background }: Database, limit = 100) {
  const count = sql<number>`count(*)`;
  const last = sql<string>`max(${demand.at})`;
  return background
    .select({
      /** Significant words that the questions share, sorted. */
      topic: demand.topic,
      count,
      /** Times of the first and the last question, ISO 8601. */
      first: sql<string>`min(${demand.at})`,
      last,
      /** The latest question. */
      question: demand.question,
    })
    .from(demand)
    .groupBy(demand.topic)
    .orderBy(desc(count), desc(last))
    .limit(limit);
}

/**
 * Deletes the questions about a topic, and returns how many were deleted. @throws {Problem}
 * not_found
 */
export async function deleteQuestions(
  topic: string,
  { database }: Pick<Context, 'database'>,
): Promise<number> {
  const gone = await database.writer
    .delete(demand)
    .where(eq(demand.topic, topic))
    .returning({ id: demand.id });
  if (!gone.length)
    throw new Problem(
      'not_found',
      'No questions match this topic. npm run leads -- demand lists them.',
    );
  return gone.length;
}
