import { beforeAll, describe, expect, it } from 'vitest';
import { openFixture, sites } from '../operations/setup/fixture.ts';
import { type ToolCallResult, endpoints, type ListedTool, openMcpEndpoints } from './setup/mcp.ts';

/** A value whose type differs from the property's. */
const createWrongTypeValue = ({ type }: { type?: string }) =>
  type === 'string' || type === undefined ? 7 : 'text';

describe.each(sites)('the arguments of the MCP tools of $name', ({ site }) => {
  describe.each(endpoints)('at %s', (path) => {
    let channels: Awaited<ReturnType<typeof openMcpEndpoints>>;
    let tools: ListedTool[];
    let examples: Record<string, Record<string, unknown>>;
    beforeAll(async () => {
      channels = await openMcpEndpoints((await openFixture(site)).context);
      tools = await channels.tools(path);
      examples = await channels.examplesOf(path);
    });

    const summarizeRefusal = ({ isError, value: { code, errors } }: ToolCallResult) => ({
      isError,
      code,
      pointers: (errors as { pointer: string }[] | undefined)?.map(({ pointer }) => pointer).sort(),
    });
    const createExpectedRefusal = (...pointers: string[]) => ({
      isError: true,
      code: 'invalid_input',
      pointers: pointers.sort(),
    });

    it('have a working example for each tool', async () => {
      expect(Object.keys(examples).sort()).toEqual(tools.map(({ name }) => name).sort());
      for (const { name } of tools)
        expect([name, (await channels.call(path, name, examples[name])).isError]).toEqual([
          name,
          undefined,
        ]);
    });

    it('are rejected with the name of a missing required argument', async () => {
      for (const { name, inputSchema } of tools)
        for (const required of inputSchema.required ?? []) {
          const { [required]: _, ...others } = examples[name]!;
          expect([name, summarizeRefusal(await channels.call(path, name, others))]).toEqual([
            name,
            createExpectedRefusal(`/${required}`),
          ]);
        }
    });

    it('are rejected if a required argument has an unlike name, with the known names', async () => {
      for (const { name, inputSchema } of tools)
        for (const required of inputSchema.required ?? []) {
          const { [required]: value, ...others } = examples[name]!;
          const answer = await channels.call(path, name, { ...others, zzzzzzzz: value });
          expect([name, summarizeRefusal(answer)]).toEqual([
            name,
            createExpectedRefusal(`/${required}`, '/zzzzzzzz'),
          ]);
          expect([name, answer.value['errors']]).toEqual([
            name,
            expect.arrayContaining([
              expect.objectContaining({
                pointer: '/zzzzzzzz',
                message: expect.stringMatching(
                  new RegExp(
                    `^This name is unknown\\. Use one of .*\\b${required}\\b.*, or remove it`,
                  ),
                ),
              }),
            ]),
          ]);
        }
    });

    it('are rejected if an argument is unknown, with the valid names', async () => {
      for (const { name, inputSchema } of tools) {
        const answer = await channels.call(path, name, { ...examples[name], foo: 1 });
        expect([name, summarizeRefusal(answer)]).toEqual([name, createExpectedRefusal('/foo')]);
        expect([name, answer.value['errors'][0].allowed.sort()]).toEqual([
          name,
          Object.keys(inputSchema.properties).sort(),
        ]);
      }
    });

    it('appear in lists whose entries have a type, and in objects with at least one member', () => {
      const hasNoType = (schema: unknown): boolean => {
        if (typeof schema !== 'object' || schema === null) return false;
        const { type, items } = schema as { type?: string; items?: Record<string, object> };
        const { type: entry, properties = {} } = items ?? {};
        return (
          (type === 'array' &&
            (entry === undefined ||
              (String(entry) === 'object' && !Object.keys(properties).length))) ||
          Object.values(schema).some(hasNoType)
        );
      };
      expect(
        tools.filter(({ outputSchema }) => hasNoType(outputSchema)).map(({ name }) => name),
      ).toEqual([]);
    });

    it('are each described', () => {
      expect(
        tools.flatMap(({ name, inputSchema }) =>
          Object.entries(inputSchema.properties).flatMap(([property, { description }]) =>
            description ? [] : [`${name}.${property}`],
          ),
        ),
      ).toEqual([]);
    });

    it('are rejected if an argument has the wrong type, and the error is reported together with a second error', async () => {
      for (const { name, inputSchema } of tools)
        for (const [property, schema] of Object.entries(inputSchema.properties))
          expect([
            name,
            summarizeRefusal(
              await channels.call(path, name, {
                ...examples[name],
                [property]: createWrongTypeValue(schema),
                foo: 1,
              }),
            ),
          ]).toEqual([name, createExpectedRefusal('/foo', `/${property}`)]);
    });

    it('are rejected if a cursor is invalid and the limit is out of range, and both errors are reported', async () => {
      for (const { name } of tools.filter(
        ({ inputSchema }) => inputSchema.properties['cursor'] && inputSchema.properties['limit'],
      ))
        expect([
          name,
          summarizeRefusal(
            await channels.call(path, name, { ...examples[name], limit: 0, cursor: 'x' }),
          ),
        ]).toEqual([name, createExpectedRefusal('/cursor', '/limit')]);
    });
  });
});
