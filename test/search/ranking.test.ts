import { describe, expect, it } from 'vitest';
import {
  MAX_CHARACTERS,
  MAX_SYNONYM_GROUPS,
  MAX_TERMS,
  MAX_WORDS,
  phrasesOf,
  parseQuestion,
} from '../../src/search/question.ts';
import { createWordCompleter, createSpellingCorrector } from '../../src/search/index/spelling.ts';
import { createSynonymFinder } from '../../src/search/index/synonyms.ts';
import { termsOf, wordsOf } from '../../src/search/index/terms.ts';
import { createTextIndex } from '../../src/search/index/text-index.ts';

const search = {
  places: ['Port', 'Port Royal', 'St. Clair'],
  synonyms: [
    ['skillet', 'frying pan'],
    ['crockery', 'dishes', 'platos'],
  ],
  notOffered: [],
};
const titles = ['Cast-iron skillet', 'Coffee grinder', 'Ladder, 6 feet', 'Boxes of dishes'];
const index = createTextIndex({ search }, titles, (title) => ({ title, text: title, words: '' }));
const findFirst = (question: string) => index.search(question)[0]?.entry;

describe('a search index', () => {
  it.each([
    ['coffee grinder', 'Coffee grinder'],
    ['cofee grindr', 'Coffee grinder'],
    ['coffe gridner', 'Coffee grinder'],
    ['castiron', 'Cast-iron skillet'],
    ['crokcery', 'Boxes of dishes'],
    ['grinding coffee', 'Coffee grinder'],
    ['box', 'Boxes of dishes'],
    ['LADDERS', 'Ladder, 6 feet'],
    ['có́ffee', 'Coffee grinder'],
    ['a frying pan', 'Cast-iron skillet'],
    ['platos', 'Boxes of dishes'],
  ])('finds the entry for “%s”', (question, title) => expect(findFirst(question)).toBe(title));

  it.each(['piano', 'the of a', '', '7', 'fox'])('finds nothing for “%s”', (question) =>
    expect(index.search(question)).toEqual([]),
  );

  it('finds entries for a question with names that JavaScript objects inherit', () =>
    expect(index.search('constructor hasOwnProperty ladder')[0]).toMatchObject({
      entry: 'Ladder, 6 feet',
      match: { coverage: expect.closeTo(0.21) },
    }));

  it('returns only the entries that pass the filter', () =>
    expect(
      index.search('coffee ladder', (title) => title.startsWith('L')).map(({ entry }) => entry),
    ).toEqual(['Ladder, 6 feet']));

  it('gives a higher score for more matching words', () => {
    const confidenceOf = (question: string) => index.search(question)[0]?.match.confidence ?? 0;
    expect(confidenceOf('coffee grinder')).toBeGreaterThan(confidenceOf('coffee piano'));
    expect(confidenceOf('coffee piano')).toBeGreaterThan(confidenceOf('coffee piano violin'));
    expect(confidenceOf('coffee grinder')).toBeGreaterThan(confidenceOf('coffee'));
  });

  it('prefers entries at a place in the question, but does not require it', () => {
    const houses = [
      { title: 'House of a painter', place: 'Port Royal, 12345' },
      { title: 'House of a sailor', place: 'St. Clair, 54321' },
    ];
    const houseIndex = createTextIndex({ search }, houses, ({ title, place }) => ({
      title,
      text: title,
      words: '',
      place,
    }));
    const findTitles = (question: string) =>
      houseIndex.search(question).map(({ entry }) => entry.title);
    expect(findTitles('a house in St. Clair')[0]).toBe('House of a sailor');
    expect(findTitles('a house in 12345')[0]).toBe('House of a painter');
    expect(findTitles('a house in Port')).toHaveLength(2);
  });

  it('counts a place in every field of an entry if it is the whole question', () => {
    const shops = [
      { title: 'Shop in St. Clair', place: 'St. Clair' },
      { title: 'Shop of St. Clair', place: undefined },
    ];
    const shopIndex = createTextIndex({ search }, shops, ({ title, place }) => ({
      title,
      text: title,
      words: '',
      ...(place !== undefined && { place }),
    }));
    const found = shopIndex.search('St. Clair?');
    expect(found.map(({ entry, match }) => [entry.title, match.coverage])).toEqual([
      ['Shop in St. Clair', 1],
      ['Shop of St. Clair', 1],
    ]);
    expect(found[0]!.match.confidence).toBeGreaterThan(found[1]!.match.confidence);
  });

  it('uses search phrases, but ranks an entry’s own text higher', () => {
    const indexWithPhrases = createTextIndex({ search }, titles, (title) => ({
      title,
      text: title,
      words: '',
      ...(title === 'Ladder, 6 feet' && { asked: ['I need to reach the gutter', 'coffee'] }),
    }));
    const findEntries = (question: string) =>
      indexWithPhrases.search(question).map(({ entry }) => entry);
    expect(findEntries('clean the gutters')).toEqual(['Ladder, 6 feet']);
    expect(findEntries('coffee')).toEqual(['Coffee grinder', 'Ladder, 6 feet']);
  });

  it('handles entries whose text matches a JavaScript property name', () => {
    const indexWithIdFields = createTextIndex({ search }, [{ id: 'x', weight: 2 }], ({ id }) => ({
      title: id,
      text: 'odd',
      words: 'id weight',
    }));
    expect(indexWithIdFields.search('odd').map(({ entry }) => entry)).toEqual([
      { id: 'x', weight: 2 },
    ]);
  });
});

