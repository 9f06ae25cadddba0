import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rebuildUnderLoad } from '../setup/rebuild-under-load.ts';

// Rebuilds a network under load and prints the numbers of successful and failed requests. Accepts
// the number of rebuilds: `node test/bench/releases.ts 10`.

const rounds = Number(process.argv[2] ?? 50);
const folder = mkdtempSync(join(tmpdir(), 'frontage-releases-'));
try {
  const { successCount, failures, titles, residentBytes } = await rebuildUnderLoad(folder, rounds);
  const servedCount = titles
    .slice(0, -1)
    .filter((title, index) => title.endsWith(` ${index + 1}`)).length;
  process.stdout.write(
    `${rounds} rebuilds, ${servedCount} served; ${successCount} requests answered, ${failures.length} failed; rolled back to “${titles.at(-1)}”\n`,
  );
  const memory = residentBytes.flatMap((bytes, index) =>
    (index + 1) % 10 ? [] : [`${Math.round(bytes / 2 ** 20)} MiB after ${index + 1}`],
  );
  if (memory.length) process.stdout.write(`Resident memory of the server: ${memory.join(', ')}\n`);
  for (const failure of failures.slice(0, 20)) process.stdout.write(`  ${failure}\n`);
  if (failures.length || servedCount !== rounds) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
