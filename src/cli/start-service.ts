import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DatabaseUnavailable, openDatabase } from '../../db/index.ts';
import { deliveryNotices, strandedNotices } from '../deliveries/index.ts';
import { returnMemory } from '../build/return-memory.ts';
import { isCurrent, readStamp } from '../build/stamp.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { serve } from '../server/entry.ts';
import { StartError } from '../server/listen.ts';
import { makeLog } from '../server/log.ts';
import { readSettings, type Settings, SettingsError } from '../settings.ts';

const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

/** Builds when what is built is not what the registry and the sources say now. */
async function ensureBuild({ outDir, registryDir }: Settings): Promise<void> {
  if (!existsSync(registryDir)) {
    if (!readStamp(outDir)) throw new StartError(`REGISTRY_DIR names no folder, and there is no build in ${outDir}. Set it to the folder of the registry.`);
    say('There is no registry folder: serving the build that is there.');
    return;
  }
  if (isCurrent(outDir)) return;
  say('Building, because there is no build of the present registry and sources.');
  const astro = fileURLToPath(new URL('bin/astro.mjs', import.meta.resolve('astro/package.json')));
  const build = spawn(process.execPath, [astro, 'build'], { stdio: ['ignore', 'pipe', 'inherit'] });
  // A build that nobody waits for is not left behind.
  const end = () => void build.kill();
  process.once('exit', end);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  let said = '';
  build.stdout.on('data', (chunk) => (said += chunk));
  const [status] = (await once(build, 'close')) as [number | null];
  process.removeListener('exit', end);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeAllListeners(signal);
  if (status === 0) return;
  process.stderr.write(said);
  throw new StartError('The build failed; what is wrong stands above.');
}

/** Waits until the service answers over its own address. */
async function answers(host: string, port: number): Promise<string> {
  const local = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'].includes(host);
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const origin = (name: string) => `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  const response = await fetch(`${origin(reached)}/healthz`, { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new StartError('The service started, but its database does not answer.');
  return origin(local ? 'localhost' : host);
}

async function start(): Promise<void> {
  const settings = readSettings();
  const database = await openDatabase({ url: settings.databaseUrl, ...(settings.databaseAuthToken && { authToken: settings.databaseAuthToken }) });
  try {
    for (const notice of database.notices) say(notice);
    await ensureBuild(settings);
    const site = readBuiltSite(settings.outDir);
    for (const notice of [...deliveryNotices(settings, { site }), ...(await strandedNotices(settings, { site, database }))]) say(notice);
    const service = await serve(settings, database, makeLog(settings.logLevel), site);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        say('Stopping: finishing the requests in flight.');
        void service.stop().then(() => process.exit(0));
      });
    }
    const address = await answers(settings.host, service.port);
    say(`Serving ${service.documents} documents at ${address}`);
    // A public address is that of a proxy or a CDN in front; one of this machine is meant to be this one.
    if (new URL(site.base).hostname === 'localhost' && site.base !== address) say(`Documents and receipts name ${site.base}. Set SITE_URL=${address} to have them name this address.`);
    returnMemory();
  } catch (error) {
    await database.close();
    throw error;
  }
}

const isForPeople = (error: unknown): error is Error => error instanceof SettingsError || error instanceof StartError || error instanceof DatabaseUnavailable;

start().catch((error: unknown) => {
  process.stderr.write(`${isForPeople(error) ? error.message : ((error as Error).stack ?? error)}\n`);
  process.exit(1);
});
