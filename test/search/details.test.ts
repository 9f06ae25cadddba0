import { describe, expect, it } from 'vitest';
import { removeDetails, removeSender } from '../../src/search/details.ts';
import { searchForNeed, searchKnowledge } from '../../src/search/knowledge.ts';
import { loadRegistry } from '../../src/registry/index.ts';
import { listOfferedActions } from '../../src/site/registry.ts';
import { readQuestions, sets } from './evaluation.ts';

const registry = loadRegistry('registry');
const site = { registry, base: 'https://example.test' };

/** Ways to add a date, a ZIP code, an email address, a phone number, a name or a greeting. */
const messages: readonly string[] = [
  '… December 3',
  '… on December 3rd, 2026',
  '… Dec. 3',
  '… Dec 1-2, 2026',
  '… from December 1 to December 2, 2026',
  '… on the 3rd of December',
  '… 3 December 2026',
  '… on 3rd',
  '… el 3 de diciembre',
  '… 2026-12-03',
  '… 2026-12-01 to 2026-12-02',
  '… 2026-12-03T09:00:00-05:00',
  '… 12/03/2026',
  '… 12/3',
  '… on Saturday',
  '… next Sat',
  '… tomorrow at 9:30 am',
  '… at 5pm',
  '… in 33713',
  '… in 33713-1234',
  '… ada@agentdev.example',
  '…, reply to ada.l+x@mail.agentdev.example',
  '… 727-555-0142',
  '… 555-0142',
  '…, call me at (727) 555-0142',
  '…, phone +1 727 555 0142',
  '…, contact 7275550142',
  '… for Bob',
  '… for Ada Lovelace',
  '… 42',
  '…. I am Ada, ada@agentdev.example',
  'I’m Ada. …',
  'My name is Bob Smith. …',
  'Hi, … Thanks!',
  'Hello there! …. Thank you, Ada',
  'Dear team, … on December 3. Kind regards, Bob Smith',
  'Good morning, …, 2026-12-01 to 2026-12-02, in 33713. My email is ada@agentdev.example. Cheers',
  '… for 2 days',
  '… for three days',
  '… for a weekend',
  '… por 2 días',
];

const messageOf = (form: string, need: string): string =>
  form.replace('…', () => need.replace(/[.?!]+$/, ''));

const questions = sets.flatMap((set) => readQuestions(set));
const questionsOfKind = (kind: string) =>
  questions.filter((question) => question.kind === kind).map(({ question }) => question);
const actionTitles = registry.subsites.flatMap((subsite) =>
  listOfferedActions(subsite).map(({ title }) => title),
);
const needs = [
  ...questionsOfKind('service'),
  ...actionTitles,
  'trailer',
  'hold a 6x12 trailer',
  'do you have a trailer available',
  'is a 6x12 free',
  'Book me an enclosed trailer',
  'clean out a house',
  'generator',
];

it('an item that has all words of a need precedes a service that has only a few', () => {
  expect(searchForNeed(site, 'rattan chairs').found[0]?.title).toBe('Pair of rattan armchairs');
});

describe('a need', () => {
  const found = needs
    .map((need) => ({ need, ...searchForNeed(site, need) }))
    .filter(({ notOffered }) => notOffered === undefined)
    .map(({ need, found: [first] }) => ({ need, subsite: first!.subsite }));
  const refusedNeeds = [...questionsOfKind('unanswerable'), 'dog grooming', 'haircut'].filter(
    (need) => searchForNeed(site, need).notOffered !== undefined,
  );

  it('is usually met without details', () => {
    expect(found.length / needs.length).toBeGreaterThan(0.9);
    expect(refusedNeeds.length).toBeGreaterThan(20);
  });

  it.each(messages)('has the same first service in “%s”', (form) => {
    // Each form is tested with a third of the needs, and each need with a third of the forms.
    const part = messages.indexOf(form) % 3;
    const sample = found.filter((_, index) => index % 3 === part);
    const changedNeeds = sample.flatMap(({ need, subsite }) => {
      const message = messageOf(form, need);
      const {
        found: [first],
        notOffered,
      } = searchForNeed(site, message);
      return notOffered === undefined && first?.subsite === subsite
        ? []
        : [`${message} → ${first?.subsite} instead of ${subsite} ${notOffered ?? ''}`];
    });
    expect(changedNeeds).toEqual([]);
  });

  it.each(messages)('that nobody meets is still refused in “%s”', (form) =>
    expect(
      refusedNeeds
        .map((need) => messageOf(form, need))
        .filter((message) => searchForNeed(site, message).notOffered === undefined),
    ).toEqual([]),
  );

  it.each([
    ['up to 7 feet on December 3', 'up to 7 feet on'],
    ['a 6x12 in 33713', 'a 6x12 in 33713'],
    ['open on Friday', 'open'],
    ['who can wed us in the sun', 'who can wed us in the sun'],
    ['maybe a march for water', 'maybe a march for water'],
    ['2026-12-03', '2026-12-03'],
  ])('keeps its words: “%s”', (need, rest) =>
    expect(removeDetails(need).replace(/\s+/g, ' ').trim()).toBe(rest),
  );
});

describe('a question about published text', () => {
  it.each([
    'Are you open on Sunday?',
    'What does an item from the bins cost on Tuesday?',
    'Is somebody there at 9 am in December?',
    'I am looking for a sofa',
    'When is best?',
  ])('keeps its words: “%s”', (question) => expect(removeSender(question)).toBe(question));

  it.each([
    'Please hold a 6x12 trailer for me from December 1 to December 2, 2026. I am Ada, ada@agentdev.example',
    'Hi, hold a 6x12 trailer 2026-12-01 to 2026-12-02, contact 727-555-0142. Thanks!',
  ])('finds the same passages with its details: “%s”', (question) => {
    const { passages, ask } = searchKnowledge(site, { question });
    expect(passages.map(({ text }) => text)).toEqual(
      searchKnowledge(site, { question: 'hold a 6x12 trailer' }).passages.map(({ text }) => text),
    );
    expect(ask[0]?.subsite).toBe('trailer');
  });
});
