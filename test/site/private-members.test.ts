import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { servedFiles } from '../../src/build/served-files.ts';
import { readBuiltSite } from '../browser/template-pages.ts';

describe('private registry data', () => {
  const outDir = inject('mainBuild');
  const { registry } = readBuiltSite(outDir);
  // Texts of the operator publish what they mention.
  const words = JSON.stringify({
    ...registry,
    subsites: registry.subsites.map(({ notify: _, ...rest }) => rest),
  });
  const receivers = registry.subsites
    .flatMap(({ notify }) => notify ?? [])
    .filter((address) => !words.includes(address));

  it('is in no served file: no address that receives leads', () => {
    expect(receivers.length).toBeGreaterThan(0);
    const anyOf = new RegExp(
      receivers.map((address) => address.replaceAll('.', '\\.')).join('|'),
      'i',
    );
    for (const file of servedFiles(join(outDir, 'client')))
      expect([file, anyOf.exec(readFileSync(join(outDir, 'client', file), 'utf8'))?.[0]]).toEqual([
        file,
        undefined,
      ]);
  });

  it('is in no served file: no search phrase from a record', () => {
    const { asked: _, ...published } = registry;
    const elsewhere = JSON.stringify(published).toLowerCase();
    const ofEach = Object.values(registry.asked).flatMap((places) =>
      Object.values(places)
        .flat()
        .map((phrasing) => phrasing.toLowerCase())
        // The search index contains words of phrases, but no complete phrase.
        .filter((phrasing) => phrasing.includes(' ') && !elsewhere.includes(phrasing))
        .slice(0, 1),
    );
    for (const file of servedFiles(join(outDir, 'client'))) {
      const text = readFileSync(join(outDir, 'client', file), 'utf8').toLowerCase();
      expect([file, ofEach.filter((phrasing) => text.includes(phrasing))]).toEqual([file, []]);
    }
  });
});
