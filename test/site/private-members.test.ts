import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { listServedFiles } from '../../src/build/served-files.ts';
import { expandAlternatives } from '../../src/site/words/expand-alternatives.ts';
import { readBuiltSite } from '../browser/template-pages.ts';

describe('the served files', () => {
  const outDir = inject('mainBuild');
  const { registry } = readBuiltSite(outDir);
  // The operator may also publish an address in its own text.
  const words = JSON.stringify({
    ...registry,
    subsites: registry.subsites.map(({ notify: _, ...rest }) => rest),
  });
  const receivers = registry.subsites
    .flatMap(({ notify }) => notify ?? [])
    .filter((address) => !words.includes(address));

  it('contain no address that receives leads', () => {
    expect(receivers.length).toBeGreaterThan(0);
    const receiverPattern = new RegExp(
      receivers.map((address) => address.replaceAll('.', '\\.')).join('|'),
      'i',
    );
    for (const file of listServedFiles(join(outDir, 'client')))
      expect([
        file,
        receiverPattern.exec(readFileSync(join(outDir, 'client', file), 'utf8'))?.[0],
      ]).toEqual([file, undefined]);
  });

  it('contain no search phrase from a record', () => {
    const { asked: _, ...published } = registry;
    const publishedText = [
      JSON.stringify(published),
      ...registry.network.search.notOffered.flatMap(({ words }) =>
        words.flatMap(expandAlternatives),
      ),
    ]
      .join('\n')
      .toLowerCase();
    const samplePhrases = Object.values(registry.asked).flatMap((places) =>
      Object.values(places)
        .flat()
        .map((phrasing) => phrasing.toLowerCase())
        // The search index contains words of phrases, but no complete phrase.
        .filter((phrasing) => phrasing.includes(' ') && !publishedText.includes(phrasing))
        .slice(0, 1),
    );
    expect(samplePhrases.length).toBeGreaterThan(0);
    for (const file of listServedFiles(join(outDir, 'client'))) {
      const text = readFileSync(join(outDir, 'client', file), 'utf8').toLowerCase();
      expect([file, samplePhrases.filter((phrasing) => text.includes(phrasing))]).toEqual([
        file,
        [],
      ]);
    }
  });
});
