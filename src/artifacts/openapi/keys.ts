import type { Operation, OperationDescription } from '../../operation/operation.ts';
import { requestSamples, SAMPLE_KEY } from '../../site/developer/request-samples.ts';

/** Text about the key in the description of every operation that needs one. */
export const HOW_TO_SEND_KEY =
  'Send a key whose scopes allow the capability in the header `Authorization: Bearer <API_KEY>`. A generated client sends it only where you set it, for no operation of this document declares a security requirement.';

/**
 * How to send a key, for code generators and readers. No operation requires it, so that generated
 * clients send it only where it is set.
 */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An explicitly scoped key, which the operator issues by mail (see the agent services area), sent as Authorization: Bearer <API_KEY>. Operations that need one say so in their description.',
  },
} as const;

interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The first example of a request body; undefined if the operation takes no body. */
const exampleOf = ({ requestExamples = {} }: OperationDescription): unknown =>
  Object.values(requestExamples)[0]?.value;

/**
 * Samples in each language for an operation that needs a key: `x-codeSamples` for documentation
 * tools.
 */
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
  const request = { method, url, headers: SAMPLE_KEY, ...(body !== undefined && { body }) };
  return requestSamples(request).map(({ title, language, text }) => ({
    lang: language === 'sh' ? 'Shell' : title,
    label: title,
    source: text,
  }));
}
