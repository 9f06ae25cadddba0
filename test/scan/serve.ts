import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanError } from './report.ts';

const OUT_DIR = '.build/scan';
/** Timeout in ms for the build and the start of the server. */
const TIMEOUT_MS = 300_000;

/** The given loopback port if it is free, otherwise another port; 0 selects any port. */
async function findFreePort(preferred: number): Promise<number> {
  const probe = createServer();
  const isBound = await new Promise<boolean>((resolve) =>
    probe.once('error', () => resolve(false)).listen(preferred, '127.0.0.1', () => resolve(true)),
  );
  if (!isBound) return findFreePort(0);
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Port of the previous scan, whose build contains it in every URL. */
function readLastPort(): number {
  try {
    return Number(
      new URL(
        (JSON.parse(readFileSync(join(OUT_DIR, 'current/site.json'), 'utf8')) as { base: string })
          .base,
      ).port,
    );
  } catch {
    return 0;
  }
}

/** A service started for the scan. */
export interface ScannedService {
  origin: string;
  stop(): Promise<void>;
}

/**
 * Builds the current registry for a loopback URL and serves it with its own database. The documents
 * contain that URL, so their links lead to the scanned service.
 * @throws {ScanError} if the build or the start fails
 */
export async function serveForScan(): Promise<ScannedService> {
  const port = await findFreePort(readLastPort());
  const origin = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'frontage-scan-'));
  const settings = {
    SITE_URL: origin,
    HOST: '127.0.0.1',
    PORT: String(port),
    OUT_DIR,
    DATABASE_URL: `file:${folder}/scan.db`,
    RATE_LIMIT_READS: '0',
    LOG_LEVEL: 'error',
    ASTRO_TELEMETRY_DISABLED: '1',
  };
  const child = spawn(process.execPath, ['src/cli/run.js', 'start'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  let output = '';
  const ready = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS);
    const settle = (isReady: boolean) => (clearTimeout(timer), resolve(isReady));
    child.once('exit', () => settle(false));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (/ at http:\/\/\S+/.test(output)) settle(true);
      });
  });
  if (await ready) return { origin, stop };
  await stop();
  throw new ScanError(`The service did not start:\n${output}`);
}
