/** Findings that the project ignores on purpose, by scanner and check, with the reason. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'agent-readability': {
    'Agent UA → markdown':
      'One address answers everybody alike: who wants Markdown says so with Accept or asks for {page}.md. An answer that differs by User-Agent cannot be shared by a cache and is a guess.',
    'Missing page → markdown':
      'A page that is not there answers 404 (RFC 9110), in Markdown for whoever accepts it; the same scanner counts a 200 as a soft 404.',
  },
  afdocs: {
    'page-size-html of the API reference':
      'The reference is one page so that the browser finds words in all of it; its Markdown twin is short, and agents read the OpenAPI document.',
    'markdown-content-parity of a capability':
      'The page has the input as a table, its Markdown as JSON Schema: the same constraints in the form that each reader uses.',
    'content-start-position':
      'Menu and path stand before the heading of a short page; the Markdown twin begins with it.',
    'content-start-position of a capability':
      'Menu and path stand before the heading of a short page; the Markdown twin begins with it.',
    'content-start-position of the API reference':
      'Menu and path stand before the heading; the Markdown twin begins with it.',
  },
  'structured-data': {
    'Required attribute "image" is missing':
      'The registry has no photographs, and a drawing with the title is no picture of the thing. schema.org does not ask for one; a rich result in a search engine does.',
    'One of the following attributes is required: "aggregateRating", "offers" or "review"':
      'A thing without a published price has no offer, and nothing here has ratings.',
    'Required attribute "offers" is missing': 'A thing without a published price has no offer.',
  },
};

/** Why the project ignores a finding; undefined if it must be fixed. */
export const leftOutReason = (scanner: string, check: string): string | undefined =>
  reasons[scanner]?.[check];
