import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import { type Running, serveBuild } from '../server/serve-build.ts';

/** Most calls and bytes of answers, headers left out, until a request is submitted and followed. */
const MAX_CALLS = 5;
const MAX_BYTES = 12 * 1024;

/** About four characters are a token. */
const MAX_TOKENS = 1500;

interface Schema {
  const?: unknown;
  type?: string;
  enum?: unknown[];
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
}

/** What an agent knows of the person it works for, as far as a schema asks for it. */
const person: Record<string, unknown> = { contact: { email: 'dana@example.com' } };

/**
 * A value for a schema: what it fixes, else what the agent knows, else what it gives as an example.
 */
function valueFor(schema: Schema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (name in person) return person[name];
  if (schema.type !== 'object') return schema.examples?.[0] ?? schema.enum?.[0];
  return Object.fromEntries(
    (schema.required ?? []).map((member) => [
      member,
      valueFor(schema.properties![member]!, member),
    ]),
  );
}

describe('an agent that knows only the address', () => {
  let running: Running;
  let calls: number;
  let bytes: number;
  beforeAll(async () => {
    running = await serveBuild(inject('mainBuild'));
  });
  afterAll(() => running.stop());

  /** One call to an absolute address, as a client without any library sends it. */
  async function call(address: string, init: RequestInit = {}) {
    const { pathname, search } = new URL(address);
    const response = await fetch(`http://127.0.0.1:${running.port}${pathname}${search}`, init);
    const text = await response.text();
    calls++;
    bytes += Buffer.byteLength(text);
    return { response, text };
  }

  it.each([
    ['my AC is broken', 'hvac'],
    ['I need a trailer for Saturday', 'trailer'],
    ["sell my grandmother's furniture", 'estate'],
    ['start my own business', 'sales'],
    ['empty my garage', 'cleanouts'],
  ])('finds, submits and waits in few calls and little text: %s', async (need, subsite) => {
    [calls, bytes] = [0, 0];
    const { base } = running.context.site;

    const front = await call(`${base}/`, { headers: { accept: 'text/markdown' } });
    expect(front.text.length / 4).toBeLessThanOrEqual(MAX_TOKENS);
    const [finding] = /\S+\/api\/find\?q=/.exec(front.text)!;
    const found = await call(`${finding.replace(/^.*(?=https?:)/, '')}${encodeURIComponent(need)}`);
    const { services, submit } = JSON.parse(found.text);
    expect(services[0].name).toBe(subsite);

    const sent = await call(submit.url, {
      method: submit.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(valueFor(services[0].actions[0].body)),
    });
    expect(sent.response.status, sent.text).toBe(200);
    const receipt = JSON.parse(sent.text);
    expect(receipt.subsite).toBe(subsite);

    const waiting = call(`${receipt.statusUrl}?wait=60`, {
      headers: { 'if-none-match': receipt.statusEtag },
    });
    await changeLead(
      { lead: receipt.receiptToken, to: 'acknowledged', actor: 'provider' },
      running.context,
    );
    const answer = await waiting;
    expect(answer.response.status).toBe(200);
    expect(JSON.parse(answer.text).status).toBe('acknowledged');
    expect(calls).toBeLessThanOrEqual(MAX_CALLS);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('learns that nobody does it, and whom to ask', async () => {
    const { text } = await call('http://localhost/api/find?q=cat+sitting');
    expect(JSON.parse(text)).toMatchObject({
      notOffered: 'We found nobody here who does that.',
      ask: { phone: running.context.site.registry.network.organization.phone },
    });
    const other = await call('http://localhost/api/find?q=plumber');
    expect(JSON.parse(other.text).notOffered).toMatch(/^We don’t do /);
  });

  it('is answered with what a query must be where it has none', async () => {
    const { response, text } = await call('http://localhost/api/find');
    expect(response.status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ code: 'invalid_input' });
  });
});
