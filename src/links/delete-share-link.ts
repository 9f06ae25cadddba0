import { eq } from 'drizzle-orm';
import { shareLinks } from '../../db/schema-links.ts';
import type { Context } from '../operation/context.ts';
import { Problem } from '../operation/problem.ts';

/** Deletes a share link with its title and data. @throws {Problem} unknown_token */
export async function deleteShareLink(
  token: string,
  { database }: Pick<Context, 'database'>,
): Promise<void> {
  const deletedLinks = await database.writer
    .delete(shareLinks)
    .where(eq(shareLinks.token, token))
    .returning({ token: shareLinks.token });
  if (!deletedLinks.length) throw new Problem('unknown_token', 'No share link matches this token.');
}
