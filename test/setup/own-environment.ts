import { afterAll } from 'vitest';

// Test files share a process, and with it the environment. What one sets for itself must not reach
// the next one.

// Every thread that a test starts listens to the output of this process: more than Node expects of
// one program.
for (const output of [process.stdout, process.stderr]) output.setMaxListeners(0);

const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
