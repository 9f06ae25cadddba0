import { runInNewContext } from 'node:vm';

/** Far above the time that linear work needs on a busy machine. */
const LIMIT_MS = 20_000;

/**
 * Runs a function, and stops it after 20 seconds even if it blocks the thread. Call it with input
 * that takes milliseconds in linear time and minutes in quadratic time.
 */
export const runWithTimeLimit = <Result>(run: () => Result): Result =>
  runInNewContext('run()', { run }, { timeout: LIMIT_MS }) as Result;
