import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchChromium } from '../setup/chromium.ts';
import { findFreePort } from '../setup/free-port.ts';

const folder = mkdtempSync(join(tmpdir(), 'frontage-dev-'));
const SOURCES = [
  'src',
  'db',
  'public',
  'registry',
  'package.json',
  'astro.config.mjs',
  'tsconfig.json',
];
/** Vite notices an edit with a delay. */
const POLLING = { interval: 200 };

/** The environment without Vitest’s variables: Astro serves no pages if it finds VITEST. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST.*|NODE_ENV|TEST|MODE|DEV|PROD|SSR|BASE_URL)$/.test(name),
  ),
);

let server: ChildProcess;
let origin: string;
let output = '';

/** Replaces text in a file of the copied checkout. */
function editFile(file: string, from: string, to: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}.`);
  writeFileSync(path, text.replace(from, to));
}

const fetchPath = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${origin}${path}`, { redirect: 'manual', ...init });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  };
};

beforeAll(async () => {
  for (const name of SOURCES) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const port = await findFreePort();
  origin = `http://localhost:${port}`;
  server = spawn(process.execPath, ['node_modules/.bin/astro', 'dev'], {
    cwd: folder,
    env: {
      ...environment,
      PORT: String(port),
      HOST: 'localhost',
      SITE_URL: origin,
      DATABASE_URL: `file:${join(folder, 'dev.db')}`,
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await vi.waitFor(
    async () => {
      const response = await fetch(`${origin}/healthz`).catch(() => undefined);
      if (!response?.ok) throw new Error(`The development server is not responding:\n${output}`);
    },
    { timeout: 250_000, interval: 250 },
  );
});
afterAll(async () => {
  const exitEvent = once(server, 'exit');
  server.kill();
  await exitEvent;
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run dev', () => {
  it('serves pages, documents, endpoints and pages rendered on request, each with its own error response', async () => {
    const expected: [path: string, status: number, type: string | null][] = [
      ['/', 200, 'text/html'],
      ['/hvac', 200, 'text/html'],
      ['/api/agent-index', 200, 'application/json'],
      ['/.well-known/agent-card.json', 200, 'application/json'],
      ['/healthz', 200, 'application/json'],
      ['/receipt/sandbox', 200, 'text/html'],
      ['/receipt/unknown', 404, 'text/html'],
      ['/biz/sandbox', 200, 'text/html'],
      ['/answer/unknown', 404, 'text/html'],
      ['/inbox', 401, 'text/html'],
      ['/api/lead/unknown', 404, 'application/problem+json'],
      ['/api/nothing', 404, 'application/problem+json'],
      ['/view/receipt', 404, 'application/problem+json'],
      ['/nothing', 404, 'text/html'],
    ];
    for (const [path, status, type] of expected)
      expect([path, await fetchPath(path)]).toEqual([
        path,
        expect.objectContaining({ status, type }),
      ]);
    expect((await fetchPath('/hvac', { headers: { accept: 'text/markdown' } })).text).toMatch(
      /^---\n/,
    );
    expect(JSON.parse((await fetchPath('/api/agent/hvac?include=data')).text)).toHaveProperty(
      'data',
    );
  });

  it('accepts a lead from a form and shows its receipt', async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
      await page.goto(`${origin}/receipt/sandbox`);
      expect(await page.locator('h1').count()).toBe(1);
      const body = new URLSearchParams({
        subsite: 'hvac',
        action: 'request_hvac_service',
        'fields.issue': 'no_cool',
        'fields.zip': '33701',
        'contact.email': 'dana@example.com',
      });
      const form = { method: 'POST', body };
      const submitted = await fetch(`${origin}/api/lead/action`, { ...form, redirect: 'manual' });
      expect(submitted.status).toBe(303);
      await page.goto(`${origin}${submitted.headers.get('location')}`);
      expect(await page.locator('.receipt-state').innerText()).toMatch(/\w/);
      body.set('fields.zip', '1');
      expect(await fetchPath('/api/lead/action', form)).toMatchObject({
        status: 400,
        type: 'text/html',
      });
    } finally {
      await browser.close();
    }
  });

  it('answers the official MCP client and A2A requests', async () => {
    const client = new Client({ name: 'journey', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/api/mcp`)));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('submit_action');
    await client.close();
    const taskList = await fetchPath('/a2a/v1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} }),
    });
    expect(JSON.parse(taskList.text)).toMatchObject({ result: { tasks: [] } });
  });

  it('reflects edits of a record, an operation and a component without a restart', async () => {
    editFile(
      'registry/subsites/hvac.yaml',
      'title: Bayline Heating & Air',
      'title: Edited Heating & Air',
    );
    await expect
      .poll(async () => JSON.parse((await fetchPath('/api/agent/hvac')).text).title, POLLING)
      .toBe('Edited Heating & Air');
    await expect
      .poll(async () => (await fetchPath('/hvac')).text, POLLING)
      .toContain('Edited Heating');

    const operation = 'src/leads/lead-log.ts';
    editFile(
      operation,
      "'No request matches this receipt.",
      "'Edited. No request matches this receipt.",
    );
    await expect
      .poll(async () => JSON.parse((await fetchPath('/api/lead/unknown')).text).detail, POLLING)
      .toMatch(/^Edited\. /);

    editFile(
      'src/components/receipt/RejectionPage.astro',
      'class="frame prose-body"',
      'class="frame prose-body edited"',
    );
    await expect
      .poll(async () => (await fetchPath('/receipt/unknown')).text, POLLING)
      .toContain('frame prose-body edited');
    expect((await fetchPath('/healthz')).status).toBe(200);
  });

  it('shows what is wrong with a record until it is fixed', async () => {
    editFile('registry/subsites/hvac.yaml', 'schemaType: LocalBusiness', 'schemaType: Nonsense');
    await expect
      .poll(async () => (await fetchPath('/hvac')).text, POLLING)
      .toMatch(/^\S*hvac\.yaml:\d+:\d+ schemaType: [^\n]+$/);
    editFile('registry/subsites/hvac.yaml', 'schemaType: Nonsense', 'schemaType: LocalBusiness');
    await expect.poll(async () => (await fetchPath('/hvac')).status, POLLING).toBe(200);
  });
});
