import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeCheckout } from './checkout.ts';
import { startServer } from './started-server.ts';

/** What became of a network that was rebuilt while it served. */
export interface RebuildReport {
  /** Requests that were answered. */
  answered: number;
  /** Requests that failed: path and status, or what kept them from being answered. */
  failed: string[];
  /** The title of the edited subsite after each rebuild, and after the rollback as the last. */
  titles: string[];
  /**
   * What a caller is told at the end who sends the contract of an action as it was at the start and
   * after each rebuild.
   */
  changes: string[][];
  /**
   * Memory of the server after each rebuild (resident set size), in bytes; empty where the system
   * does not tell.
   */
  resident: number[];
  /** What the server printed and logged. */
  said: string;
}

/** Runs `npm run build` in a checkout. Gives what it said. @throws with that when it fails */
export async function build(
  cwd: string,
  environment: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<string> {
  const child = spawn('npm', ['run', '-s', 'build', '--', ...args], {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(said);
  return said;
}

/** The environment without what would lead a build elsewhere than into its checkout. */
export function buildEnvironment(): NodeJS.ProcessEnv {
  const { OUT_DIR: _, REGISTRY_DIR: __, SITE_URL: ___, ...inherited } = process.env;
  return inherited;
}

/** Resident set size of a process in bytes, from Linux’s /proc; nothing elsewhere. */
function residentOf(pid: number): number[] {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return [];
  return [Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))![1]) * 1024];
}

/** An import of styles that other pages have too: without it, a build divides styles anew. */
const SHARED_STYLES = "import '../styles/forms.css';\n";

/**
 * Edits of files of the checkout, by the number of the rebuild: of a page and an operation, then of
 * a template and its styles.
 */
const edits: readonly ((checkout: string, round: number) => void)[] = [
  (checkout, round) => {
    const file = join(checkout, 'src/pages/404.astro');
    const text = readFileSync(file, 'utf8');
    const edited = text.includes(SHARED_STYLES)
      ? text.replace(SHARED_STYLES, '')
      : text.replace('---\n', `---\n${SHARED_STYLES}`);
    writeFileSync(file, `${edited}<!-- ${round} -->\n`);
  },
  (checkout, round) => {
    append(join(checkout, 'registry/pages/house-rules.md'), `\nRule ${round}.\n`);
    append(join(checkout, 'src/leads/submit/submit-action.ts'), `// ${round}\n`);
  },
];

const append = (file: string, text: string) =>
  writeFileSync(file, `${readFileSync(file, 'utf8')}${text}`);

/**
 * Serves a copy of the project and of the network of four in a folder, rebuilds it `rounds` times,
 * each time with another title of a subsite and an edit of a page, an operation or a template,
 * while documents, pages, forms and writes are asked for, and rolls back at the end. `first` builds
 * it before it is served.
 */
export async function rebuildUnderLoad(
  folder: string,
  rounds: number,
  first: (checkout: string, environment: NodeJS.ProcessEnv) => Promise<unknown> = build,
): Promise<RebuildReport> {
  const checkout = makeCheckout(folder);
  const environment = {
    ...buildEnvironment(),
    DATABASE_URL: `file:${folder}/network.db`,
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_WRITES: '0',
  };
  const subsite = join(checkout, 'registry/subsites/bus.yaml');
  const record = readFileSync(subsite, 'utf8');
  const title = (round: number) => `The Book Bus ${round}`;
  const edit = (round: number) =>
    writeFileSync(
      subsite,
      record
        .replace(/^title: .*$/m, `title: ${title(round)}`)
        .replace(/retentionDays: .*$/m, `retentionDays: ${60 + round}`),
    );
  edit(0);
  await first(checkout, environment);
  const service = startServer({ PORT: '0' }, { cwd: checkout, environment });
  const origin = await service.origin();
  const report: RebuildReport = {
    answered: 0,
    failed: [],
    titles: [],
    changes: [],
    resident: [],
    said: '',
  };

  const post = (path: string, body: object) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { token } = (await (await post('/api/share', { subsite: 'bus' })).json()) as {
    token: string;
  };
  const requests: readonly (readonly [string, number, () => Promise<Response>])[] = [
    ...['/bus', '/api/agent/bus', '/api/agent-index', '/llms.txt'].map(
      (path) => [path, 200, () => fetch(origin + path)] as const,
    ),
    ['/inbox', 401, () => fetch(`${origin}/inbox`)],
    ['/nowhere', 404, () => fetch(`${origin}/nowhere`)],
    ['/s', 302, () => fetch(`${origin}/s/${token}`, { redirect: 'manual' })],
    ['/api/share', 200, () => post('/api/share', { subsite: 'bus' })],
    ['/receipt', 404, () => fetch(`${origin}/receipt/nothing-of-this-name`)],
  ];
  let loading = true;
  const load = async () => {
    for (let next = 0; loading; next++) {
      const [path, expected, ask] = requests[next % requests.length]!;
      try {
        const response = await ask();
        await response.arrayBuffer();
        if (response.status === expected) report.answered++;
        else report.failed.push(`${path}: ${response.status}`);
      } catch (error) {
        report.failed.push(`${path}: ${String((error as Error).cause ?? error)}`);
      }
      await wait(5);
    }
  };
  const recordOf = async () =>
    (await (await fetch(`${origin}/api/agent/bus`)).json()) as {
      title: string;
      leadEndpoint: string;
      actions: [{ contract: string }];
    };
  const titleOf = async () => (await recordOf()).title;
  /** Waits until the server has taken a release over. */
  const served = async (expected: string) => {
    const deadline = performance.now() + 30_000;
    while ((await titleOf()) !== expected && performance.now() < deadline) await wait(100);
    report.titles.push(await titleOf());
  };
  /** Notes the stylesheets that pages link to and the current release lacks. */
  const checkStyles = async () => {
    for (const path of ['/', '/bus', '/archive', '/house-rules']) {
      const page = await (await fetch(origin + path)).text();
      for (const [, href] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g))
        if (!existsSync(join(checkout, 'dist/current/client', href!)))
          report.failed.push(`${path} links to ${href}, which the release lacks`);
    }
  };
  const loads = [load(), load(), load()];
  const contractNow = async () => (await recordOf()).actions[0].contract;
  const contracts = [await contractNow()];
  try {
    for (let round = 1; round <= rounds; round++) {
      edit(round);
      edits[round % edits.length]!(checkout, round);
      await build(checkout, environment);
      await served(title(round));
      await checkStyles();
      contracts.push(await contractNow());
      report.resident.push(...residentOf(service.process.pid!));
    }
    await build(checkout, environment, '--rollback');
    await served(title(rounds - 1));
    const { leadEndpoint } = await recordOf();
    for (const contract of contracts) {
      const body = { fields: { book: 'Any' }, sandbox: true, contract };
      const { changes = [] } = (await (await post(leadEndpoint, body)).json()) as {
        changes?: string[];
      };
      report.changes.push(changes);
    }
  } finally {
    loading = false;
    await Promise.all(loads);
    await service.end('SIGTERM');
    report.said = service.said();
  }
  return report;
}
