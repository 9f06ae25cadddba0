import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKey } from '../../src/keys/keys.ts';
import { submissions } from '../mcp/setup/examples.ts';
import { serveNetwork } from '../mcp/setup/served.ts';

interface Given {
  baseUrl: string;
  key: string;
  body: unknown;
  capability: string;
}

/**
 * What the developer of an agent writes: the address, the key and the calls; everything else is
 * generated.
 */
const PROGRAM = `
import { client } from './client/client.gen';
import { readLeadStatus, runCapability, submitAction } from './client/sdk.gen';
import type { SubmitActionData } from './client/types.gen';

type Lead = SubmitActionData['body'];

export async function program(given: { baseUrl: string; key: string; body: Lead; capability: string }) {
  client.setConfig({ baseUrl: given.baseUrl });
  const lead = await submitAction({ body: given.body, throwOnError: true });
  const receipt = lead.data.receiptToken;
  const status = await readLeadStatus({ path: { receipt }, throwOnError: true });
  const refused = await submitAction({ body: {} as Lead });
  const body = { capability: given.capability, input: {} };
  const unauthorized = await runCapability({ body });
  const headers = { Authorization: \`Bearer \${given.key}\` };
  const task = await runCapability({ body, headers, throwOnError: true });
  return {
    status: status.data.status,
    fault: refused.error?.errors?.[0]?.pointer,
    unauthorized: unauthorized.error?.code,
    task: task.data.status,
  };
}
`;

let served: Awaited<ReturnType<typeof serveNetwork>>;
const folder = mkdtempSync('.build/generated-client-');

beforeAll(async () => void (served = await serveNetwork('mainBuild')));
afterAll(async () => {
  await served.stop();
  rmSync(folder, { recursive: true });
});

/**
 * Runs a program of the development dependencies in the folder; its output is in the error where it
 * fails.
 */
const run = (program: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(process.cwd(), 'node_modules', program), ...args], {
    cwd: folder,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${program} failed:\n${error.stdout}\n${error.stderr}`);
  });

it('files a lead, reads its status and runs a task with a client that @hey-api/openapi-ts generates', async () => {
  const document = await (await fetch(`${served.origin}/api/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
  await run(
    '@hey-api/openapi-ts/bin/run.js',
    ...['--input', 'openapi.json', '--output', 'client', '--no-log-file'],
  );
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  // The types that the document gives are those that the program relies on.
  await run(
    'typescript/bin/tsc',
    ...['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--target', 'es2024'],
    ...['--module', 'esnext', '--moduleResolution', 'bundler', 'program.ts'],
  );
  const { program } = (await import(join(process.cwd(), folder, 'program.ts'))) as {
    program(given: Given): Promise<object>;
  };
  const { key } = await createKey(
    { name: 'Agent', scopes: ['*'], expiresAt: null },
    served.context,
  );
  const { name } = served.site.registry.subsites.find(({ capabilities }) => capabilities)!;
  expect(
    await program({
      baseUrl: served.origin,
      key,
      body: submissions(served.site)[0]!.arguments,
      capability: `${name}.help`,
    }),
  ).toEqual({
    status: 'new',
    fault: '/subsite',
    unauthorized: 'unauthorized',
    task: 'completed',
  });
});
