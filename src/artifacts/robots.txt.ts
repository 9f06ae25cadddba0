import { defineDocument } from './artifact.ts';

const toYesOrNo = (allowed: boolean) => (allowed ? 'yes' : 'no');

/**
 * `/robots.txt`, RFC 9309, with Content-Signal (contentsignals.org) inside the groups. A named
 * group replaces the rules of `*` for its crawlers, so it repeats every rule. Each path is listed
 * twice, with a final `$` and as a folder, because `Disallow: /s` would also match /shop. If the
 * root is disallowed, there is no `Allow: /`, which would take precedence.
 */
export const robots = defineDocument({
  name: 'robots',
  description: 'Rules and content usage preferences for crawlers, and the sitemap URL.',
  mediaType: 'text/plain; charset=utf-8',
  paths: ['/robots.txt'],
  operation: { id: 'readRobots', tag: 'Crawling', summary: 'Rules for crawlers' },
  render({ registry: { network }, base }) {
    const { search, aiInput, aiTrain, agents, disallow } = network.crawl;
    const rules = [
      `Content-Signal: search=${toYesOrNo(search)}, ai-input=${toYesOrNo(aiInput)}, ai-train=${toYesOrNo(aiTrain)}`,
      ...(disallow.includes('/')
        ? ['Disallow: /']
        : [
            'Allow: /',
            ...disallow.flatMap((path) => [`Disallow: ${path}$`, `Disallow: ${path}/`]),
          ]),
    ];
    const groups = [['*'], agents]
      .filter((names) => names.length)
      .map((names) => [...names.map((name) => `User-agent: ${name}`), ...rules].join('\n'));
    return `${groups.join('\n\n')}\n\nSitemap: ${base}/sitemap.xml\n`;
  },
});
