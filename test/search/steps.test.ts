import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { loadRegistry } from '../../src/registry/index.ts';
import { prepareKnowledge, searchKnowledge } from '../../src/search/knowledge.ts';
import { createPreparation } from '../../src/search/preparation.ts';
import { runSteps, mapInSteps, type Steps } from '../../src/search/steps.ts';

const numbers = Array.from({ length: 40 }, (_, index) => index);

function* squares(): Steps<number[]> {
  return yield* mapInSteps(numbers, (number) => number * number);
}
const expected = numbers.map((number) => number * number);

/** Counts the turns of the event loop while work is in progress. */
async function countTurns(work: Promise<void>): Promise<number> {
  let turnCount = 0;
  let isDone = false;
  void work.finally(() => (isDone = true));
  while (!isDone) {
    await nextTurn();
    turnCount++;
  }
  await work;
  return turnCount;
}

it('steps produce the same result at once and over several turns', async () => {
  expect(runSteps(squares())).toEqual(expected);
  const { prepare, result } = createPreparation(squares);
  expect(await countTurns(prepare())).toBeGreaterThanOrEqual(numbers.length / 5);
  expect(result()).toEqual(expected);
});

it('a result that is needed during its preparation is computed once', async () => {
  let startCount = 0;
  const { prepare, result } = createPreparation(() => {
    startCount++;
    return squares();
  });
  const pendingPreparation = prepare();
  await nextTurn();
  expect(result()).toEqual(expected);
  await pendingPreparation;
  expect(result()).toBe(result());
  expect(startCount).toBe(1);
});

it('a computation starts over after a failure', () => {
  let attemptCount = 0;
  const { result } = createPreparation(function* (): Steps<string> {
    yield;
    if (attemptCount++ === 0) throw new Error('The record is missing.');
    return 'found';
  });
  expect(result).toThrow('The record is missing.');
  expect(result()).toBe('found');
});

it('requests are answered while the search indexes are built', async () => {
  const site = { registry: loadRegistry('registry'), base: 'https://example.com' };
  const question = { question: 'What does a trailer cost?' };
  const answer = searchKnowledge({ ...site, registry: { ...site.registry } }, question);
  const pendingPreparation = prepareKnowledge(site);
  await nextTurn();
  expect(searchKnowledge(site, question)).toEqual(answer);
  await pendingPreparation;
  const otherSite = { ...site, registry: { ...site.registry } };
  expect(await countTurns(prepareKnowledge(otherSite))).toBeGreaterThan(300);
  expect(searchKnowledge(otherSite, question)).toEqual(answer);
});
