import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Number of prerendered pages and documents in a bare project, and the mean size of their files in
 * bytes.
 */
export interface BareRoutes {
  pages: number;
  pageBytes: number;
  documents: number;
  documentBytes: number;
}

const config = `import { defineConfig } from 'astro/config';
export default defineConfig({ output: 'static', trailingSlash: 'never', build: { format: 'file' }, devToolbar: { enabled: false }, cacheDir: '.cache', experimental: { incrementalBuild: true } });
`;

const page = ({ pages, pageBytes }: BareRoutes) => `---
export const getStaticPaths = () => Array.from({ length: ${pages} }, (_, index) => ({ params: { page: \`page-\${index}\` }, props: { index }, cacheKey: index }));
const { index } = Astro.props;
const text = 'word '.repeat(${Math.max(0, Math.round((pageBytes - 60) / 5))});
---
<html><head><title>{index}</title></head><body>{text}</body></html>
`;

const document = ({ documents, documentBytes }: BareRoutes) => `
export const getStaticPaths = () => Array.from({ length: ${documents} }, (_, index) => ({ params: { document: \`documents/\${index}\` }, props: { index }, cacheKey: index }));
const text = 'word '.repeat(${Math.max(0, Math.round((documentBytes - 20) / 5))});
export const GET = ({ props }) => new Response(JSON.stringify({ index: props.index, text }));
`;

/**
 * Writes an Astro project with one page and one endpoint that generate the same number of files, of
 * the same sizes and with the same Astro options, as this project.
 */
export function writeBareProject(folder: string, routes: BareRoutes): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'src/pages'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  writeFileSync(join(folder, 'astro.config.mjs'), config);
  writeFileSync(join(folder, 'src/pages/[page].astro'), page(routes));
  writeFileSync(join(folder, 'src/pages/[...document].ts'), document(routes));
}
