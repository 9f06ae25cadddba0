import { expect, it } from 'vitest';
import { describeFaults } from '../../src/cli/probe/describe-faults.ts';

it('the probe names only the first of many addresses with the same fault', () => {
  const same = ['/a', '/b', '/c', '/d', '/e'].map((path) => ({
    path,
    problem: 'responds with 500.',
  }));
  expect(
    describeFaults([same[0]!, { path: '/', problem: 'has no ETag.' }, ...same.slice(1)]),
  ).toEqual([
    '/a: responds with 500.',
    '/b: responds with 500.',
    '/c: responds with 500.',
    '2 more addresses: responds with 500.',
    '/: has no ETag.',
  ]);
  expect(describeFaults(same.slice(0, 4)).at(-1)).toBe('1 more address: responds with 500.');
});
