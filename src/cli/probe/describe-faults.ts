import { formatQuantity } from '../../site/words/quantity.ts';
import type { ProbeFault } from './index.ts';

/** Maximum number of addresses to list for the same problem. */
const MAX_NAMED_ADDRESSES = 3;

/**
 * A line for each fault; for many with the same problem, the first few and the number of others.
 */
export const describeFaults = (faults: readonly ProbeFault[]): string[] =>
  [...Map.groupBy(faults, ({ problem }) => problem)].flatMap(([problem, same]) => {
    const rest = same.length - MAX_NAMED_ADDRESSES;
    return [
      ...same.slice(0, MAX_NAMED_ADDRESSES).map(({ path }) => `${path}: ${problem}`),
      ...(rest > 0
        ? [`${formatQuantity(rest, 'more address', 'more addresses')}: ${problem}`]
        : []),
    ];
  });
