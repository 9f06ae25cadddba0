import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { createLibsqlServer } from '../db/setup/libsql-server.ts';
import { makeDatabaseFolder } from './shared-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * libsql-server shared by all fixtures, with one database per fixture; absent when fixtures use
     * files.
     */
    libsqlServer?: { port: number; adminPort: number };
  }
}

/** Starts the libsql-server that the fixtures of operation tests use. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = makeDatabaseFolder();
  const server = await createLibsqlServer(folder, { usesNamespaces: true });
  await server.start();
  project.provide('libsqlServer', {
    port: Number(new URL(server.url).port),
    adminPort: server.adminPort,
  });
  return async () => {
    await server.stop('SIGKILL');
    rmSync(folder, { recursive: true });
  };
}
