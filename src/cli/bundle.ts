import { buildProgram } from '../build/program.ts';
import { createLockFile } from './lock-out-dir.ts';

// `node src/cli/bundle.ts <folder>` bundles the program into a folder of builds, for the launcher.
const outDir = process.argv[2]!;
try {
  createLockFile(outDir);
  await buildProgram(outDir);
} catch (error) {
  process.stderr.write(
    `Running from the sources, because the program cannot be bundled: ${(error as Error).message}\n`,
  );
}
