import type { Operation, OperationDescription } from '../operation/operation.ts';

/** What the description of every operation behind a key says about the key. */
export const HOW_TO_SEND_KEY =
  'Send a key whose scopes allow the capability in the header `Authorization: Bearer <API_KEY>`. A generated client sends it only where you set it, for no operation of this document declares a security requirement.';

/** How keys are sent, for generators and readers. No operation requires it (spec.md "Authentication", rule 2). */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An explicitly scoped key of the agent services area, sent as Authorization: Bearer <API_KEY>. Operations that need one say so in their description.',
  },
} as const;

interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The first example of a request body; undefined where an operation takes none. */
const exampleOf = ({ requestExamples = {} }: OperationDescription): unknown =>
  Object.values(requestExamples)[0]?.value;

/** How an operation behind a key is called, with curl and with fetch: `x-codeSamples`, as documentation tools read it. */
export function keyedSamples(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  described: OperationDescription,
  base: string,
): CodeSample[] {
  const url = described.parameters.reduce(
    (filled, { name, example = '' }) => filled.replace(`{${name}}`, String(example)),
    `${base}${path}`,
  );
  const body = exampleOf(described);
  const json = body === undefined ? undefined : JSON.stringify(body);
  const curl = [
    `curl ${method === 'POST' ? '-X POST ' : ''}'${url}'`,
    "-H 'Authorization: Bearer <API_KEY>'",
    ...(json
      ? ["-H 'Content-Type: application/json'", `-d '${json.replaceAll("'", "'\\''")}'`]
      : []),
  ].join(' \\\n  ');
  const init = [
    `method: '${method}'`,
    `headers: { Authorization: \`Bearer \${API_KEY}\`${json ? ", 'Content-Type': 'application/json'" : ''} }`,
    ...(json ? [`body: JSON.stringify(${json})`] : []),
  ].join(',\n  ');
  return [
    { lang: 'Shell', label: 'curl', source: curl },
    {
      lang: 'JavaScript',
      label: 'fetch',
      source: `const response = await fetch('${url}', {\n  ${init},\n});`,
    },
  ];
}
