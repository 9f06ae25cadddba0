import { buildProgram } from '../build/program.ts';

// `node src/cli/bundle.ts <folder>` bundles the program into a folder of builds, for the launcher.
try {
  await buildProgram(process.argv[2]!);
} catch (error) {
  process.stderr.write(
    `The program runs from its sources, because it cannot be bundled: ${(error as Error).message}\n`,
  );
}
