import { describe, expect, it } from 'vitest';
import {
  DEFAULT_PASSAGE_COUNT,
  formatAnswerText,
  NOTHING_PUBLISHED_TEXT,
  searchForNeed,
  searchKnowledge,
} from '../../src/search/knowledge.ts';
import { passageKinds } from '../../src/search/passages/passage.ts';
import { wordsOf } from '../../src/search/index/terms.ts';
import { pagesOfSite } from '../../src/site/pages-of-site.ts';
import { loadRegistry } from '../../src/registry/index.ts';

const base = 'https://example.test';
/** Minimum share of questions in the records that find a passage from their own subsite. */
const MIN_SHARE = 0.9;

/** Labels of columns, prices and terms that the search adds to published text. */
const LABEL_WORD_PATTERN =
  /^(?:service|area|availability|usd|per|answered|within|erased|after|its|last|change|yes|no|ft|lb|oz|cu|gal|qt|db|w|v|in)$/;

describe.each(['registry', 'test/fixtures/network-of-four'])('questions about %s', (folder) => {
  const site = {
    registry: loadRegistry(folder),
    base,
    generatedAt: '2026-11-12T00:00:00Z',
    dynamic: true,
  };
  const pages = pagesOfSite(site)
    .filter(({ kind }) => kind !== 'problem')
    .map(({ path }) => path);
  const { asked: _, ...published } = site.registry;
  const words = new Set(wordsOf(JSON.stringify(published).replaceAll('\\n', ' ')));
  const findUnpublishedWords = (text: string) =>
    wordsOf(text).filter(
      (word) => !words.has(word) && !LABEL_WORD_PATTERN.test(word) && !/\d/.test(word),
    );
  const questions = site.registry.subsites.flatMap((subsite) =>
    (subsite.questions ?? []).map((question) => ({ question, subsite })),
  );

  it('that the records claim to answer find passages from their own subsite', () => {
    const answeredQuestions = questions.filter(({ question, subsite }) =>
      searchKnowledge(site, { question }).passages.some(
        (passage) => passage.subsite === subsite.name,
      ),
    );
    expect(answeredQuestions.length / questions.length).toBeGreaterThanOrEqual(MIN_SHARE);
  });

  it('find the three nearest published passages with their pages, and no generated text', () => {
    for (const { question } of questions) {
      const { passages } = searchKnowledge(site, { question });
      expect(passages.length, question).toBeGreaterThan(0);
      expect(passages.length, question).toBeLessThanOrEqual(DEFAULT_PASSAGE_COUNT);
      for (const { text, url } of passages) {
        expect(findUnpublishedWords(text), text).toEqual([]);
        expect(pages, url).toContain(new URL(url).pathname);
      }
    }
  });

  it('find passages without the terms that the search adds', () => {
    const { passages } = searchKnowledge(site, { question: '', limit: Infinity });
    expect(passages.length).toBeGreaterThan(20);
    const members = new Set(passages.flatMap((passage) => Object.keys(passage)));
    expect([...members].sort()).toEqual(['kind', 'subsite', 'text', 'title', 'url']);
  });

  it('stay within the requested subsites and kinds', () => {
    for (const { question, subsite } of questions)
      for (const kind of passageKinds)
        for (const passage of searchKnowledge(site, {
          question,
          subsites: [subsite.name],
          kinds: [kind],
        }).passages)
          expect([passage.subsite, passage.kind]).toEqual([subsite.name, kind]);
  });

  it('without any matching word find nothing, and suggest whom to ask if they name a subsite', () => {
    const notOffered = 'We found nobody here who does that.';
    const notOfferedCode = 'nothing_found';
    for (const [question, more] of [
      ['Quantum chromodynamics?', { notOffered, notOfferedCode }],
      ['xyzzy qwrtz', { notOffered, notOfferedCode }],
      ['who is xyzzy qwrtz', { notOffered: NOTHING_PUBLISHED_TEXT, notOfferedCode }],
      ['who can xyzzy my qwrtz?', { notOffered, notOfferedCode }],
      ['which of you can xyzzy my qwrtz?', { notOffered, notOfferedCode }],
      ['where can I get my qwrtz xyzzied', { notOffered, notOfferedCode }],
      ['¿Cuál es xyzzy?', { notOffered: NOTHING_PUBLISHED_TEXT, notOfferedCode }],
      ['???', {}],
      ['what is the', {}],
    ] as const)
      expect(searchKnowledge(site, { question }), question).toEqual({
        answered: false,
        passages: [],
        ask: [],
        ...more,
      });
    const [subsite] = site.registry.subsites;
    const { answered, passages, ask } = searchKnowledge(site, {
      question: 'Quantum chromodynamics?',
      subsites: [subsite!.name],
    });
    expect([answered, passages]).toEqual([false, []]);
    expect(ask.map(({ subsite: name, url }) => [name, url])).toEqual([
      [subsite!.name, `${base}${subsite!.url}`],
    ]);
  });

  it('that are empty list everything, up to the limit', () => {
    const [subsite] = site.registry.subsites;
    expect(
      searchKnowledge(site, { question: ' ', subsites: [subsite!.name], limit: 1 }).passages,
    ).toHaveLength(1);
  });
});

