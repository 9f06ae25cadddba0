/** The developer area: its front page, the catalog and each capability. */
export const developers = {
  area: 'Agent services',
  areaInText: 'agent services',
  reference: 'API reference',
  referenceNote: 'The endpoints, with samples in three languages.',
  start: 'Start here',
  read: '1. Read the agent index',
  tryIt: '2. Try a request: nothing is stored',
  follow: '3. Follow the request: each real request has its own receipt',
} as const;

/** All capabilities, by service. */
export const capabilityCatalog = {
  title: 'What programs can do',
  count:
    '{count} capabilities by service. Each has a page with its input, price, limits and samples.',
  search: 'Search the catalog',
  placeholder: 'trailer, quote, guide…',
  help: 'Help',
  guide: 'Guide',
  of: ' of {service}',
  answers: 'answers to questions from published facts',
  byQuote: 'by quote',
  none: 'No services found',
  found: { one: '{count} service found', other: '{count} services found' },
} as const;

/** One capability. */
export const capabilityPage = {
  catalog: 'Catalog',
  id: 'ID',
  price: 'Price',
  free: 'Free',
  byQuote: 'By quote',
  needs: 'Needs',
  key: 'A bearer key',
  keyOrRequest: 'A bearer key to run it as a task; no key to submit the action',
  service: 'Belongs to',
  input: 'Input',
  version: 'Version {version}. Properties that are not listed here are rejected at every level.',
  limits: 'Price and limits',
  evidence: 'Evidence',
  call: 'Call it',
  instructions: 'To get a key, see {area}. For what a task returns, see {results} and {reference}.',
  results: 'results',
  samples: {
    sandbox: 'curl, without a key, in the sandbox',
    quote: 'curl, to get a quote',
    task: 'curl, as a task',
    mcp: 'MCP, at /api/v1/agent-mcp',
    input: 'Example input',
    quoteId: '<quoteId>',
    maxAmount: '<amount of the quote>',
    idempotencyKey: '<a UUID that you generate for this task>',
  },
} as const;

/** The OpenAPI document as a page. */
export const apiReference = {
  version: 'Version {version}. Also available as OpenAPI 3.1: {source}.',
  samplesIn: 'Samples in',
  contents: 'Contents',
  authentication: 'Authentication',
  open: 'You can read the network, send a request and follow it without a key.',
  keyRequired: 'These operations require a key:',
  send: 'Send the key in the header {header}. A request without a valid key gets 401 ({unauthorized}); a request that the key’s scopes do not cover gets 403 ({scope}). {area} explains how to get a key.',
  errors: 'Errors',
  errorsIntro:
    'An error is a problem document (RFC 9457). Each code has a page that explains what to do.',
  errorStatus: '{status}: {title}',
  schemas: 'Schemas',
  key: 'key',
  parameters: 'Parameters',
  parametersOf: 'Parameters of {operation}',
  body: 'Body',
  bodyOf: 'Body of {operation}',
  sentAs: 'Sent as {types}.',
  oneOf: 'One of:',
  answers: 'Responses',
  exampleResponse: 'Example response, {operation}',
  sampleOf: '{language}, {operation}',
} as const;

/** The properties of a JSON Schema object as a table. */
export const schemaTable = {
  none: 'No properties.',
  name: 'Name',
  type: 'Type',
  meaning: 'Description',
  required: 'required',
  more: 'and {count} more',
  notEmpty: 'not empty',
  minCharacters: { one: 'at least {count} character', other: 'at least {count} characters' },
  maxCharacters: { one: 'at most {count} character', other: 'at most {count} characters' },
  min: 'at least {count}',
  max: 'at most {count}',
  minEntries: { one: 'at least {count} entry', other: 'at least {count} entries' },
  maxEntries: { one: 'at most {count} entry', other: 'at most {count} entries' },
  format: 'format {format}',
  matches: 'matches {pattern}',
  defaultValue: 'default {value}',
  any: 'any',
  arrayOf: 'array of {type}',
  or: ' or ',
} as const;

/** Sends a trial request from the page. */
export const sandboxConsole = {
  title: 'Send a trial request',
  action: 'Action',
  body: 'Body of {endpoint}',
  send: 'Send',
  answer: 'Answer',
  notObject: 'The body is not a JSON object.',
  enterObject: 'Enter a JSON object. {reason}',
  timing: '{status} in {ms} ms',
  noResponse: 'The service did not respond. Check your connection and send the request again.',
} as const;

/** Checks a signed receipt in the browser. */
export const receiptCheck = {
  title: 'Verify a receipt here',
  input: 'Receipt or status, as JSON',
  hint: 'Your browser verifies the text and does not send it anywhere.',
  verify: 'Verify',
  load: 'Load a sample',
  unsupported: 'This browser cannot verify signatures. Use one of the programs below.',
  sample: 'The status of a sandbox request. Verify it, then change a letter and verify it again.',
  noResponse: 'The service did not respond. Check your connection and try again.',
} as const;

/** The button that copies a sample. */
export const copyButton = {
  copy: 'Copy',
  copyOf: 'Copy {title}',
  copied: 'Copied',
  failed: 'Selected',
  failedStatus: 'Could not copy; the text is selected',
} as const;

/** Results of verifying a signed receipt. */
export const verdicts = {
  notJson: 'The text is not a JSON object. Paste the whole receipt or status.',
  noProof: 'The text has no signature. Include the "proof" property.',
  unsupportedType: 'The signature has an unsupported type.',
  unknownKey: 'The text was signed with a key that this service does not publish.',
  valid: 'Valid. This service issued it, and it has not been changed (key {key}).',
  invalid: 'Not valid. It was changed, or another service issued it.',
  unreadable: 'The signature cannot be read. Paste the receipt or status as you received it.',
} as const;
