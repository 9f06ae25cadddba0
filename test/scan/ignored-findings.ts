/** Findings that the project ignores on purpose, by scanner and check, with the reason. */
const ignoreReasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'agent-readability': {
    'Agent UA → markdown':
      'A page has the same response for every client; Accept or {page}.md selects Markdown. A response that varies by User-Agent cannot be cached and relies on a guess.',
    'Missing page → markdown':
      'A missing page returns 404 (RFC 9110), in Markdown for clients that accept it; the same scanner counts a 200 as a soft 404.',
  },
  afdocs: {
    'page-size-html of the API reference':
      'The reference is one page so that the browser’s search covers all of it; its Markdown version is short, and agents read the OpenAPI document.',
    'markdown-content-parity of a capability':
      'The page shows the input as a table, its Markdown version as JSON Schema: the same constraints in the form that each reader uses.',
    'content-start-position':
      'The menu and breadcrumbs precede the heading of a short page; the Markdown version starts with the heading.',
    'content-start-position of a capability':
      'The menu and breadcrumbs precede the heading of a short page; the Markdown version starts with the heading.',
    'content-start-position of the API reference':
      'The menu and breadcrumbs precede the heading; the Markdown version starts with the heading.',
  },
  lighthouse: {
    'ard-schema':
      'The catalog lists the Markdown page of every service as text/markdown, which is correct. The format has no standard type for a page; the audit only warns about other types, and calling a page a skill would be wrong.',
  },
  'structured-data': {
    'Required attribute "image" is missing':
      'Most items have no photograph, and a drawing with the title does not show the item. schema.org does not require an image; rich results in search engines do.',
    'One of the following attributes is required: "aggregateRating", "offers" or "review"':
      'An item without a published price has no offer, and the network has no ratings.',
    'Required attribute "offers" is missing': 'An item without a published price has no offer.',
  },
};

/** The reason that the project ignores a finding; undefined if it must be fixed. */
export const findIgnoreReason = (scanner: string, check: string): string | undefined =>
  ignoreReasons[scanner]?.[check];