it('reads characters that stand for many letters at about the same cost as ordinary text', () => {
  const countCharacters = (text: string) => wordsOf(text).join('').length;
  const ordinaryCount = countCharacters('Où est le café? '.repeat(MAX_CHARACTERS / 16));
  expect(countCharacters('ﷺ'.repeat(MAX_CHARACTERS))).toBeLessThan(4 * ordinaryCount);
  expect(wordsOf('ﷺ')).toHaveLength(4);
});

it.each([
  ['A/C', ['ac']],
  ['my a.c. is out', ['my', 'ac', 'is', 'out']],
  ['W/D hookup', ['wd', 'hookup']],
  ['H.V.A.C.', ['hvac']],
  ['pickup/delivery, 24/7. I am', ['pickup', 'delivery', '24', '7', 'i', 'am']],
])('reads an abbreviation as one word: %j', (text, words) => expect(wordsOf(text)).toEqual(words));

describe('a search question', () => {
  const read = (question: string) =>
    parseQuestion(question, {
      places: phrasesOf(search.places),
      findSynonyms: createSynonymFinder(search.synonyms),
      correctSpelling: createSpellingCorrector(['ladder', 'frying', 'pan', 'port']),
      completePrefix: createWordCompleter(['ladder']),
    });

  it('is split into words, places and ZIP codes', () => {
    const { terms, places } = read('Ladders in Port Royal, St. Clair 12345-6789?');
    expect(terms).toEqual(['ladder']);
    expect(places).toEqual(['port', 'royal', 'st', 'clair', '12345']);
  });

  it('is about places if it contains nothing else', () =>
    expect(read('Port Royal').terms).toEqual(['port', 'royal']));

  it('keeps numbers that are not ZIP codes', () =>
    expect(read('10,000 gallons and 6 feet').terms).toEqual(['10000', 'gallon', '6', 'feet']));

  it('has misspelled words corrected', () => {
    const { terms, correctedTerms, synonymGroups } = read('fyring pan, lader');
    expect(terms).toEqual(['fri', 'pan', 'ladder']);
    expect([...correctedTerms]).toEqual(['fri', 'ladder']);
    expect(synonymGroups.map(({ terms: groupTerms }) => groupTerms)).toEqual([['fri', 'pan']]);
  });

  it.each([
    ['known words', (index: number) => (index % 2 ? 'ladder' : 'frying')],
    [
      'unknown words',
      (index: number) => `quux${String.fromCharCode(97 + (index % 26), 97 + (index >> 5))}`,
    ],
    ['one unknown word', () => 'quuxes'],
  ])('is processed quickly, however long it is: %s', (_, wordAt) => {
    const callCounts = { correctSpelling: 0, findSynonyms: 0 };
    const correctSpelling = createSpellingCorrector(['ladder', 'frying', 'pan', 'port']);
    const findSynonyms = createSynonymFinder(search.synonyms);
    const { terms, places } = parseQuestion(
      Array.from({ length: 1000 }, (__, index) => wordAt(index)).join(' '),
      {
        places: phrasesOf(search.places),
        findSynonyms: (terms) => ((callCounts.findSynonyms += terms.length), findSynonyms(terms)),
        correctSpelling: (word) => (callCounts.correctSpelling++, correctSpelling(word)),
        completePrefix: () => undefined,
      },
    );
    expect(callCounts.correctSpelling).toBeLessThanOrEqual(MAX_TERMS);
    expect(callCounts.findSynonyms).toBeLessThanOrEqual(MAX_WORDS);
    expect(terms.length + places.length).toBeLessThanOrEqual(2 * MAX_TERMS);
  });

  it('contains no overlong words', () =>
    expect(read(`${'a'.repeat(3000)} ladder`).terms).toEqual(['ladder']));

  it('is bounded, however long it is', () => {
    const longQuestion = Array.from({ length: 5000 }, (_, number) => `word${number}`).join(' ');
    expect(read(longQuestion).terms).toHaveLength(MAX_TERMS);
    expect(read(`${' '.repeat(MAX_CHARACTERS)}ladder`).terms).toEqual([]);
    expect(read('frying pan '.repeat(300)).synonymGroups).toHaveLength(MAX_SYNONYM_GROUPS);
  });
});

describe('spelling correction', () => {
  const correctSpelling = createSpellingCorrector([
    'trailer',
    'trial',
    'card',
    'commission',
    'care',
    'rental',
    'lumber',
    'plumber',
  ]);

  it.each([
    ['trialer', 'trailer'],
    ['crad', 'card'],
    ['comision', 'commission'],
    ['renal', 'rental'],
    ['rtial', 'trial'],
    ['lpumber', 'plumber'],
    ['trial', 'trial'],
    ['cart', 'cart'],
    ['4x8', '4x8'],
    ['piano', 'piano'],
  ])('turns “%s” into %s', (word, expected) => expect(correctSpelling(word)).toBe(expected));
});

describe('search terms', () => {
  it('are the same for all forms of a word', () =>
    expect(termsOf('rent rents renting rented')).toEqual(['rent', 'rent', 'rent', 'rent']));

  it('for “how much” are the term for a price', () =>
    expect(termsOf('How much is a trailer?')).toEqual(termsOf('price of a trailer')));

  it('for a hyphenated word are its parts and the unhyphenated word', () =>
    expect(termsOf('set-up')).toEqual(['set', 'setup']));
});
