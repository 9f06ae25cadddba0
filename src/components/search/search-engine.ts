import { findNeed, type Findings } from '../../search/find-need.ts';
import {
  openServiceIndex,
  type ServiceDocument,
  type ServiceEntry,
} from '../../search/find-services.ts';
import { describeResultCount, renderResult } from './search-result.ts';

/** A search over one loaded index. */
export interface SearchEngine {
  /** Results for a query that may be unfinished. */
  find: (query: string, filter: (entry: ServiceEntry) => boolean) => Findings;
  /** The results as HTML, with opening hours as of now. */
  render: (entries: readonly ServiceEntry[]) => string;
  describeResultCount: (findings: Findings) => string;
}

/**
 * Creates the search from its index, in a separate module so that only visitors who search load it.
 */
export function createSearchEngine(document: ServiceDocument): SearchEngine {
  const index = openServiceIndex(document);
  return {
    find: (query, filter) => findNeed(index, query, { isTyping: true, filter }),
    render: (entries) => {
      const now = new Date();
      return entries.map((entry) => renderResult(entry, document.timeZone, now)).join('');
    },
    describeResultCount,
  };
}
