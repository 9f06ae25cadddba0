import { afterAll } from 'vitest';

// Test files share a process. Changes that a file makes to the environment must not reach the next
// one.
// Every thread that a test starts adds listeners to this process’s output, more than Node’s default
// limit.

// Every thread that a test starts listens to the output of this process: more than Node expects of
// one program.
for (const output of [process.stdout, process.stderr]) output.setMaxListeners(0);

const original = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in original)) delete process.env[name];
  Object.assign(process.env, original);
});
