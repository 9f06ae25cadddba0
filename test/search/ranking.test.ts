import { describe, expect, it } from 'vitest';
import { searchable } from '../../src/search/searchable.ts';
import { synonymsOf } from '../../src/search/synonyms.ts';
import {
  MOST_CHARACTERS,
  MOST_TERMS,
  ignoredNames,
  questionTerms,
  termsOf,
} from '../../src/search/terms.ts';
import { textIndex } from '../../src/search/text-index.ts';

const synonyms = synonymsOf([
  ['skillet', 'frying pan'],
  ['crockery', 'dishes', 'platos'],
]);
const titles = ['Cast-iron skillet', 'Coffee grinder', 'Ladder, 6 feet', 'Boxes of dishes'];
const index = textIndex(titles, (title) => searchable({ title, text: title, words: '' }, synonyms));
const first = (question: string) => index.search(question)[0]?.entry;

describe('an index', () => {
  it.each([
    ['coffee grinder', 'Coffee grinder'],
    ['cofee grindr', 'Coffee grinder'],
    ['grinding coffee', 'Coffee grinder'],
    ['box', 'Boxes of dishes'],
    ['LADDERS', 'Ladder, 6 feet'],
    ['có́ffee', 'Coffee grinder'],
    ['a pan for frying', 'Cast-iron skillet'],
    ['platos', 'Boxes of dishes'],
  ])('finds by “%s”', (question, title) => expect(first(question)).toBe(title));

  it.each(['piano', 'the of a', '', '7', 'fox'])('finds nothing by “%s”', (question) =>
    expect(index.search(question)).toEqual([]),
  );

  it('finds only what is to be kept', () =>
    expect(
      index
        .search('coffee ladder', { keep: (title) => title.startsWith('L') })
        .map(({ entry }) => entry),
    ).toEqual(['Ladder, 6 feet']));

  it('scores what has more of a question higher', () => {
    const score = (question: string) => index.search(question)[0]?.score ?? 0;
    expect(score('coffee grinder')).toBeGreaterThan(score('coffee piano'));
    expect(score('coffee piano')).toBeGreaterThan(score('coffee piano violin'));
  });

  it('keeps entries whose text has the names of its own members', () => {
    const odd = textIndex([{ id: 'x', weight: 2 }], ({ id }) =>
      searchable({ title: id, text: 'odd', words: 'id weight' }, synonyms),
    );
    expect(odd.search('odd').map(({ entry }) => entry)).toEqual([{ id: 'x', weight: 2 }]);
  });
});

describe('the terms of a question', () => {
  const ignored = ignoredNames({
    search: { places: ['Port', 'Port Royal', 'St. Clair'], synonyms: [] },
  });

  it('leave places and ZIP codes out', () =>
    expect(questionTerms('Ladders in Port Royal, St. Clair 12345?', ignored)).toEqual(['ladder']));

  it('are the places where there is nothing else', () =>
    expect(questionTerms('Port Royal', ignored)).toEqual(['port', 'royal']));

  it('keep numbers that are no ZIP code', () =>
    expect(questionTerms('10,000 gallons and 6 feet', [])).toEqual([
      '10000',
      'gallon',
      '6',
      'feet',
    ]));

  it('are bounded, however long the question is', () => {
    const long = Array.from({ length: 5000 }, (_, number) => `word${number}`).join(' ');
    expect(questionTerms(long, ignored)).toHaveLength(MOST_TERMS);
    expect(questionTerms(`${' '.repeat(MOST_CHARACTERS)}ladder`, ignored)).toEqual([]);
  });

  it('are the same for all forms of a word', () =>
    expect(termsOf('rent rents renting rented')).toEqual(['rent', 'rent', 'rent', 'rent']));
});
