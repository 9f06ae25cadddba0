import * as v from 'valibot';
import { expect, it } from 'vitest';
import { parseMessageContent } from '../../src/a2a/message-content.ts';
import { contentKindOf } from '../../src/fields/content.ts';
import { findService } from '../../src/leads/find-service.ts';
import { callbackUrlSchema } from '../../src/leads/submit/callback.ts';
import { MAX_SHARE_PATH_LENGTH, resolveSharePath } from '../../src/links/share-path.ts';
import { querySchema } from '../../src/mcp/info-tools.ts';
import { MAX_CHARACTERS } from '../../src/search/question.ts';

const EMOJI = '😀';

/** Whether text is accepted, given the published maximum number of code points. */
const createAcceptanceCheck = (parse: (text: string) => unknown) => (text: string) => {
  try {
    return parse(text) !== undefined;
  } catch {
    return false;
  }
};
const offerings = { kind: 'offerings', max: 1 } as const;
const acceptsOffering = (more: object) =>
  contentKindOf(offerings).fault(
    offerings,
    JSON.stringify([{ name: 'Mowing', priceCents: 1, kind: 'one_time', ...more }]),
    [],
  ) === undefined || undefined;

it.each<[name: string, max: number, parse: (text: string) => unknown, prefix?: string]>([
  ['the name of an offering', 80, (name) => acceptsOffering({ name })],
  ['the description of an offering', 500, (desc) => acceptsOffering({ desc })],
  ['a need', MAX_CHARACTERS, (q) => findService.parse({ q }, {} as never)],
  ['the words of a search', 500, (text) => v.parse(querySchema, text)],
  ['a callback URL', 2000, (url) => v.parse(callbackUrlSchema, url), 'https://example.com/'],
  [
    'the path of a share link',
    MAX_SHARE_PATH_LENGTH,
    (path) => resolveSharePath(path, '/a', 'https://example.com'),
    '/a/',
  ],
  [
    'a question to the agent',
    MAX_CHARACTERS,
    (value) =>
      parseMessageContent({
        messageId: 'm1',
        contextId: '',
        taskId: '',
        parts: [{ content: { $case: 'text', value } }],
      } as never),
  ],
])('the length of %s counts code points, as its JSON Schema does', (_, max, parse, prefix = '') => {
  const fits = createAcceptanceCheck(parse);
  expect(fits(prefix + EMOJI.repeat(max - prefix.length))).toBe(true);
  expect(fits(prefix + EMOJI.repeat(max - prefix.length + 1))).toBe(false);
});
