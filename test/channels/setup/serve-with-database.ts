import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../../../db/index.ts';
import { createContext } from '../../../src/server/create-context.ts';
import { readBuiltSite } from '../../../src/server/built-site.ts';
import { serve } from '../../../src/server/entry.ts';
import { NO_RATE_LIMITS } from '../../server/serve-build.ts';

/** A served build with access to its database. `stop` and `start` restart the server. */
export async function serveWithDatabase(outDir: string) {
  const folder = mkdtempSync(join(tmpdir(), 'channels-'));
  const url = `file:${join(folder, 'test.db')}`;
  const log = pino({ level: 'silent' });
  const start = async () => {
    const database = await openDatabase({ url });
    const service = await serve(
      { outDir, host: '127.0.0.1', port: 0, trustProxy: 0, ...NO_RATE_LIMITS },
      database,
      log,
    );
    return {
      origin: `http://127.0.0.1:${service.port}`,
      database,
      context: createContext({
        isCustomerEmailEnabled: false,
        site: readBuiltSite(outDir),
        database,
        log,
      }),
      stop: () => service.stop(),
    };
  };
  return { url, start, remove: () => rmSync(folder, { recursive: true }) };
}