describe('everyday questions', () => {
  const site = { registry: loadRegistry('registry'), base };

  it.each([
    ['How much is a trailer?', /35 USD a day/],
    ['What does a trailer cost per day?', /35 USD a day/],
    ['How much does a generator cost per day?', /45 to 125 USD a day/],
  ])('about the price of a service are answered: “%s”', (question, price) => {
    const { answered, passages } = searchKnowledge(site, { question });
    expect([answered, passages[0]?.text]).toEqual([true, expect.stringMatching(price)]);
  });

  it.each([
    ['do you rent trailers?', /5x8 open trailer costs 35 USD a day/],
    ['rent a trailer', /5x8 open trailer costs 35 USD a day/],
    ['do you rent tables?', /6-foot table, event: 10 USD/],
    ['can I pay with bitcoin', /No Bayline service accepts cryptocurrency/],
  ])('about what a service does are answered by their first passage: “%s”', (question, text) => {
    const { answered, passages } = searchKnowledge(site, { question });
    expect([answered, passages[0]?.text]).toEqual([true, expect.stringMatching(text)]);
  });

  it('that the search cannot tell whether its passages answer are not refused', () => {
    const { answered, notOffered, passages } = searchKnowledge(site, {
      question: 'what is an idempotency key',
    });
    expect([answered, notOffered]).toEqual([false, undefined]);
    expect(passages[0]?.text).toMatch(/Send Idempotency-Key/);
  });

  it.each([
    'where can I get my truck washed',
    'which of you assembles furniture',
    "who's able to fix my bike",
  ])('about who does something are told that nobody does: “%s”', (question) =>
    expect(searchKnowledge(site, { question }).notOffered).toMatch(/^We found nobody here/),
  );

  it('about the newsletter find the day, and no row of a table before it', () => {
    const { passages } = searchKnowledge(site, { question: 'when is the newsletter sent' });
    expect(passages[0]?.text).toMatch(/once a month, on the first Tuesday/);
  });

  it('include how to get an API key, which has a short answer', () => {
    const { notOffered, notOfferedCode, ask } = searchKnowledge(site, {
      question: 'how do I get an API key',
    });
    expect([notOfferedCode, notOffered]).toEqual([
      'answered',
      expect.stringMatching(/write to \S+@\S+ with the subject "API key"/),
    ]);
    expect(ask.map(({ subsite }) => subsite)).toEqual(['start']);
  });

  it.each([
    ['What does a trailer cost in St. Petersburg, FL 33701?', 'trailer', /35 USD/],
    ['when does the live resale show air', 'live', /Thursdays/],
    ['how long is my data kept', 'data-retention', /730 days/],
    ["what's the deposit on a trailer?", 'rental', /Trailer deposit: 200 USD/],
  ])('include “%s”, which finds %s', (question, subsite, expected) => {
    const { passages } = searchKnowledge(site, { question });
    expect(passages.map(({ text }) => text).join('\n')).toMatch(expected);
    expect(passages.map((passage) => passage.subsite)).toContain(subsite);
  });

  it.each([
    ['Is the trailer yard open on Christmas day?', 'trailer'],
    ['Is the yard open on Christmas?', 'rental'],
    ['¿Abren el patio en Navidad?', 'trailer'],
    ['Open on the Fourth of July?', 'rental'],
  ])(
    'that name a holiday, as in “%s”, find the hours with the closed days first',
    (question, subsite) => {
      const [first] = searchKnowledge(site, { question }).passages;
      expect(first?.subsite).toBe(subsite);
      expect(first?.text).toMatch(/open every day except .* We are closed on December 25/);
    },
  );

  it.each([
    ['hvac', 'What does it cost?', /89 USD/],
    ['trailer', 'When are you open?', /7 am to 7 pm/],
    ['wd', 'Is there a deposit?', /no deposit/],
  ])('about %s itself include “%s”, which is answered', (subsite, question, expected) => {
    const { answered, passages } = searchKnowledge(site, { question, subsites: [subsite] });
    expect(answered).toBe(true);
    expect(passages.map(({ text }) => text).join('\n')).toMatch(expected);
  });

  it.each([
    'Is there a dentist near me?',
    'I need a plumber for a clogged drain',
    'Where can I adopt a cat?',
    'Can you walk my dog on Sundays?',
    'Who does tax returns?',
    'Can I rent a boat?',
    'Is there a vet open on Sunday?',
    'dog grooming',
  ])(
    'include “%s”, which has no answer, and a service is suggested only for a reason',
    (question) => {
      const { answered, ask } = searchKnowledge(site, { question });
      expect([answered, ask]).toEqual([false, []]);
    },
  );

  it.each([
    ['Do you rent trucks?', 'trailer'],
    ['Do you rent moving vans by the day?', 'trailer'],
  ])(
    'about what nobody here offers, as in “%s”, are not answered with something else',
    (question, name) => {
      const { answered, notOffered, passages, ask } = searchKnowledge(site, { question });
      expect([answered, passages, notOffered]).toEqual([
        false,
        [],
        'We don’t do car or moving-truck rentals.',
      ]);
      expect(ask.map(({ subsite }) => subsite)).toContain(name);
    },
  );

  it('about one thing that nobody here offers and one that somebody offers are answered for the latter', () => {
    const question = 'Do you rent trucks, and what is the deposit on a trailer?';
    const { answered, notOffered, passages } = searchKnowledge(site, { question });
    expect([answered, notOffered]).toEqual([true, 'We don’t do car or moving-truck rentals.']);
    expect(passages[0]?.text).toContain('deposit');
  });

  it.each([
    ['my AC is broken', 'hvac'],
    ['I want to rent a trailer on Mars', 'trailer'],
  ])('include “%s”, which has no answer, and %s is suggested', (question, name) => {
    const { answered, ask } = searchKnowledge(site, { question });
    expect([answered, ask.map(({ subsite }) => subsite)]).toEqual([
      false,
      expect.arrayContaining([name]),
    ]);
  });

  it.each([
    ['my AC is broken', 'hvac'],
    ['rent a trailer', 'trailer'],
    ['inverter genrator', 'generator'],
  ])('include “%s”, which is about %s', (words, name) =>
    expect(searchForNeed(site, words).found[0]?.subsite).toBe(name),
  );
});

