import { Command } from 'commander';
import { exitCodes, exitWithMessage } from './exit-codes.ts';
import { refuseOptionsTakenByNpm } from './npm-options.ts';
import { exitOnClosedPipe } from './output.ts';

/** A program that rejects options that npm consumed because `--` is missing. */
class NpmScript extends Command {
  readonly #script: string;

  constructor(script: string) {
    super(`npm run ${script} --`);
    this.#script = script;
  }

  override parse(...args: Parameters<Command['parse']>): this {
    refuseOptionsTakenByNpm(this, this.#script);
    return super.parse(...args);
  }

  override parseAsync(...args: Parameters<Command['parseAsync']>): Promise<this> {
    refuseOptionsTakenByNpm(this, this.#script);
    return super.parseAsync(...args);
  }
}

/**
 * The command line of a script in package.json. It exits with the usage code on incorrect usage,
 * and without a message when the reader of its output closes the pipe.
 */
export function createCommandLine(script: string): Command {
  exitOnClosedPipe();
  return new NpmScript(script).exitOverride(({ exitCode }) =>
    process.exit(exitCode === 0 ? 0 : exitCodes.usageError),
  );
}

/** The URL in an argument. Anything but an absolute HTTP URL ends the program with a message. */
export function requireHttpUrl(text: string, example: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  return exitWithMessage(
    `The URL must be an absolute http: or https: address, for example ${example}.`,
    exitCodes.usageError,
  );
}
