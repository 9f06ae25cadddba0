import { describe, expect, it } from 'vitest';
import { listDocuments } from '../../src/artifacts/index.ts';
import type { HoldEffect } from '../../src/registry/schemas/action.ts';
import { formatHourCount } from '../../src/site/words/words.ts';
import { sites } from '../operations/setup/fixture.ts';

describe.each(sites)('the duration of a hold in $name', ({ site }) => {
  const effects = site.registry.subsites
    .flatMap(({ actions }) => actions.flatMap(({ effect }) => effect ?? []))
    .filter((effect): effect is HoldEffect => effect.kind === 'hold');
  const holdSentences = listDocuments(site).flatMap(({ path, body }) =>
    body
      .replaceAll(/(?:\\n|\s)+/g, ' ')
      .split(/"|(?<=[.;]) /)
      .filter((sentence) =>
        /\b(?:hold lasts|holds? (?:an?|one|the)|held for)\b.*\b\d+ (?:hours|days|minutes)\b/i.test(
          sentence,
        ),
      )
      .map((sentence) => ({ path, sentence })),
  );

  it('matches the record wherever it appears, with and without a contact', () => {
    expect(holdSentences.length).toBeGreaterThan(effects.length);
    for (const { path, sentence } of holdSentences) {
      const sentenceMatchesRecord = effects.some(
        ({ hours, minutesWithoutContact }) =>
          ([`${hours} hours`, formatHourCount(hours)].some((words) => sentence.includes(words)) &&
            sentence.includes('until the last day ends if that is sooner')) ||
          (sentence.includes(`${minutesWithoutContact} minutes`) &&
            /\bwithout\b.*\b(?:phone number|contact)\b/i.test(sentence)),
      );
      expect([path, sentence, sentenceMatchesRecord]).toEqual([path, sentence, true]);
    }
  });
});
