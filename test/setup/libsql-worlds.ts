import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { libsqlServer } from '../db/setup/libsql-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** One libsql-server for all worlds, each with a database of its own in it; absent where worlds stand in files. */
    worldServer?: { port: number; adminPort: number };
  }
}

/** Starts a libsql-server for the worlds of the operations’ tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'frontage-worlds-'));
  const server = await libsqlServer(folder, { databases: true });
  await server.start();
  project.provide('worldServer', {
    port: Number(new URL(server.url).port),
    adminPort: server.adminPort,
  });
  return async () => {
    await server.stop('SIGKILL');
    rmSync(folder, { recursive: true });
  };
}
