import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An HTML file in a build. */
export interface HtmlPage {
  /** URL path of the page. */
  path: string;
  html: string;
}

/** All HTML pages in a build, by path. */
export function readBuiltHtml(outDir: string): HtmlPage[] {
  const client = join(outDir, 'client');
  return globSync('**/*.html', { cwd: client })
    .sort()
    .map((file) => ({
      path: `/${file.replace(/(?:^index)?\.html$/, '')}`,
      html: readFileSync(join(client, file), 'utf8'),
    }));
}

/** Values of an attribute in document order, with the entities that occur in URLs decoded. */
export const findAttributeValues = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    value!.replaceAll('&amp;', '&').replaceAll('&#38;', '&'),
  );
