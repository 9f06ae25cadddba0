import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateRegistry } from './setup/generated-registry.ts';
import { measure } from './setup/measure.ts';

// Measures time and memory of checking registries with 60, 1,000 and 10,000 subsites, in total and
// per subsite.
const folder = mkdtempSync(join(tmpdir(), 'frontage-bench-'));
try {
  for (const count of [60, 1000, 10_000]) {
    const registry = join(folder, String(count));
    generateRegistry(registry, count);
    const { seconds, peakMegabytes, status, output } = await measure(process.execPath, [
      'src/cli/check.ts',
      registry,
    ]);
    if (status !== 0) throw new Error(output);
    process.stdout.write(
      `check of ${count} subsites: ${seconds.toFixed(2)} s, ${peakMegabytes.toFixed(0)} MB, ${((seconds * 1000) / count).toFixed(2)} ms each\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
