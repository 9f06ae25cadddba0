import { z } from 'zod';
import { capabilities } from './capability.ts';
import { catalog } from './catalog.ts';
import { links, network, page, routes } from './network.ts';
import { responsiveness } from './responsiveness.ts';
import { subsite } from './subsite.ts';

/**
 * The kinds of files in a registry folder: a single file with a fixed name (`isSingle`), or a
 * folder of records, each in a file named after its key.
 */
export const kinds = {
  network: { schema: network, isSingle: true, required: true, extensions: ['yaml', 'json'] },
  routes: { schema: routes, isSingle: true, required: true, extensions: ['yaml', 'json'] },
  links: { schema: links, isSingle: true, required: false, extensions: ['yaml', 'json'] },
  capabilities: {
    schema: capabilities,
    isSingle: true,
    required: false,
    extensions: ['yaml', 'json'],
  },
  responsiveness: { schema: responsiveness, isSingle: true, required: false, extensions: ['json'] },
  subsites: { schema: subsite, isSingle: false, required: true, extensions: ['yaml', 'json'] },
  catalog: { schema: catalog, isSingle: false, required: false, extensions: ['yaml', 'json'] },
  pages: { schema: page, isSingle: false, required: false, extensions: ['md'] },
} as const satisfies Record<
  string,
  { schema: z.ZodType; isSingle: boolean; required: boolean; extensions: readonly string[] }
>;

export type Kind = keyof typeof kinds;

/** Converts a file's path in the folder `pages`, without the extension, to the path of the page. */
export const toPagePath = (key: string): string => (key === 'index' ? '/' : `/${key}`);

/** The schemas from which the JSON Schema files for editors are generated, by file name. */
export const editorSchemas: Record<string, z.ZodType> = {
  network,
  routes,
  links,
  capabilities,
  subsite,
  catalog,
};

/** Generates the JSON Schema (2020-12) that editors use for a registry file, as text. */
export function editorSchema(name: string): string {
  const schema = z.toJSONSchema(editorSchemas[name]!, { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ title: `registry ${name}`, ...schema }, null, 2)}\n`;
}
