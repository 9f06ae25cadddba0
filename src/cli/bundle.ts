import { buildProgram } from '../build/program.ts';

// `node src/cli/bundle.ts <folder>` bundles the program into a folder of builds, for the launcher.
try {
  await buildProgram(process.argv[2]!);
} catch (error) {
  process.stderr.write(
    `Running from the sources, because the program cannot be bundled: ${(error as Error).message}\n`,
  );
}
