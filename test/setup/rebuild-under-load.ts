import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BUILD_EPOCH } from './built-networks.ts';
import { makeCheckout } from './checkout.ts';
import { startServer } from './started-server.ts';

/** Result of rebuilding a network while it serves requests. */
export interface RebuildReport {
  /** Number of requests with the expected status. */
  successCount: number;
  /** Failed requests: path with status or error. */
  failures: string[];
  /** Title of the edited subsite after each rebuild and, last, after the rollback. */
  titles: string[];
  /**
   * Contract changes that, at the end, are reported to callers with the initial contract, and to
   * callers with the contract after each rebuild.
   */
  contractChanges: string[][];
  /** Resident memory of the server in bytes after each rebuild; empty on systems without /proc. */
  residentBytes: number[];
  /** Everything that the server printed and logged. */
  output: string;
}

/**
 * Runs `npm run build` in a checkout and returns its output. @throws with the output if it fails
 */
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
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(output);
  return output;
}

/** The environment without variables that would redirect a build from its checkout. */
function createBuildEnvironment(): NodeJS.ProcessEnv {
  const { OUT_DIR: _, REGISTRY_DIR: __, SITE_URL: ___, ...inheritedEnvironment } = process.env;
  return inheritedEnvironment;
}

/** Resident memory of a process in bytes, as a list that is empty on systems without /proc. */
function readResidentBytes(pid: number): number[] {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return [];
  return [Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))![1]) * 1024];
}

/** Relative to the project, as for the build that tests share, so that its release is current. */
const REGISTRY = 'test/fixtures/network-of-four';

/** Time between the requests of one client, in ms. */
export const REQUEST_INTERVAL = 25;

/** An import of shared styles. Adding or removing it changes how the build splits stylesheets. */
const SHARED_STYLES = "import '../styles/forms.css';\n";

/**
 * Edits to a checkout, chosen by the number of the rebuild: to a page template and its styles, or
 * to a page's text and an operation.
 */
const sourceEdits: readonly ((checkout: string, round: number) => void)[] = [
  (checkout, round) => {
    const file = join(checkout, 'src/pages/404.astro');
    const text = readFileSync(file, 'utf8');
    const editedText = text.includes(SHARED_STYLES)
      ? text.replace(SHARED_STYLES, '')
      : text.replace('---\n', `---\n${SHARED_STYLES}`);
    writeFileSync(file, `${editedText}<!-- ${round} -->\n`);
  },
  (checkout, round) => {
    appendToFile(join(checkout, REGISTRY, 'pages/house-rules.md'), `\nRule ${round}.\n`);
    appendToFile(join(checkout, 'src/leads/submit/submit-action.ts'), `// ${round}\n`);
  },
];

const appendToFile = (file: string, text: string) =>
  writeFileSync(file, `${readFileSync(file, 'utf8')}${text}`);

/**
 * Serves a copy of the project with the fixture network and rebuilds it `rounds` times under load,
 * each time after editing a title and a page, operation or template. Finally, rolls back.
 * `makeFirstRelease` runs before the first edit, and `rebuild` after each edit.
 */
