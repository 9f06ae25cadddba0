import { expect, it } from 'vitest';
import { createUnknownAddressProblem } from '../../src/http/problem-response.ts';
import { rejectUnknownQuery } from '../../src/http/query.ts';
import { problemOf } from '../operations/setup/refusal.ts';
import { sites } from '../operations/setup/fixture.ts';

it.each(sites)('a URL below a document of $name is answered with the document', ({ site }) => {
  const messageFor = (path: string) =>
    createUnknownAddressProblem({ method: 'GET', path }, site).message;
  expect(messageFor('/api/v1/capabilities/hvac.help')).toContain(
    'The nearest URL is /api/v1/capabilities.',
  );
  expect(messageFor('/api/nothing')).not.toContain('nearest');
});

it('a search parameter in a URL that accepts none is rejected with where to search instead', async () => {
  const messageFor = async (query: string, knownNames: string[] = []) => {
    const refuse = () => rejectUnknownQuery(new URLSearchParams(query), knownNames);
    return (await problemOf(refuse)).errors?.[0]?.message;
  };
  for (const known of [[], ['include']])
    expect(await messageFor('q=x', known)).toMatch(
      /ask_knowledge at \/api\/v1\/mcp;.*\/api\/find\?q=/,
    );
  expect(await messageFor('v=1')).not.toContain('ask_knowledge');
  expect(await messageFor('query=x', ['q'])).not.toContain('ask_knowledge');
});
