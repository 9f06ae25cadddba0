import { z } from 'zod';
import { capabilities } from './capability.ts';
import { catalog } from './catalog.ts';
import { links, network, page, routes } from './network.ts';
import { responsiveness } from './responsiveness.ts';
import { subsite } from './subsite.ts';

/**
 * The kinds of file in a registry folder. `one` files stand alone under their name; `many` files
 * are records of a folder and named by their key.
 */
export const kinds = {
  network: { schema: network, one: true, required: true, extensions: ['yaml', 'json'] },
  routes: { schema: routes, one: true, required: true, extensions: ['yaml', 'json'] },
  links: { schema: links, one: true, required: false, extensions: ['yaml', 'json'] },
  capabilities: { schema: capabilities, one: true, required: false, extensions: ['yaml', 'json'] },
  responsiveness: { schema: responsiveness, one: true, required: false, extensions: ['json'] },
  subsites: { schema: subsite, one: false, required: true, extensions: ['yaml', 'json'] },
  catalog: { schema: catalog, one: false, required: false, extensions: ['yaml', 'json'] },
  pages: { schema: page, one: false, required: false, extensions: ['md'] },
} as const satisfies Record<
  string,
  { schema: z.ZodType; one: boolean; required: boolean; extensions: readonly string[] }
>;

export type Kind = keyof typeof kinds;

/** Names of the JSON Schema files that editors complete with, and the schema behind each. */
export const editorSchemas: Record<string, z.ZodType> = {
  network,
  routes,
  links,
  capabilities,
  subsite,
  catalog,
};

/** JSON Schema (2020-12) text of a registry file for an editor. */
export function editorSchema(name: string): string {
  const schema = z.toJSONSchema(editorSchemas[name]!, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ title: `registry ${name}`, ...schema }, null, 2)}\n`;
}
