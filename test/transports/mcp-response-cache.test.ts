import { describe, expect, it } from 'vitest';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { openMcpEndpoints } from './setup/mcp.ts';

const LIST_REQUEST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/**
 * Invalid requests that differ from the request above only in parts that do not affect the
 * response.
 */
const malformedRequests: Record<string, string> = {
  'an id that is a fraction': LIST_REQUEST.replace('"id":1', '"id":1.5'),
  'an id larger than any number': LIST_REQUEST.replace('"id":1', '"id":1e400'),
  'an id too large to represent exactly': LIST_REQUEST.replace('"id":1', '"id":9007199254740993'),
  'an id that is null': LIST_REQUEST.replace('"id":1', '"id":null'),
  'an id that is a list': LIST_REQUEST.replace('"id":1', '"id":[1]'),
  'an extra member': LIST_REQUEST.replace('}', ',"more":1}'),
  'a member named __proto__': LIST_REQUEST.replace('}', ',"__proto__":{}}'),
  'params that are null': LIST_REQUEST.replace('}', ',"params":null}'),
  'params that are a list': LIST_REQUEST.replace('}', ',"params":[]}'),
  'params that are a string': LIST_REQUEST.replace('}', ',"params":"x"}'),
  'another version of JSON-RPC': LIST_REQUEST.replace('2.0', '1.0'),
};

describe.each(['/api/mcp', '/api/v1/mcp'])('an invalid request to %s', async (path) => {
  const [{ site }] = sites as unknown as [(typeof sites)[number]];
  const openEndpoint = async () => {
    const { send } = await openMcpEndpoints((await openFixture(site)).context);
    return async (body: string) => {
      const response = await send(path, body);
      return [response.status, await response.text()] as const;
    };
  };

  it.each(Object.entries(malformedRequests))(
    'for %s is rejected the same way before and after a response was cached',
    async (_, body) => {
      const ask = await openEndpoint();
      const uncachedResponse = await ask(body);
      expect(uncachedResponse[0]).toBe(400);
      for (let times = 0; times < 3; times++) expect((await ask(LIST_REQUEST))[0]).toBe(200);
      expect(await ask(body)).toEqual(uncachedResponse);
    },
  );
});
