import { describe, expect, it } from 'vitest';
import { passageKinds, searchKnowledge } from '../../src/adapters/knowledge-search.ts';
import { term, wordIndex } from '../../src/adapters/word-index.ts';
import { loadRegistry, type Subsite } from '../../src/registry/index.ts';
import { answerable, unanswerable } from './everyday-questions.ts';

const base = 'https://example.test';
/** Share of the questions in the records whose answer comes from their own subsite, first and among five. */
const LEAST_FIRST = 0.9;
const LEAST_AMONG = 0.95;

const published = ({ purpose, facts = [], guide = [], pricing = [] }: Subsite) => [purpose, ...facts, ...guide.map(({ text }) => text), ...pricing.map(({ amount, currency }) => `${amount} ${currency}`)];

describe.each(['registry', 'test/fixtures/network-of-four'])('questions about %s', (folder) => {
  const site = { registry: loadRegistry(folder), base };
  const questions = site.registry.subsites.flatMap((subsite) => (subsite.questions ?? []).map((question) => ({ question, subsite })));

  it('that the records say they answer are answered from their own subsite', () => {
    const answers = questions.map(({ question, subsite }) => ({ subsite, passages: searchKnowledge(site, { question }).passages }));
    expect(answers.filter(({ subsite, passages }) => passages[0]?.subsite === subsite.name).length / answers.length).toBeGreaterThanOrEqual(LEAST_FIRST);
    expect(answers.filter(({ subsite, passages }) => passages.some((passage) => passage.subsite === subsite.name)).length / answers.length).toBeGreaterThanOrEqual(LEAST_AMONG);
  });

  it('are answered with published words and their page, and nothing composed', () => {
    for (const { question } of questions)
      for (const { subsite: name, text, url } of searchKnowledge(site, { question }).passages) {
        const subsite = site.registry.subsites.find((other) => other.name === name)!;
        const words = [...published(subsite), subsite.serviceArea, subsite.availability].filter((word) => word !== undefined);
        expect(words.some((word) => text.includes(word)), text).toBe(true);
        expect(url).toBe(`${base}${subsite.url}`);
      }
  });

  it('stay within the subsites and kinds that are asked for', () => {
    for (const { question, subsite } of questions)
      for (const kind of passageKinds)
        for (const passage of searchKnowledge(site, { question, subsites: [subsite.name], kinds: [kind] }).passages) expect([passage.subsite, passage.kind]).toEqual([subsite.name, kind]);
  });

  it('that nothing is published about find nothing, and name whom to ask where one is meant', () => {
    for (const question of ['Quantum chromodynamics?', 'xyzzy plugh', '???', 'what is the']) expect(searchKnowledge(site, { question }).passages, question).toEqual([]);
    const [subsite] = site.registry.subsites;
    const { passages, ask } = searchKnowledge(site, { question: 'Quantum chromodynamics?', subsites: [subsite!.name] });
    expect([passages, ask.map(({ subsite: name, url }) => [name, url])]).toEqual([[], [[subsite!.name, `${base}${subsite!.url}`]]]);
  });

  it('that are empty show everything, up to the limit', () => {
    const [subsite] = site.registry.subsites;
    expect(searchKnowledge(site, { question: ' ', subsites: [subsite!.name], limit: 1 }).passages).toHaveLength(1);
  });
});

describe('everyday questions', () => {
  const site = { registry: loadRegistry('registry'), base };
  const answer = (question: string) => searchKnowledge(site, { question }).passages;

  it.each(answerable)('“%s” is answered by %s', (question, subsite) => expect(answer(question)[0]?.subsite).toBe(subsite));

  it.each(unanswerable)('“%s” is answered by nobody', (question) => expect(answer(question)).toEqual([]));
});

describe('a word index', () => {
  const index = wordIndex(['Cast-iron skillet', 'Coffee grinder', 'Ladder, 6 feet', 'Boxes of dishes'], (title) => ({ title }), { title: 1 });
  const first = (query: string) => index.search(query)[0]?.entry;

  it.each([
    ['coffee grinder', 'Coffee grinder'],
    ['cofee grindr', 'Coffee grinder'],
    ['skil', 'Cast-iron skillet'],
    ['box', 'Boxes of dishes'],
    ['dish', 'Boxes of dishes'],
    ['LADDERS', 'Ladder, 6 feet'],
    ['có́ffee', 'Coffee grinder'],
  ])('finds by “%s”', (query, title) => expect(first(query)).toBe(title));

  it.each(['piano', 'the of a', '', '7'])('finds nothing by “%s”', (query) => expect(index.search(query)).toEqual([]));

  it.each([
    ['coffee', 1],
    ['grinde', 6 / 7],
    ['grindr', 0.7],
    ['box', 1],
    ['boxs', 1],
    ['fox', undefined],
    ['cof', undefined],
    ['laddr', undefined],
  ])('says how surely “%s” is meant', (word, sure) => expect(index.search(word)[0]?.evidence.get(term(word)!)).toBe(sure));

  it('finds only what is to be kept', () => expect(index.search('coffee ladder', (title) => title.startsWith('L')).map(({ entry }) => entry)).toEqual(['Ladder, 6 feet']));
});
