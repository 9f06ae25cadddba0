import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { changeLead } from '../../src/leads/change-lead.ts';
import { type RunningService, serveBuild } from '../server/serve-build.ts';

/** Maximum number of calls, and of bytes in response bodies, until a request is submitted. */
const MAX_CALLS = 5;
const MAX_BYTES = 12_288;

/** A token is about four characters. */
const MAX_TOKENS = 1500;

interface Schema {
  const?: unknown;
  type?: string;
  enum?: unknown[];
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
}

/** What the agent knows about its user, keyed by schema property. */
const knownValues: Record<string, unknown> = { contact: { email: 'dana@example.com' } };

/** A value for a schema: its constant, a known fact about the user, or the first example. */
function createValue(schema: Schema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (name in knownValues) return knownValues[name];
  if (schema.type !== 'object') return schema.examples?.[0] ?? schema.enum?.[0];
  return Object.fromEntries(
    (schema.required ?? []).map((member) => [
      member,
      createValue(schema.properties![member]!, member),
    ]),
  );
}

describe('an agent that knows only the URL of the network', () => {
  let running: RunningService;
  let calls: number;
  let bytes: number;
  beforeAll(async () => {
    running = await serveBuild(inject('mainBuild'));
  });
  afterAll(() => running.stop());

  /** Calls an absolute URL with plain fetch and counts the call and its bytes. */
  async function fetchAndCount(address: string, init: RequestInit = {}) {
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
  ])('submits within the limits on calls and text, and waits: %s', async (need, subsite) => {
    [calls, bytes] = [0, 0];
    const { base } = running.context.site;

    const frontPage = await fetchAndCount(`${base}/`, { headers: { accept: 'text/markdown' } });
    expect(frontPage.text.length / 4).toBeLessThanOrEqual(MAX_TOKENS);
    const [searchUrl] = /\S+\/api\/find\?q=/.exec(frontPage.text)!;
    const searchResult = await fetchAndCount(
      `${searchUrl.replace(/^.*(?=https?:)/, '')}${encodeURIComponent(need)}`,
    );
    const { services, submit } = JSON.parse(searchResult.text);
    expect(services[0].name).toBe(subsite);

    const submission = await fetchAndCount(submit.url, {
      method: submit.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(createValue(services[0].actions[0].body)),
    });
    expect(submission.response.status, submission.text).toBe(200);
    const receipt = JSON.parse(submission.text);
    expect(receipt.subsite).toBe(subsite);
    expect(calls).toBeLessThanOrEqual(MAX_CALLS);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);

    const pendingPoll = fetchAndCount(`${receipt.statusUrl}?wait=60`, {
      headers: { 'if-none-match': receipt.statusEtag },
    });
    await changeLead(
      { receiptToken: receipt.receiptToken, to: 'acknowledged', actor: 'provider' },
      running.context,
    );
    const update = await pendingPoll;
    expect(update.response.status).toBe(200);
    expect(JSON.parse(update.text).status).toBe('acknowledged');
  });

  it('learns that a service is not offered, and whom to ask', async () => {
    const { text } = await fetchAndCount('http://localhost/api/find?q=cat+sitting');
    expect(JSON.parse(text)).toMatchObject({
      notOffered: 'We found nobody here who does that.',
      ask: { phone: running.context.site.registry.network.organization.phone },
    });
    const notOffered = await fetchAndCount('http://localhost/api/find?q=plumber');
    expect(JSON.parse(notOffered.text).notOffered).toMatch(/^We don’t do /);
  });

  it('gets an error that explains the missing query parameter', async () => {
    const { response, text } = await fetchAndCount('http://localhost/api/find');
    expect(response.status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ code: 'invalid_input' });
  });
});
