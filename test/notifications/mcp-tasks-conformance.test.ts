import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../../src/mcp/endpoint.ts';
import { toProblem } from '../../src/http/faults.ts';
import { makeFixture, site, type Fixture } from '../capabilities/fixture.ts';
import { listen } from '../mcp/setup/listen.ts';
import { runConformance } from '../mcp/setup/programs.ts';
import { createTaskFixtures } from './setup/task-fixtures.ts';

/** Scenarios for the extension. The notifications scenario does not check anything yet. */
const scenarios = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

describe('the tasks extension conformance suite', () => {
  let fixture: Fixture;
  let tools: ReturnType<typeof createTaskFixtures>;
  let server: Awaited<ReturnType<typeof listen>>;

  beforeAll(async () => {
    fixture = await makeFixture();
    tools = createTaskFixtures(fixture.context, site.registry.subsites[0]!.leadSource);
    const endpoint = createMcpEndpoint({
      base: site.base,
      factory: tools.factory,
      toProblem: (thrown) => toProblem(thrown, fixture.context),
      onerror: () => undefined,
    });
    server = await listen((request) =>
      endpoint(request, { address: '192.0.2.7', checkRateLimit: async () => ({ headers: {} }) }),
    );
  });
  afterAll(async () => {
    await server.stop();
    await tools.stop();
    await fixture.close();
  });

  it.each(scenarios)('passes %s', async (scenario) => {
    const { result, checks } = await runConformance(server.origin, '2026-07-28', { scenario });
    expect(checks[scenario]?.length, result.stdout + result.stderr).toBeGreaterThan(0);
    for (const { id, status, errorMessage } of checks[scenario]!)
      expect({ id, status, errorMessage }).toMatchObject({ status: 'SUCCESS' });
  });
});