describe('the text of an answer', () => {
  const site = { registry: loadRegistry('registry'), base };

  it.each([['What does a diagnostic visit cost?', 'hvac', 'Diagnostic visit: 89 USD.']])(
    'quotes no passage that repeats another: %s',
    (question, subsite, repetition) => {
      const answer = searchKnowledge(site, { question, subsites: [subsite] });
      expect(answer.passages.map(({ text }) => text).join(' ')).toContain(repetition);
      expect(formatAnswerText(answer)).not.toContain(repetition);
    },
  );

  it.each([
    'What size of generator do I need for a power outage?',
    'How much is a studio or a one-bedroom furniture package?',
    'what do chairs cost',
    'junk pickup prices',
  ])('keeps passages that say something else: %s', (question) => {
    const answer = searchKnowledge(site, { question });
    for (const { text } of answer.passages) expect(formatAnswerText(answer)).toContain(text);
  });
});

it('a question about a price is answered alike with the length of a rental', () => {
  const site = { registry: loadRegistry('registry'), base };
  const ask = (question: string) => {
    const { answered, passages } = searchKnowledge(site, { question });
    return { answered, passages };
  };
  const answer = ask('How much is the 7x14 trailer?');
  expect(answer.answered).toBe(true);
  expect(ask('How much is the 7x14 trailer for three days?')).toEqual(answer);
  const [week] = ask('How much is a trailer for seven days in a row?').passages;
  expect(week?.text).toMatch(/week/);
  const [cancellation] = ask('how much is it to cancel within 24 hours').passages;
  expect(cancellation?.text).toMatch(/cancel a delivery/);
});
