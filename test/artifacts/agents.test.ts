import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { networks } from './networks.ts';

const missing = (value: object, fields: readonly string[]) =>
  fields.filter((field) => !(field in value));
const unknown = (value: object, fields: readonly string[]) =>
  Object.keys(value).filter((field) => !fields.includes(field));

/** Required and optional fields of AgentCard and its nested messages, from a2a.proto. */
const CARD_FIELDS = {
  card: [
    [
      'name',
      'description',
      'supportedInterfaces',
      'version',
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
      'skills',
    ],
    [
      'provider',
      'documentationUrl',
      'securitySchemes',
      'securityRequirements',
      'signatures',
      'iconUrl',
    ],
  ],
  interface: [['url', 'protocolBinding', 'protocolVersion'], ['tenant']],
  skill: [
    ['id', 'name', 'description', 'tags'],
    ['examples', 'inputModes', 'outputModes', 'securityRequirements'],
  ],
  capabilities: [[], ['streaming', 'pushNotifications', 'extensions', 'extendedAgentCard']],
  extension: [[], ['uri', 'description', 'required', 'params']],
  provider: [['organization', 'url'], []],
} as const;

describe.each(networks)('the agent documents of $name', ({ site, documents, json, text }) => {
  const { registry, base } = site;

  describe('the agent card', () => {
    const card = json('/.well-known/agent-card.json');
    const expectFields = (
      value: object,
      [required, optional]: readonly [readonly string[], readonly string[]],
    ) =>
      expect([missing(value, required), unknown(value, [...required, ...optional])]).toEqual([
        [],
        [],
      ]);

    it('has exactly the fields of A2A 1.0', () => {
      expectFields(card, CARD_FIELDS.card);
      expectFields(card.capabilities, CARD_FIELDS.capabilities);
      expectFields(card.provider, CARD_FIELDS.provider);
      for (const each of card.supportedInterfaces) expectFields(each, CARD_FIELDS.interface);
      for (const each of card.skills) expectFields(each, CARD_FIELDS.skill);
      for (const each of card.capabilities.extensions) expectFields(each, CARD_FIELDS.extension);
    });

    it('offers A2A over JSON-RPC and HTTP+JSON, and points to MCP and OpenAPI', () => {
      expect(card.supportedInterfaces).toEqual(
        ['JSONRPC', 'HTTP+JSON'].map((protocolBinding) => ({
          url: `${base}/a2a/v1`,
          protocolBinding,
          protocolVersion: '1.0',
        })),
      );
      expect(JSON.stringify(card.capabilities.extensions)).toContain(`${base}/api/mcp`);
      expect(JSON.stringify(card.capabilities.extensions)).toContain(`${base}/api/openapi.json`);
    });

    it('explains that its skills are a selection, and where all subsites are listed', () => {
      const { description, params } = card.capabilities.extensions.find(
        ({ params: { index } }: any) => index,
      );
      expect(description).toContain('The skills on this card are a selection');
      expect(params.index).toBe(`${base}/api/agent-index`);
    });

    it('is under 10 KB with at most 20 skills, each a public subsite', () => {
      expect(Buffer.byteLength(text('/.well-known/agent-card.json'))).toBeLessThan(10_000);
      const publicNames = registry.subsites
        .filter((subsite) => subsite.status === 'public')
        .map((subsite) => subsite.name);
      expect(card.skills).toHaveLength(Math.min(20, publicNames.length));
      expect(
        card.skills.map((skill: any) => skill.id).filter((id: string) => !publicNames.includes(id)),
      ).toEqual([]);
      for (const { tags } of card.skills) expect(tags.length).toBeGreaterThan(0);
    });
  });

  describe('llms.txt', () => {
    const [head, ...rest] = text('/llms.txt').split(/\n(?=## )/);

    it('has a heading, a summary, and lists of links under level-2 headings', () => {
      expect(head).toMatch(/^# [^\n]+\n\n> [^\n]+\n\n/);
      for (const section of rest)
        expect(section.trim()).toMatch(
          /^## [^\n]+\n\n(?:- \[(?:[^\]\\]|\\.)+\]\(https:\/\/[^)\s]+\): [^\n]+\n?)+$/,
        );
      expect(text('/llms.txt')).toHaveLength(text('/llms.txt').trim().length + 1);
    });

    it('stays under 50,000 characters', () => {
      expect(text('/llms.txt').length).toBeLessThan(50_000);
    });

    it('links to the Markdown of every subsite and every Markdown page', () => {
      const links = new Set(
        [...text('/llms.txt').matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1]),
      );
      const expectedUrls = [
        ...registry.subsites.map((subsite) => subsite.url),
        ...registry.pages.filter((page) => page.path !== '/').map((page) => page.path),
      ].map((path) => `${base}${path}.md`);
      expect(expectedUrls.filter((url) => !links.has(url))).toEqual([]);
    });

    it('is included in full in llms-full.txt, with every fact and every guide', () => {
      const fullText = text('/llms-full.txt');
      for (const { facts = [], guide = [], name } of registry.subsites)
        for (const words of [...facts, ...guide.map((step) => step.text)])
          expect(fullText.includes(words), `${name}: ${words}`).toBe(true);
    });
  });

  describe('agent skills', () => {
    const index = json('/.well-known/agent-skills/index.json');

    it('have correct digests, and front matter that matches the index', () => {
      expect(index.$schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
      expect(index.skills.map((skill: any) => skill.name)).toEqual(
        [
          ...registry.network.skills,
          ...registry.subsites.filter(({ status, guide }) => status === 'public' && guide),
        ].map((skill) => skill.name),
      );
      for (const { name, type, description, url, digest } of index.skills) {
        const body = text(url);
        expect(type).toBe('skill-md');
        expect(digest).toBe(`sha256:${createHash('sha256').update(body).digest('hex')}`);
        expect(parse(body.split('---\n')[1]!)).toEqual({ name, description });
        expect(body).not.toContain('{base}');
      }
    });

    it('contain their subsite’s guide without copying its page', () => {
      for (const { name, url, guide = [] } of registry.subsites) {
        if (!index.skills.some((skill: any) => skill.name === name)) continue;
        const body = text(`/.well-known/agent-skills/${name}/SKILL.md`);
        for (const step of guide) expect(body, name).toContain(step.text);
        expect(body, name).toContain(`${base}${url}.md`);
        expect(body.length, name).toBeLessThan(text(`${url}.md`).length);
      }
    });
  });

  describe('the ARD catalog', () => {
    const { specVersion, entries } = json('/.well-known/ard.json');
    const fqdn = new URL(base).hostname;

    it('lists the agent card, the MCP cards, the skills and every public subsite, and nothing else', () => {
      const expected = [
        '/.well-known/agent-card.json',
        ...['/api/mcp', '/api/v1/mcp', '/api/v1/agent-mcp'].map((path) => `${path}/server-card`),
        ...registry.network.skills.map(
          (skill) => `/.well-known/agent-skills/${skill.name}/SKILL.md`,
        ),
        ...registry.subsites
          .filter((subsite) => subsite.status === 'public')
          .map((subsite) => `${subsite.url}.md`),
      ];
      expect(entries.map((entry: any) => entry.url)).toEqual(
        expected.map((path) => `${base}${path}`),
      );
      expect(specVersion).toBe('1.0');
    });

    it('identifies each entry by domain, exactly once, and lists sample queries for it', () => {
      const names = entries.map((entry: any) => entry.identifier);
      expect(new Set(names).size).toBe(names.length);
      for (const { identifier, displayName, type, representativeQueries } of entries) {
        expect(identifier).toMatch(
          new RegExp(`^urn:air:${fqdn.replaceAll('.', '\\.')}:[a-z]+:[A-Za-z0-9._-]+$`),
        );
        expect(displayName).toBeTruthy();
        expect(type).toMatch(/^[a-z]+\/[a-z0-9.+-]+(?:; profile="[^"]+")?$/);
        expect(representativeQueries.length).toBeGreaterThanOrEqual(2);
        expect(representativeQueries.length).toBeLessThanOrEqual(5);
      }
    });
  });

  describe('the API catalog', () => {
    it('describes each API that it lists (RFC 9727)', () => {
      const [catalog, ...contexts] = json('/.well-known/api-catalog').linkset;
      expect(catalog.anchor).toBe(`${base}/.well-known/api-catalog`);
      expect(contexts.map((context: any) => context.anchor)).toEqual(
        catalog.item.map((item: any) => item.href),
      );
      for (const context of contexts) {
        expect(context['service-desc']).toHaveLength(1);
        expect(context['service-doc'].length).toBeGreaterThan(0);
      }
    });
  });

  describe('the MCP server cards', () => {
    const fields = ['$schema', 'name', 'version', 'title', 'description', 'websiteUrl', 'remotes'];

    it.each(['/api/mcp', '/api/v1/mcp', '/api/v1/agent-mcp'])(
      'are complete for %s: they explain how to connect and list no tools',
      (path) => {
        const card = json(`${path}/server-card`);
        expect([
          missing(card, ['$schema', 'name', 'version', 'description']),
          unknown(card, fields),
        ]).toEqual([[], []]);
        expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
        expect(card.name.startsWith(`${registry.network.namespace}/`)).toBe(true);
        expect(card.title.length).toBeLessThanOrEqual(100);
        expect(card.description.length).toBeLessThanOrEqual(100);
        expect(card.remotes).toMatchObject([
          {
            type: 'streamable-http',
            url: `${base}${path}`,
            supportedProtocolVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']),
          },
        ]);
        expect(
          card.remotes[0].headers?.some(
            (header: any) => header.name === 'Authorization' && header.isSecret,
          ) ?? false,
        ).toBe(path.endsWith('agent-mcp'));
        expect(documents.get(`${path}/server-card`)!.mediaType).toBe(
          'application/mcp-server-card+json',
        );
      },
    );
  });
});
