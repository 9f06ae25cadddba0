import { buildProgram } from '../build/program.ts';
import { readSettings, SettingsError } from '../settings.ts';
import { createLockFile } from './lock-out-dir.ts';

// `node src/cli/bundle.ts <folder>` bundles the program into a folder of builds, for the launcher.
const outDir = process.argv[2]!;
try {
  readSettings();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  // The command reports the invalid settings; until they are corrected, nothing is written.
  process.exit();
}
try {
  createLockFile(outDir);
  await buildProgram(outDir);
} catch (error) {
  process.stderr.write(
    `Running from the sources, because the program cannot be bundled: ${(error as Error).message}\n`,
  );
}
