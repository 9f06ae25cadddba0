import { findReceiptToken, findReceiptTokens } from '../../leads/lists/lead-records.ts';
import { findReferenceByGroups } from '../../leads/lists/search-leads.ts';
import type { Context } from '../../operation/context.ts';
import { Problem } from '../../operation/problem.ts';
import { formatReference } from '../../site/words/words.ts';

/** Rejects partial references, which only reading commands accept, and names the full reference. */
async function rejectPartialReferences(
  references: readonly string[],
  context: Context,
): Promise<void> {
  for (const part of references) {
    const reference = await findReferenceByGroups(part, context);
    if (reference !== undefined)
      throw new Problem(
        'invalid_input',
        `${part} is only part of the reference ${formatReference(reference)}. Use the full reference to change this lead. Nothing was changed.`,
      );
  }
}

/**
 * The tokens of leads that a command changes.
 * @throws {Problem} as `findReceiptTokens` does, and invalid_input for a partial reference
 */
export async function findTokensToChange(
  references: readonly string[],
  context: Context,
): Promise<string[]> {
  await rejectPartialReferences(references, context);
  return findReceiptTokens(references, context);
}

/** The token of the lead that a command changes; see `findTokensToChange`. */
export async function findTokenToChange(reference: string, context: Context): Promise<string> {
  await rejectPartialReferences([reference], context);
  return findReceiptToken(reference, 'all', context);
}
