import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '../../src/operation/problem.ts';
import { createMcpEndpoint } from '../../src/mcp/endpoint.ts';
import { fixtureFactory } from './setup/fixture-server.ts';
import { listen } from './setup/listen.ts';
import { type Check, runConformance } from './setup/programs.ts';
import { paths, serveNetwork } from './setup/serve-network.ts';

/** Scenarios that test a server without special test tools. */
const scenarios = {
  '2026-07-28': [
    'server-stateless',
    'http-header-validation',
    'caching',
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-session-lifecycle',
  ],
} as const;

/** Scenarios that a stateless server cannot support: requests to the client during a response. */
const STATEFUL_SCENARIOS = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
];

const readRequirements = (revision: string) =>
  (
    parse(
      readFileSync(
        new URL(
          `../../node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`,
          import.meta.url,
        ),
        'utf8',
      ),
    ) as { server: string[] }
  ).server;

const listFailures = (checks: readonly Check[] = []) =>
  checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`);

describe('the conformance suite', () => {
  let served: Awaited<ReturnType<typeof serveNetwork>>;
  let fixture: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    served = await serveNetwork('mainBuild');
    const problemOf = (thrown: unknown) =>
      thrown instanceof Problem ? thrown : new Problem('internal', 'A fixture failed.');
    const endpoint = createMcpEndpoint({
      base: 'http://127.0.0.1',
      factory: fixtureFactory,
      toProblem: problemOf,
      onerror: () => undefined,
    });
    fixture = await listen((request) =>
      endpoint(request, { address: '127.0.0.1', checkRateLimit: async () => ({ headers: {} }) }),
    );
  });
  afterAll(async () => {
    await fixture.stop();
    await served.stop();
  });

  describe.each(paths)('at %s', (path) => {
    it.each(Object.keys(scenarios) as (keyof typeof scenarios)[])(
      'passes every %s scenario that needs no fixture',
      async (revision) => {
        const { result, checks } = await runConformance(`${served.origin}${path}`, revision);
        for (const name of scenarios[revision]) {
          expect(checks[name]?.length, `${name}: ${result.stderr}`).toBeGreaterThan(0);
          // Some checks call diagnostic tools, which only the fixture server below has.
          expect(
            listFailures(checks[name]).filter((failure) => !failure.includes('Not testable')),
            name,
          ).toEqual([]);
        }
      },
    );
  });

  it('passes every 2026-07-28 requirement with fixture tools in the same wrapper', async () => {
    const names = readRequirements('2026-07-28');
    const { result, checks } = await runConformance(fixture.origin, '2026-07-28', {
      required: true,
    });
    expect([names.length, result.code]).toEqual([37, 0]);
    for (const name of names)
      expect([name, checks[name]!.length > 0, listFailures(checks[name])]).toEqual([
        name,
        true,
        [],
      ]);
  });

  it('passes every 2025-11-25 requirement except calls from server to client', async () => {
    const names = readRequirements('2025-11-25').filter(
      (name) => !STATEFUL_SCENARIOS.includes(name),
    );
    const { checks } = await runConformance(fixture.origin, '2025-11-25', { required: true });
    expect([names.length, readRequirements('2025-11-25').length]).toEqual([26, 30]);
    for (const name of names)
      expect([name, checks[name]!.length > 0, listFailures(checks[name])]).toEqual([
        name,
        true,
        [],
      ]);
  });
});
