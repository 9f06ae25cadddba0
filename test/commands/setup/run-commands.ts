import { runInProcess, type CommandResult } from '../../setup/command.ts';

/** Runs `src/cli/run.js` with each list of arguments, and prints the results as JSON. */
const results: CommandResult[] = [];
const run = new URL('../../../src/cli/run.js', import.meta.url);
for (const [index, args] of (JSON.parse(process.argv[2]!) as string[][]).entries())
  results.push(
    await runInProcess(
      [process.execPath, run.pathname, ...args],
      {},
      () =>
        // A new URL runs the launcher again. It imports each command once.
        import(`${run.href}?run=${index}`),
    ),
  );
process.stdout.write(JSON.stringify(results));
