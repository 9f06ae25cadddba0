import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { readBuiltSite } from '../../../src/server/built-site.ts';
import { createNetworkServer } from '../../../src/mcp/network-server.ts';
import type { Context } from '../../../src/operation/context.ts';

// A plain server that uses the official SDK on node:http. It has the same tools, schemas and
// results as this project, and registers the tools for each request. Arguments: build folder, port.

const [outDir, port] = process.argv.slice(2);
const context = { site: readBuiltSite(outDir!) } as Context;
const tools = createNetworkServer(context).tools.map((tool) => ({
  ...tool,
  input: z.fromJSONSchema(tool.inputSchema as never),
  output: z.fromJSONSchema(tool.outputSchema as never),
}));

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'plain', version: '1.0.0' });
  for (const { name, title, description, annotations, input, output, call } of tools)
    server.registerTool(
      name,
      {
        title,
        description,
        annotations,
        inputSchema: input as z.ZodObject,
        outputSchema: output as z.ZodObject,
      },
      async (args) => {
        const { structured } = await call(args, {});
        return {
          content: [{ type: 'text', text: JSON.stringify(structured) }],
          structuredContent: structured,
        };
      },
    );
  return server;
});

createServer(toNodeHandler(handler)).listen(Number(port), '127.0.0.1');
