import { afterAll } from 'vitest';

// Every thread that a test starts adds listeners to the output of this process, and all of them
// exceed Node’s default limit.
for (const output of [process.stdout, process.stderr]) output.setMaxListeners(0);

// Test files share a process. Changes that a file makes to the environment must not reach the next
// one.
const originalEnvironment = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env))
    if (!(name in originalEnvironment)) delete process.env[name];
  Object.assign(process.env, originalEnvironment);
});
