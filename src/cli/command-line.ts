import {
  type Argument,
  Command,
  type ErrorOptions,
  type HelpContext,
  type Option,
} from 'commander';
import { exitCodes } from './exit-codes.ts';
import { exitOnClosedPipe } from './output.ts';

/** Faults after which the rest of the command line can still be checked. */
const CONTINUABLE_CODES = new Set([
  'commander.excessArguments',
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
  'commander.unknownOption',
]);

/** Faults in a word that is not an option. */
const ARGUMENT_COUNT_CODES = new Set(['commander.excessArguments', 'commander.missingArgument']);

/** The part of a message that names an option with its value, such as `'--expires <period>'`. */
const flagsIn = (message: string): string => /'-[^']+[\]>]'/.exec(message)?.[0] ?? message;

/** An option or argument with a value parser. */
interface Parsable {
  parseArg?: (value: string, previous: unknown) => unknown;
}

/**
 * A command that reports every fault of its command line at once, before it does anything, and then
 * exits with the usage code. commander stops at the first fault.
 */
class CommandLine extends Command {
  readonly #faults: string[];
  #unknown: string[] = [];

  constructor(name?: string, faults: string[] = []) {
    super(name);
    this.#faults = faults;
    this.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : exitCodes.usageError));
    this.hook('preAction', () => this.exitOnErrors());
  }

  override createCommand(name?: string): CommandLine {
    return new CommandLine(name, this.#faults);
  }

  override addOption(option: Option): this {
    this.#collectFrom(option, (value) => `option '${option.flags}' argument '${value}'`);
    return super.addOption(option);
  }

  override addArgument(argument: Argument): this {
    this.#collectFrom(
      argument,
      (value) => `command-argument value '${value}' for argument '${argument.name()}'`,
    );
    return super.addArgument(argument);
  }

  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    const parseResult = super.parseOptions(args);
    this.#unknown = parseResult.unknown.filter((word) => /^--?[a-z]/i.test(word));
    return parseResult;
  }

  override parse(...args: Parameters<Command['parse']>): this {
    super.parse(...args);
    this.exitOnErrors();
    return this;
  }

  /** Prints the help in place of an unnamed command, unless something is wrong. */
  override help(context?: unknown): never {
    this.exitOnErrors();
    return super.help(context as HelpContext);
  }

  /** Collects a fault, or reports all faults if nothing more can be checked after this fault. */
  override error(message: string, options: ErrorOptions = {}): never {
    if (CONTINUABLE_CODES.has(options.code ?? '')) {
      const isUnknown = options.code === 'commander.unknownOption';
      // The values of unknown options look like arguments.
      const isUncertain =
        !isUnknown && this.#unknown.length && ARGUMENT_COUNT_CODES.has(options.code ?? '');
      // An option without its value is also missing.
      const hasNoValue = this.#faults.some((fault) => fault.includes(flagsIn(message)));
      if (!isUncertain && !hasNoValue) this.#faults.push(message);
      if (isUnknown)
        for (const flag of this.#unknown.slice(1))
          this.#faults.push(`error: unknown option '${flag}'`);
      return undefined as never;
    }
    for (const fault of this.#faults) this.configureOutput().writeErr?.(`${fault}\n`);
    return super.error(message, options);
  }

  /** If there are any faults, reports them and exits. */
  exitOnErrors(): void {
    const lastFault = this.#faults.pop();
    if (lastFault !== undefined) this.error(lastFault);
  }

  /** Makes a parser collect an error instead of throwing it. */
  #collectFrom(parsable: Parsable, placeOf: (value: string) => string): void {
    const { parseArg } = parsable;
    if (!parseArg) return;
    parsable.parseArg = (value: string | undefined, previous) => {
      // The value is missing, which is already a fault.
      if (value === undefined) return previous;
      try {
        return parseArg.call(parsable, value, previous);
      } catch (error) {
        const { code, message } = error as Error & { code?: string };
        if (code !== 'commander.invalidArgument') throw error;
        this.#faults.push(`error: ${placeOf(value)} is invalid. ${message}`);
        return previous;
      }
    };
  }
}

/**
 * A command that reports every fault, and exits with the usage code on incorrect usage and
 * without a message when the reader of its output closes the pipe.
 */
export function createCommandLine(name: string): Command {
  exitOnClosedPipe();
  return new CommandLine(name);
}
