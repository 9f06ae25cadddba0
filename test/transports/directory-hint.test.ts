import { describe, expect, it } from 'vitest';
import { createEndpoint } from '../a2a/setup/endpoint.ts';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { NOTHING_PUBLISHED_TEXT, UNCERTAIN_ANSWER_TEXT } from '../../src/search/knowledge.ts';
import { capabilitiesOf } from '../../src/site/capability-record.ts';
import { openMcpEndpoints } from './setup/mcp.ts';

const UNANSWERABLE_QUESTIONS = ['Hello', 'What can you do?', 'zzyzx quuxification'];

describe.each(sites)('a question without an answer in $name', async ({ site }) => {
  const { context } = await openFixture(site);
  const { call } = await openMcpEndpoints(context);
  const askByTool = async (question: string) =>
    (await call('/api/v1/mcp', 'ask_knowledge', { question })).value;
  const askByA2a = async (text: string) => {
    const params = {
      message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
    };
    const response = await createEndpoint(context)(`${site.base}/a2a/v1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params }),
    });
    const [words, { data }] = ((await response.json()) as any).result.message.parts;
    return { ...data, words: words.text as string };
  };

  it.each(UNANSWERABLE_QUESTIONS)(
    '"%s" gets suggestions about where to look, over A2A and MCP',
    async (question) => {
      const { words, ...answer } = await askByA2a(question);
      for (const { published, ask, next = [], directory } of [answer, await askByTool(question)])
        expect([published, Boolean(directory)]).toEqual([false, ask.length + next.length === 0]);
      const places = answer.directory
        ? [answer.directory.index, answer.directory.services, ...answer.directory.samples]
        : answer.ask.map(({ url }: { url: string }) => url);
      expect(places.length).toBeGreaterThan(0);
      for (const place of places) expect(words).toContain(place);
    },
  );

  it('gets suggestions that have answers, and addresses within the network', async () => {
    const { directory } = await askByTool(UNANSWERABLE_QUESTIONS.at(-1)!);
    expect(directory.about).toBe(site.registry.network.description);
    expect([directory.index, directory.services]).toEqual([
      `${site.base}/api/agent-index`,
      `${site.base}${site.registry.network.agentArea}`,
    ]);
    const questions = site.registry.subsites.flatMap(({ questions: asked = [] }) => asked);
    const answered = await Promise.all(
      questions.map(async (question) => (await askByTool(question))['published'] === true),
    );
    expect(directory.samples.length > 0).toBe(answered.includes(true));
    for (const sample of directory.samples)
      expect([
        sample,
        (await askByTool(sample))['published'],
        (await askByTool(sample))['directory'],
      ]).toEqual([sample, true, undefined]);
  });
});

describe.each(sites)('an uncertain answer in $name', async ({ site }) => {
  const { context } = await openFixture(site);
  const { call } = await openMcpEndpoints(context);
  const ids = capabilitiesOf(site.registry, site.base)
    .filter(({ adapter }) => adapter === 'assist' || adapter === 'facts')
    .map(({ id }) => id);

  it.each(['do you come on Sundays?', 'how much for a 16 ft one for the weekend?'])(
    '"%s" gets passages with a note that they are uncertain',
    async (question) => {
      const { value } = await call('/api/v1/mcp', 'ask_knowledge', { question });
      const others = await Promise.all(
        ids.map(async (capability) => {
          const run = { capability, input: { question } };
          return (await call('/api/v1/agent-mcp', 'run_capability', run)).value['result'];
        }),
      );
      for (const { published, answered = published, answer, passages, notOffered } of [
        value,
        ...others,
      ])
        expect([question, answered, answer]).toEqual([
          question,
          answered,
          answered
            ? expect.not.stringContaining(UNCERTAIN_ANSWER_TEXT)
            : expect.stringContaining(
                notOffered ?? (passages.length ? UNCERTAIN_ANSWER_TEXT : NOTHING_PUBLISHED_TEXT),
              ),
        ]);
    },
  );
});
