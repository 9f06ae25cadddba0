import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BareRoutes, writeBareProject } from './setup/bare-routes.ts';
import { generateRegistry } from './setup/generated-registry.ts';
import { measure, type Measurement } from './setup/measure.ts';

// Builds networks of generated subsites and prints time and memory, compared with a bare Astro
// project that has the same number and size of routes, and with a second build after an edit.
// Accepts sizes: `node test/bench/build.ts 1000`.

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [60, 1000, 10_000];
const folder = resolve('.build/bench-build');
const astroPath = fileURLToPath(
  new URL('bin/astro.mjs', import.meta.resolve('astro/package.json')),
);

const print = (sentence: string) => process.stdout.write(`${sentence}\n`);
const describeMeasurement = ({
  seconds,
  cpuSeconds: processorSeconds,
  peakMegabytes,
}: Measurement) =>
  `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of CPU time, ${peakMegabytes.toFixed(0)} MB`;

async function run(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Measurement> {
  const measurement = await measure(process.execPath, args, {
    ASTRO_TELEMETRY_DISABLED: '1',
    SOURCE_DATE_EPOCH: '1794000000',
    ...environment,
  });
  if (measurement.status !== 0) throw new Error(measurement.output);
  return measurement;
}

/** Paths that a build rendered, according to its log. */
const countRenderedPaths = ({ output }: Measurement) =>
  output.split('├─').length - 1 - (output.match(/\((?:cached|restored)\)/g)?.length ?? 0);

/** Number and mean size of the pages and documents in a build. */
function measureRoutes(client: string): BareRoutes {
  const sizes = { page: [] as number[], document: [] as number[] };
  for (const entry of readdirSync(client, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && !entry.parentPath.includes('_astro'))
      sizes[entry.name.endsWith('.html') ? 'page' : 'document'].push(
        statSync(join(entry.parentPath, entry.name)).size,
      );
  const mean = (all: number[]) => Math.round(all.reduce((sum, size) => sum + size, 0) / all.length);
  return {
    pages: sizes.page.length,
    pageBytes: mean(sizes.page),
    documents: sizes.document.length,
    documentBytes: mean(sizes.document),
  };
}

try {
  for (const count of SIZES) {
    const registry = join(folder, `registry-${count}`);
    const outDir = join(folder, `out-${count}`);
    for (const old of [registry, outDir]) rmSync(old, { recursive: true, force: true });
    generateRegistry(registry, count);
    const environment = { REGISTRY_DIR: registry, OUT_DIR: outDir };
    print(`${count} subsites; load ${loadavg()[0]!.toFixed(1)}`);

    const firstBuild = await run(['src/cli/build.ts', '--verbose'], environment);
    const routes = measureRoutes(join(outDir, 'current/client'));
    const total = routes.pages + routes.documents;
    print(
      `  first build: ${describeMeasurement(firstBuild)}; ${countRenderedPaths(firstBuild)} paths rendered, ${((firstBuild.seconds * 1000) / count).toFixed(1)} ms per subsite`,
    );

    const bareProject = join(folder, 'bare');
    writeBareProject(bareProject, routes);
    const bareBuild = await run([astroPath, 'build', '--root', bareProject]);
    rmSync(bareProject, { recursive: true, force: true });
    print(`  bare routes, ${total} of the same size: ${describeMeasurement(bareBuild)}`);
    print(
      `  first build to bare routes: ${(firstBuild.seconds / bareBuild.seconds).toFixed(2)} (goal 1.6), by CPU time ${(firstBuild.cpuSeconds / bareBuild.cpuSeconds).toFixed(2)}`,
    );

    const editedRecord = join(registry, 'subsites', readdirSync(join(registry, 'subsites'))[0]!);
    writeFileSync(
      editedRecord,
      readFileSync(editedRecord, 'utf8').replace(/^intro: .*/m, '$&\n  An edit.'),
    );
    const rebuild = await run(['src/cli/build.ts', '--verbose'], environment);
    print(
      `  second build after one edit: ${describeMeasurement(rebuild)}; ${countRenderedPaths(rebuild)} paths rendered, ${(rebuild.seconds / firstBuild.seconds).toFixed(2)} times the first build`,
    );
    for (const old of [registry, outDir]) rmSync(old, { recursive: true, force: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
