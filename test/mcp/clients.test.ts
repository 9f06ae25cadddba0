import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Ajv2020 from 'ajv/dist/2020.js';
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import { type AnyClient, clients } from './setup/clients.ts';
import { callsOf, promptsOf, resourcesOf, listSubmissions, templatesOf } from './setup/examples.ts';
import { readStructuredAnswer } from './setup/tool-result.ts';
import { networks, paths, serveNetwork } from './setup/serve-network.ts';

const ajv = new Ajv2020({ strict: false });

describe.each(networks)('the MCP endpoints of %s', (network) => {
  let served: Awaited<ReturnType<typeof serveNetwork>>;
  beforeAll(async () => void (served = await serveNetwork(network)));
  afterAll(() => served.stop());

  describe.each(Object.keys(clients) as (keyof typeof clients)[])('with %s', (kind) => {
    describe.each(paths)('at %s', (path) => {
      // The clients differ only in overloads of the methods used here.
      let client: ModernClient;
      beforeAll(
        async () =>
          void (client = (await clients[kind](
            new URL(`${served.origin}${path}`),
          )) as AnyClient as ModernClient),
      );
      afterAll(() => client.close());

      it('list exactly the tools tested below, each of which returns a result that matches its output schema, and the same result as text', async () => {
        const { tools } = await client.listTools();
        const calls = callsOf(served.site, path);
        expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort());
        for (const { name, outputSchema } of tools) {
          const result = await client.callTool({ name, arguments: calls[name]! });
          expect([name, result.isError]).toEqual([name, undefined]);
          expect(
            ajv.validate(outputSchema!, result.structuredContent),
            `${name}: ${ajv.errorsText()}`,
          ).toBe(true);
          expect(JSON.parse((result.content as { text: string }[])[0]!.text), name).toEqual(
            result.structuredContent,
          );
          expect(Buffer.byteLength(JSON.stringify(result)), name).toBeLessThan(10_240);
        }
      });

      it('list exactly the resources and templates read below, and complete their names', async () => {
        const { resources } = await client.listResources();
        expect(resources.map(({ uri }) => uri)).toEqual(resourcesOf(path));
        for (const { uri, mimeType } of resources) {
          const { contents } = await client.readResource({ uri });
          expect([contents[0]!.uri, contents[0]!.mimeType]).toEqual([uri, mimeType]);
          expect(Buffer.byteLength((contents[0] as { text: string }).text), uri).toBeLessThan(
            10_240,
          );
        }
        const { resourceTemplates } = await client.listResourceTemplates();
        const templates = templatesOf(served.site, path);
        expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
          Object.keys(templates),
        );
        for (const [uriTemplate, { uri, variable, value }] of Object.entries(templates)) {
          const { contents } = await client.readResource({ uri });
          expect(JSON.parse((contents[0] as { text: string }).text), uri).toMatchObject({
            [variable]: value,
          });
          const { completion } = await client.complete({
            ref: { type: 'ref/resource', uri: uriTemplate },
            argument: { name: variable, value: value.slice(0, 2) },
          });
          expect(completion.values, uriTemplate).toContain(value);
        }
        await expect(
          client.readResource({
            uri: `${Object.keys(templates)[0]!.replace(/\{.*/, '')}nothing-there`,
          }),
        ).rejects.toThrow();
      });

      it('list exactly the prompts rendered below, with every argument described', async () => {
        const { prompts } = await client.listPrompts();
        const examples = promptsOf(served.site, path);
        expect(prompts.map(({ name }) => name)).toEqual(Object.keys(examples));
        for (const { name, title, description, arguments: args = [] } of prompts) {
          expect([
            name,
            Boolean(title),
            Boolean(description),
            args.every((argument) => argument.description),
          ]).toEqual([name, true, true, true]);
          const { messages } = await client.getPrompt({ name, arguments: examples[name]! });
          for (const value of Object.values(examples[name]!))
            expect((messages[0]!.content as { text: string }).text).toContain(value);
          for (const { name: argument } of args.filter(({ required }) => required))
            await expect(
              client.getPrompt({ name, arguments: { ...examples[name], [argument]: '' } }),
            ).rejects.toThrow(argument);
        }
      });
    });

    it('submit every action in the sandbox with submit_action, and report missing fields', async () => {
      const client = (await clients[kind](
        new URL(`${served.origin}/api/mcp`),
      )) as AnyClient as ModernClient;
      for (const { subsite, action, arguments: args } of listSubmissions(served.site)) {
        const { isError, structuredContent } = await client.callTool({
          name: 'submit_action',
          arguments: { ...args, sandbox: true },
        });
        expect([action.verb, isError, (structuredContent as { subsite: string }).subsite]).toEqual([
          action.verb,
          undefined,
          subsite.name,
        ]);
        const requiredFields = Object.keys(action.fields).filter(
          (name) => action.fields[name]!.required,
        );
        if (!requiredFields.length) continue;
        const refused = await client.callTool({
          name: 'submit_action',
          arguments: { ...args, fields: {}, idempotencyKey: 'not a valid key' },
        });
        const { code, errors } = readStructuredAnswer(refused) as {
          code: string;
          errors: { pointer: string }[];
        };
        expect([action.verb, refused.isError, code]).toEqual([action.verb, true, 'invalid_input']);
        expect(errors.map(({ pointer }) => pointer).sort()).toEqual(
          ['/idempotencyKey', ...requiredFields.map((name) => `/fields/${name}`)].sort(),
        );
      }
      await client.close();
    });
  });
});
