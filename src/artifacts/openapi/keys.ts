import type { Operation, OperationDescription } from '../../operation/operation.ts';
import {
  createRequestSamples,
  fillPath,
  SAMPLE_AUTH_HEADERS,
} from '../../site/developer/request-samples.ts';
import type { JsonObject } from '../../site/json-object.ts';

/** Sentence in the description of every operation that requires a key. */
export const KEY_INSTRUCTIONS =
  'Send a key whose scopes allow the capability as `Authorization: Bearer <API_KEY>`. Generated clients send it only if you set it, because this document declares no security requirements.';

/** Security scheme of the OpenAPI document. No operation requires it. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A scoped key, sent as Authorization: Bearer <API_KEY>. The operator issues keys by email; see the agent services area. The description of each operation says whether it requires a key.',
  },
} as const;

type SampledDescription = Pick<OperationDescription, 'parameters' | 'requestExamples'>;

/** The first example of a request body; undefined if the operation accepts no body. */
const exampleOf = ({ requestExamples = {} }: SampledDescription): unknown =>
  Object.values(requestExamples)[0]?.value;

/** Code samples for an operation that requires a key, as `x-codeSamples`. */
export function buildCodeSamples(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  description: SampledDescription,
  base: string,
): JsonObject[] {
  const body = exampleOf(description);
  const request = {
    method,
    url: `${base}${fillPath(path, description.parameters)}`,
    headers: SAMPLE_AUTH_HEADERS,
    ...(body !== undefined && { body }),
  };
  return createRequestSamples(request).map(({ title, language, text }) => ({
    lang: language === 'sh' ? 'Shell' : title,
    label: title,
    source: text,
  }));
}
