import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import {
  type OpenApiDocument,
  groupOperationsByTag,
} from '../../src/components/agent-area/openapi-document.ts';
import { createCapabilitySamples } from '../../src/components/agent-area/samples.ts';
import { createSchemaRows } from '../../src/components/agent-area/schema-rows.ts';
import { states } from '../../src/text/index.ts';
import { themeIcons } from '../../src/components/storefront/themes.ts';
import { leadStatuses } from '../../src/leads/lead-states.ts';
import { problemAdvice } from '../../src/operation/problem-advice.ts';
import { problemCodes } from '../../src/site/problem-codes.ts';
import { capabilitiesOf, capabilityPath } from '../../src/site/capability-record.ts';
import { createDeveloperGuides } from '../../src/site/developer/developer-guides.ts';
import { createMcpClientSamples } from '../../src/site/developer/mcp-clients.ts';
import { MCP_ENDPOINTS } from '../../src/site/developer/mcp-endpoints.ts';
import { guidePath } from '../../src/site/pages-of-site.ts';
import { readBuiltSite } from '../browser/template-pages.ts';

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/&#3[49];|&quot;/g, (entity) => (entity === '&#39;' ? "'" : '"'))
    .replaceAll(/&#x(\w+);/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe.each(['mainBuild', 'fourBuild'] as const)('the agent services area of %s', (build) => {
  const outDir = inject(build);
  const site = readBuiltSite(outDir);
  const { registry, base } = site;
  const readPage = (path: string) => readFileSync(join(outDir, 'client', `${path}.html`), 'utf8');
  const capabilities = capabilitiesOf(registry, base);
  const areaPage = readPage(registry.network.agentArea);

  it('lists exactly the capabilities of the catalog, each with its page', () => {
    const [, catalog] = /<section class="capability-catalog"([\s\S]*?)<\/section>/.exec(areaPage)!;
    const linkedPaths = [...catalog!.matchAll(/<a href="([^"]+)"/g)]
      .map(([, href]) => href!)
      .filter((href) => href.startsWith(`${registry.network.agentArea}/`));
    expect(linkedPaths.sort()).toEqual(
      capabilities.map(({ id }) => capabilityPath(registry, id)).sort(),
    );
  });

  it.each(capabilities)(
    'shows the schema, price, limits, evidence, and a sample for $id',
    (capability) => {
      const html = readPage(capabilityPath(registry, capability.id));
      const text = textOf(html);
      for (const row of createSchemaRows(capability.inputSchema)) {
        expect(html).toContain(`<code>${row.path}</code>`);
        if (row.description) expect(text).toContain(row.description);
      }
      for (const words of [
        capability.description,
        capability.pricing.description,
        ...capability.limitations,
      ])
        expect(text).toContain(words);
      for (const url of capability.evidence)
        expect(html).toContain(
          `href="${url.startsWith(base) ? url.slice(base.length) || '/' : url}"`,
        );
      for (const sample of createCapabilitySamples(site, capability))
        expect(text).toContain(sample.text);
      expect(text.includes('"sandbox": true')).toBe(capability.action !== undefined);
    },
  );

  it('gives each client the URL of every MCP endpoint', () => {
    const usesKey = (title: string) => !/^(?:Claude|ChatGPT) · Settings/.test(title);
    for (const { title, text } of createMcpClientSamples(site))
      for (const { path, requiresKey: bearer } of MCP_ENDPOINTS)
        expect(text.includes(`${base}${path}`), `${title} ${path}`).toBe(!bearer || usesKey(title));
  });

  it('has a page for every guide with its samples, linked from the overview', () => {
    const guides = createDeveloperGuides(site);
    expect(guides.length).toBeGreaterThan(3);
    for (const guide of guides) {
      const path = guidePath(registry, guide);
      expect(areaPage).toContain(`href="${path}"`);
      for (const { text } of guide.samples) expect(textOf(readPage(path))).toContain(text);
    }
  });

  it('has an API reference with every operation and schema of the OpenAPI document', () => {
    const document = JSON.parse(
      readFileSync(join(outDir, 'client/api/openapi.json'), 'utf8'),
    ) as OpenApiDocument;
    const html = readPage(`${registry.network.agentArea}/api`);
    const operations = groupOperationsByTag(document).flatMap((group) => group.operations);
    expect(operations.length).toBe(
      Object.values(document.paths).flatMap((item) => Object.keys(item)).length,
    );
    for (const { operationId } of operations) {
      expect(html).toContain(`<details class="operation" id="${operationId}">`);
      expect(html).toContain(`<a href="#${operationId}"`);
    }
    for (const name of Object.keys(document.components!.schemas!))
      expect(html).toContain(`id="schema-${name}"`);
  });

  it('links each error code to a page that explains what to do', () => {
    expect(Object.keys(problemAdvice).sort()).toEqual(Object.keys(problemCodes).sort());
    for (const [code, { explanation: happened, steps }] of Object.entries(problemAdvice))
      for (const words of [happened, ...steps])
        expect(textOf(readPage(`/problems/${code}`))).toContain(words.replaceAll('`', ''));
  });

  it('describes every lead state and every recent event with its own text, and nothing else', () => {
    expect(Object.keys(states).sort()).toEqual(
      [
        ...leadStatuses,
        'new_emergency',
        'new_late',
        'new_too_late',
        'new_unreachable',
        'replied',
        'message',
        'withdrawn_confirmed',
        'subscribed',
        'unsubscribed',
        'confirmed_question',
        'declined_emergency',
        'declined_question',
        'canceled',
        'answered',
        'offer_declined',
        'offer_declined_wrote',
        'accepted_emergency',
        'offer_confirms',
        'offer_expired',
      ].sort(),
    );
  });

  it('has a style for every storefront theme', () => {
    const css = readFileSync('src/styles/storefront-themes.css', 'utf8');
    for (const { effect, fields } of registry.subsites.flatMap((subsite) => subsite.actions))
      if (effect?.kind === 'storefront')
        expect(fields[effect.themeField]!.enum!.toSorted()).toEqual(Object.keys(themeIcons).sort());
    for (const name of Object.keys(themeIcons).filter((theme) => theme !== 'generic'))
      expect(css).toContain(`[data-theme='${name}']`);
  });
});
