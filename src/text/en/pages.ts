/** Text that surrounds the content of every page. */
export const frame = {
  skip: 'Skip to the content',
  index: 'Index of all pages, for agents',
  network: 'Network',
  services: 'Services',
  search: 'Search',
  here: 'You are here',
  onThisPage: 'On this page',
  lastChanged: 'Last changed {day}.',
  markdown: 'This page as Markdown',
  manifest: 'Manifest, for agents',
  rss: '{service} (RSS)',
  jsonFeed: '{service} (JSON Feed)',
  call: 'Call {phone}',
  callShort: 'Call',
  table: 'Table',
  tableOf: 'Table: {title}',
} as const;

/** The footer of every page. */
export const footer = {
  policies: 'House rules',
  aboutUs: 'About us',
  documents: 'For agents',
  forDevelopers: 'For developers',
  agentIndex: 'Agent index',
  openApi: 'OpenAPI',
  capabilities: 'Capabilities',
  llmsTxt: 'llms.txt',
  sitemap: 'Sitemap',
  notABooking: 'A request is not a booking until the service confirms it.',
  /** When someone answers the network’s own number; each service has its own hours. */
  officeHours: '{network} office phone hours: {hours}.',
} as const;

/** The not-found page. */
export const notFound = {
  title: 'Page not found',
  heading: 'There is nothing at this address',
  description: 'The page may have moved, or the address may be mistyped.',
  instructions: 'Start at the {front} or look through {services}.',
  front: 'front page',
  services: 'all services',
} as const;

/** What an error code means. */
export const problemPage = {
  code: 'Code',
  status: 'HTTP status',
  retry: 'Retry',
  afterWait: 'Yes, after waiting',
  afterChange: 'Only after a change',
  happened: 'What happened',
  steps: 'What to do',
  more: 'The {reference} lists the endpoints and their responses. Send questions to {email}.',
} as const;
