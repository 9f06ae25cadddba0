export interface SampleRequest {
  method: string;
  /** Absolute URL. */
  url: string;
  /** Headers other than the media type, by name. */
  headers?: Readonly<Record<string, string>>;
  /** JSON body, if any. */
  body?: unknown;
}

/** Text to copy: a command, a program or a configuration. */
export interface Sample {
  /** Label, such as “curl” or a file name. */
  title: string;
  /** Language name for highlighters and Markdown. */
  language: 'sh' | 'javascript' | 'python' | 'json' | 'toml' | 'text';
  text: string;
}

export const SAMPLE_AUTH_HEADERS = { Authorization: 'Bearer <API_KEY>' } as const;

/**
 * Fills in a path with example values for its parameters; a parameter without an example keeps its
 * name.
 */
export const fillPath = (
  path: string,
  parameters: readonly { name: string; in: string; example?: unknown }[],
): string =>
  parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (filled, { name, example }) =>
        typeof example === 'string' ? filled.replace(`{${name}}`, example) : filled,
      path,
    );

/** Puts a shell argument in single quotes. */
export const quoteForShell = (text: string): string =>
  `'${text.replaceAll("'", String.raw`'\''`)}'`;

const toIndentedJson = (value: unknown): string => JSON.stringify(value, null, 2);

const indentFollowingLines = (text: string, spaces: number) =>
  text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

/** Formats a JSON value as a Python literal, with inner lines indented by at least `spaces`. */
function formatPythonLiteral(value: unknown, spaces: number): string {
  const indentation = ' '.repeat(spaces + 4);
  const end = `\n${' '.repeat(spaces)}`;
  const lines = (open: string, entries: string[], close: string) =>
    entries.length
      ? `${open}\n${entries.map((entry) => `${indentation}${entry},`).join('\n')}${end}${close}`
      : `${open}${close}`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value))
    return lines(
      '[',
      value.map((entry) => formatPythonLiteral(entry, spaces + 4)),
      ']',
    );
  if (typeof value === 'object')
    return lines(
      '{',
      Object.entries(value).map(
        ([name, entry]) => `${JSON.stringify(name)}: ${formatPythonLiteral(entry, spaces + 4)}`,
      ),
      '}',
    );
  return JSON.stringify(value);
}

const allHeaders = ({ headers, body }: SampleRequest) => ({
  ...headers,
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
});

/** Creates a JSON sample from a value. */
export const createJsonSample = (title: string, value: unknown): Sample => ({
  title,
  language: 'json',
  text: toIndentedJson(value),
});

/** Formats a request as a shell command. */
export function createCurlSample(title: string, request: SampleRequest): Sample {
  const { method, url, body } = request;
  const defaultMethod = body === undefined ? 'GET' : 'POST';
  const lines = [
    `curl ${method === defaultMethod ? '' : `-X ${method} `}${quoteForShell(url)}`,
    ...Object.entries(allHeaders(request)).map(
      ([name, value]) => `  -H ${quoteForShell(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`  -d ${quoteForShell(toIndentedJson(body))}`]),
  ];
  return { title, language: 'sh', text: lines.join(' \\\n') };
}

/** Formats a request as JavaScript with `fetch`, for browsers, Node, Deno and Bun. */
function createJavaScriptSample(request: SampleRequest): string {
  const { method, url, body } = request;
  const headers = allHeaders(request);
  const initLines = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(Object.keys(headers).length
      ? [`headers: ${indentFollowingLines(toIndentedJson(headers), 2)}`]
      : []),
    ...(body === undefined
      ? []
      : [`body: JSON.stringify(${indentFollowingLines(toIndentedJson(body), 2)})`]),
  ];
  const rest = initLines.length
    ? `, {\n${initLines.map((line) => `  ${line},`).join('\n')}\n}`
    : '';
  return `const response = await fetch('${url}'${rest});\nconsole.log(response.status, await response.text());`;
}

function createPythonSample(request: SampleRequest): string {
  const { method, url, headers = {}, body } = request;
  const callArguments = [
    `'${url}'`,
    ...(Object.keys(headers).length ? [`headers=${formatPythonLiteral(headers, 4)}`] : []),
    ...(body === undefined ? [] : [`json=${formatPythonLiteral(body, 4)}`]),
  ];
  const call = `requests.${method.toLowerCase()}`;
  const callText =
    callArguments.length === 1
      ? `${call}(${callArguments[0]})`
      : `${call}(\n${callArguments.map((line) => `    ${line},`).join('\n')}\n)`;
  return `import requests\n\nresponse = ${callText}\nprint(response.status_code, response.text)`;
}

/** Formats a request in each language that the documentation shows. */
export const createRequestSamples = (request: SampleRequest): readonly Sample[] => [
  createCurlSample('curl', request),
  { title: 'JavaScript', language: 'javascript', text: createJavaScriptSample(request) },
  { title: 'Python', language: 'python', text: createPythonSample(request) },
];
