import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/operation/problem.ts';
import { createUnknownAddressProblem } from '../../src/http/problem-response.ts';
import { createAskKnowledgeTool } from '../../src/mcp/ask-knowledge.ts';
import { createNetworkTools } from '../../src/mcp/network-tools.ts';
import { submitAction } from '../../src/leads/submit/submit-action.ts';
import { captureLead } from '../../src/leads/submit/capture-lead.ts';
import { createShareLink } from '../../src/links/create-share-link.ts';
import { client } from '../transports/setup/send.ts';
import { openFixture, sites } from './setup/fixture.ts';
import { problemOf } from './setup/refusal.ts';

describe.each(sites)('an unknown subsite address in $name', ({ site }) => {
  const { registry } = site;
  const createProblem = (name: string) =>
    createUnknownAddressProblem({ method: 'GET', path: `/api/agent/${name}` }, site);
  const names = registry.subsites.map(({ name }) => name);

  it('suggests the subsite whose page has that path', () => {
    for (const { name, url } of registry.subsites.filter(({ url }) => /^\/[^/]+$/.test(url)))
      if (!names.includes(url.slice(1)))
        expect(createProblem(url.slice(1))).toMatchObject({
          code: 'unknown_subsite',
          message: `There is no subsite with this name. Did you mean ${name}? /api/agent-index lists all subsites.`,
        });
  });

  it('suggests the subsite with a similar name, and nothing without a close match', () => {
    for (const name of names) expect(createProblem(`${name}s`).message).toContain(`Did you mean `);
    expect(createProblem('qqxxqqxxqqxx').message).toBe(
      'There is no subsite with this name. /api/agent-index lists all subsites.',
    );
  });

  it('lists the subsites that the operation accepts', async () => {
    const { context } = await openFixture(site);
    const subsitesWithActions = registry.subsites.filter(({ actions }) => actions.length);
    const sources = registry.subsites.map(({ leadSource }) => leadSource);
    const listAllowedValues = async (parse: () => unknown) =>
      (await problemOf(parse)).errors?.find(({ allowed }) => allowed)?.allowed;
    for (const subsite of [undefined, 'qqxxqqxx'])
      expect(
        await listAllowedValues(() =>
          submitAction.parse({ subsite, action: 'x', fields: {} }, context),
        ),
      ).toEqual(subsitesWithActions.map(({ name }) => name));
    expect(
      await listAllowedValues(() => createShareLink.parse({ subsite: 'qqxxqqxx' }, context)),
    ).toEqual(names);
    const email = 'dana@example.com';
    expect(
      await listAllowedValues(() => captureLead.parse({ email, source: 'qqxxqqxx' }, context)),
    ).toEqual(sources);
    for (const source of sources)
      expect(captureLead.parse({ email, source, sandbox: true }, context)).toMatchObject({
        source,
      });
  });

  it('does not hide the missing fields of the only action that a body can mean', async () => {
    const { context } = await openFixture(site);
    for (const subsite of registry.subsites.filter(({ actions }) => actions.length === 1)) {
      const requiredFields = Object.entries(subsite.actions[0]!.fields).flatMap(([name, field]) =>
        field.required ? [`/fields/${name}`] : [],
      );
      const { errors } = await problemOf(() =>
        submitAction.parse({ subsite: subsite.name }, context),
      );
      expect(errors?.map(({ pointer }) => pointer).sort(), subsite.name).toEqual(
        ['/action', ...requiredFields].sort(),
      );
    }
    const { errors } = await problemOf(() => submitAction.parse({}, context));
    expect(errors?.map(({ pointer }) => pointer)).toEqual(['/subsite', '/action']);
    expect(errors?.[1]?.message).toContain(
      '/api/agent/{name} or, over MCP, get_subsite_info lists its actions with their fields.',
    );
  });

  const catchSuggestion = async (call: () => unknown) =>
    Promise.resolve()
      .then(call)
      .then(String, (problem: Problem) => JSON.stringify(problem.errors));

  it('suggests the same subsite in every operation and tool that accepts a name', async () => {
    const { context } = await openFixture(site);
    const [info] = createNetworkTools(context);
    for (const { name, url, leadSource } of registry.subsites) {
      const sent = url.slice(1);
      if (names.includes(sent) || !/^[^/]+$/.test(sent)) continue;
      const calls: (() => unknown)[] = [
        () => info!.call({ name: sent }, {}),
        () => createAskKnowledgeTool(context).call({ question: 'What is it?', subsite: sent }, {}),
        () => submitAction.parse({ subsite: sent, action: 'x', fields: {} }, context),
        () => createShareLink.parse({ subsite: sent }, context),
      ];
      for (const call of calls)
        expect(await catchSuggestion(call)).toContain(`Did you mean ${name}?`);
      expect(
        await catchSuggestion(() =>
          captureLead.parse({ email: 'dana@example.com', source: sent }, context),
        ),
      ).toContain(`Did you mean ${leadSource}?`);
    }
  });
});

describe('a URL that other networks use', () => {
  it.each([
    ['/mcp', '/api/mcp'],
    ['/.well-known/mcp', '/api/mcp'],
    ['/sse', '/api/mcp'],
    ['/a2a', '/a2a/v1'],
    ['/.well-known/agent.json', '/.well-known/agent-card.json'],
    ['/AGENTS.md', '/llms.txt'],
    ['/docs', '/api/openapi.json'],
    ['/nothing', '/api/find?q='],
  ])('%s leads to %s', (path, expected) => {
    const { site } = sites[0]!;
    const { code, message } = createUnknownAddressProblem({ method: 'GET', path }, site);
    expect(code).toBe('not_found');
    expect(message).toContain(expected);
  });
});

describe('a misspelled endpoint', async () => {
  const { site } = sites[0]!;
  const { send } = client(await openFixture(site));
  it.each([
    ['POST', '/api/lead/acton', 404, 'Did you mean POST /api/lead/action?'],
    ['POST', '/api/leads/action', 404, 'Did you mean POST /api/lead/action?'],
    ['POST', '/api/lead/abc/mesages', 404, 'Did you mean POST /api/lead/{receipt}/messages?'],
    ['POST', '/api/lead/ACTION', 404, 'Did you mean POST /api/lead/action?'],
    ['PUT', '/api/lead/acton', 405, 'This URL accepts'],
    ['POST', '/api/lead/abc', 405, 'POST works at /api/lead/{receipt}/messages.'],
    ['GET', '/api/agents-index', 404, 'Did you mean GET /api/agent-index?'],
    ['GET', '/api/v1/capabilites', 404, 'Did you mean GET /api/v1/capabilities?'],
    ['POST', '/api/v2/mcp', 404, 'Did you mean POST /api/v1/mcp?'],
  ])('%s %s returns %i with the right address', async (method, path, status, expected) => {
    const response = await send(path, { method });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(expected);
  });

  it('gets no suggestion if nothing is similar', async () => {
    const response = await send('/api/quotations', { method: 'POST' });
    expect(await response.text()).not.toContain('Did you mean');
  });
});
