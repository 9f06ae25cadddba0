import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { leads } from '../../db/schema.ts';
import { sendAsProvider } from '../../src/leads/conversation/provider-message.ts';
import { callsOf, promptsOf, resourcesOf } from './setup/examples.ts';
import { runInspector, runInspectorProcess } from './setup/programs.ts';
import { paths, serveNetwork } from './setup/serve-network.ts';

const eras = { 'the older version': [], '2026-07-28': ['--protocol-era', 'modern'] } as const;

/**
 * Makes clients in this process poll tasks without a pause. A lead’s task asks clients to pause for
 * a minute.
 */
function shortenPollingPauses(): void {
  const { fetch } = globalThis;
  const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    const response = await fetch(...args);
    const shortenedBody = response.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeThrough(
        new TransformStream<string, string>({
          transform: (text, controller) =>
            controller.enqueue(text.replace(/"pollIntervalMs":\d+/g, '"pollIntervalMs":20')),
        }),
      )
      .pipeThrough(new TextEncoderStream());
    return new Response(shortenedBody, response);
  });
  onTestFinished(() => fetchSpy.mockRestore());
}

describe('the MCP Inspector', () => {
  let served: Awaited<ReturnType<typeof serveNetwork>>;
  const folder = mkdtempSync(join(tmpdir(), 'inspector-'));
  beforeAll(async () => {
    process.env['MCP_CATALOG_PATH'] = join(folder, 'mcp.json');
    served = await serveNetwork('mainBuild');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await served.stop();
  });

  const inspect = async (path: string, era: keyof typeof eras, ...args: string[]) => {
    // One command per endpoint and version runs in a separate process.
    const run = args.includes('tools/list') ? runInspectorProcess : runInspector;
    const { code, stdout, stderr } = await run([
      `${served.origin}${path}`,
      '--transport',
      'http',
      '--format',
      'json',
      ...eras[era],
      ...args,
    ]);
    expect([args.join(' '), code, stderr]).toEqual([
      args.join(' '),
      0,
      expect.not.stringMatching(/error/i),
    ]);
    return (JSON.parse(stdout) as { result: Record<string, unknown> }).result;
  };

  const call = (path: string, era: keyof typeof eras, tool: string, args: object) => {
    const values = Object.entries(args).map(
      ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    const toolArgs = values.length ? ['--tool-arg', ...values] : [];
    return inspect(path, era, '--method', 'tools/call', '--tool-name', tool, ...toolArgs);
  };

  it('follows a request as a task until it is confirmed', async () => {
    shortenPollingPauses();
    const { context } = served;
    const args = callsOf(served.site, '/api/mcp')['submit_action']!;
    const idempotencyKey = 'followed-by-the-inspector';
    const result = call('/api/mcp', '2026-07-28', 'submit_action', { ...args, idempotencyKey });
    const findLead = async () => {
      const [lead] = await context.database.writer
        .select()
        .from(leads)
        .where(eq(leads.channel, 'mcp'));
      return lead;
    };
    await expect.poll(findLead).toBeTruthy();
    const { token: lead } = (await findLead())!;
    await sendAsProvider({ receiptToken: lead, action: 'confirm', actor: 'provider' }, {}, context);
    expect((await result)['structuredContent']).toMatchObject({
      receiptToken: lead,
      status: 'confirmed',
    });
  });

  describe.each(Object.keys(eras) as (keyof typeof eras)[])('in %s', (era) => {
    it.each(paths)('reports no error for the tools of %s, and calls each', async (path) => {
      const { tools } = (await inspect(path, era, '--method', 'tools/list', '--strict')) as {
        tools: { name: string }[];
      };
      const calls = callsOf(served.site, path);
      expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort());
      for (const { name } of tools) {
        // In the newer version, a real request becomes a task, and the Inspector waits for it to
        // end.
        const usesSandbox =
          era === '2026-07-28' && ['submit_action', 'capture_lead'].includes(name);
        const result = await call(path, era, name, {
          ...calls[name]!,
          // A sandbox request with the key of a real request would be a mismatch.
          ...(usesSandbox && { sandbox: true, idempotencyKey: 'a-trial-of-this-tool' }),
        });
        expect([name, result['isError']]).toEqual([name, undefined]);
      }
    });

    it.each(paths)('reads the resources and prompts of %s', async (path) => {
      for (const uri of resourcesOf(path))
        expect(
          (await inspect(path, era, '--method', 'resources/read', '--uri', uri))['contents'],
        ).toHaveLength(1);
      for (const [name, args] of Object.entries(promptsOf(served.site, path)))
        expect(
          (
            await inspect(
              path,
              era,
              '--method',
              'prompts/get',
              '--prompt-name',
              name,
              '--prompt-args',
              ...Object.entries(args).map(([key, value]) => `${key}=${value}`),
            )
          )['messages'],
          name,
        ).toHaveLength(1);
    });
  });
});