export async function rebuildUnderLoad(
  folder: string,
  rounds: number,
  makeFirstRelease: (checkout: string, environment: NodeJS.ProcessEnv) => unknown = build,
  rebuild: (
    checkout: string,
    environment: NodeJS.ProcessEnv,
    served: { origin: string; title: string },
  ) => Promise<unknown> = (checkout, environment) => build(checkout, environment),
): Promise<RebuildReport> {
  const checkout = makeCheckout(folder);
  cpSync(REGISTRY, join(checkout, REGISTRY), { recursive: true });
  const environment = {
    ...createBuildEnvironment(),
    REGISTRY_DIR: REGISTRY,
    SOURCE_DATE_EPOCH: BUILD_EPOCH,
    // A server switches only to releases for its own SITE_URL.
    SITE_URL: 'http://localhost:4321',
    DATABASE_URL: `file:${folder}/network.db`,
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_WRITES: '0',
  };
  const subsite = join(checkout, REGISTRY, 'subsites/bus.yaml');
  const originalRecord = readFileSync(subsite, 'utf8');
  const createTitle = (round: number) => `The Book Bus ${round}`;
  const editRecord = (round: number) =>
    writeFileSync(
      subsite,
      originalRecord
        .replace(/^title: .*$/m, `title: ${createTitle(round)}`)
        .replace(/retentionDays: .*$/m, `retentionDays: ${60 + round}`),
    );
  await makeFirstRelease(checkout, environment);
  const service = startServer({ PORT: '0' }, { cwd: checkout, environment });
  const origin = await service.origin();
  const report: RebuildReport = {
    successCount: 0,
    failures: [],
    titles: [],
    contractChanges: [],
    residentBytes: [],
    output: '',
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
  let isRunning = true;
  const runLoad = async () => {
    for (let next = 0; isRunning; next++) {
      const [path, expected, send] = requests[next % requests.length]!;
      try {
        const response = await send();
        await response.arrayBuffer();
        if (response.status === expected) report.successCount++;
        else report.failures.push(`${path}: ${response.status}`);
      } catch (error) {
        report.failures.push(`${path}: ${String((error as Error).cause ?? error)}`);
      }
      await wait(REQUEST_INTERVAL);
    }
  };
  const recordOf = async () =>
    (await (await fetch(`${origin}/api/agent/bus`)).json()) as {
      title: string;
      leadEndpoint: string;
      actions: [{ contract: string }];
    };
  const titleOf = async () => (await recordOf()).title;
  /** Waits until the server serves the new release. */
  const waitForTitle = async (expected: string) => {
    const deadline = performance.now() + 30_000;
    while ((await titleOf()) !== expected && performance.now() < deadline) await wait(100);
    report.titles.push(await titleOf());
  };
  /** Reports stylesheets that pages link to but that are missing from the current release. */
  const checkStyles = async () => {
    for (const path of ['/', '/bus', '/archive', '/house-rules']) {
      const page = await (await fetch(origin + path)).text();
      for (const [, href] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g))
        if (!existsSync(join(checkout, 'dist/current/client', href!)))
          report.failures.push(`${path} links to ${href}, which the release lacks`);
    }
  };
  /** Scripts and styles of the pages that are open since before the first rebuild. */
  const openPageAssets = readdirSync(join(checkout, 'dist/current/client/_astro'));
  const checkOpenPages = async () => {
    for (const name of openPageAssets) {
      const { status } = await fetch(`${origin}/_astro/${name}`);
      if (status !== 200) report.failures.push(`/_astro/${name} of an open page: ${status}`);
    }
  };
  const loads = [runLoad(), runLoad(), runLoad()];
  const fetchCurrentContract = async () => (await recordOf()).actions[0].contract;
  const contracts = [await fetchCurrentContract()];
  try {
    for (let round = 1; round <= rounds; round++) {
      editRecord(round);
      sourceEdits[round % sourceEdits.length]!(checkout, round);
      await rebuild(checkout, environment, { origin, title: createTitle(round) });
      await waitForTitle(createTitle(round));
      await checkStyles();
      await checkOpenPages();
      contracts.push(await fetchCurrentContract());
      report.residentBytes.push(...readResidentBytes(service.process.pid!));
    }
    await build(checkout, environment, '--rollback');
    await waitForTitle(createTitle(rounds - 1));
    const { leadEndpoint } = await recordOf();
    for (const contract of contracts) {
      const body = { fields: { book: 'Any' }, sandbox: true, contract };
      const { changes = [] } = (await (await post(leadEndpoint, body)).json()) as {
        changes?: string[];
      };
      report.contractChanges.push(changes);
    }
  } finally {
    isRunning = false;
    await Promise.all(loads);
    await service.end('SIGTERM');
    report.output = service.output();
  }
  return report;
}
