import {
  type Argument,
  Command,
  type ErrorOptions,
  type HelpContext,
  InvalidArgumentError,
  type Option,
} from 'commander';
import { exitCodes } from './exit-codes.ts';
import { rejectOptionsConsumedByNpm } from './npm-options.ts';
import { exitOnClosedPipe } from './output.ts';
import { suggestNearest } from '../site/corrections/similar-names.ts';

/**
 * Codes of commander's errors about a single option or argument, after which the others can still
 * be checked.
 */
const SINGLE_FAULT_CODES: ReadonlySet<string | undefined> = new Set([
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
  'commander.excessArguments',
  'commander.invalidArgument',
]);

/**
 * A question that suggests the names that begin with a word or, if none does, the name closest to
 * it.
 */
function suggestName(word: string, names: readonly string[]): string {
  const longerNames = names.filter((name) => name.startsWith(word));
  return longerNames.length > 1
    ? ` Did you mean one of ${longerNames.join(', ')}?`
    : suggestNearest(word, longerNames.length ? longerNames : names);
}

/** Checks options and arguments together, and returns what is wrong with them. */
type UsageCheck<Options> = (options: Options, args: readonly string[]) => readonly string[];

/**
 * A command or subcommand that reports all mistakes in its options and arguments at once, before it
 * does anything.
 */
export class CommandLine extends Command {
  readonly #faults: string[];
  #listFaults: () => readonly string[] = () => [];

  constructor(name: string, faults: string[] = []) {
    super(name);
    this.#faults = faults;
    this.showSuggestionAfterError(false);
  }

  override createCommand(name = ''): CommandLine {
    return new CommandLine(name, this.#faults);
  }

  /** Adds a check of options and arguments together, for example that one of two is given. */
  addUsageCheck<Options extends object>(check: UsageCheck<Options>): this {
    this.#listFaults = () => check(this.opts<Options>(), this.args);
    return this;
  }

  override addOption(option: Option): this {
    if (option.parseArg)
      option.argParser(this.#collectFaults(option.parseArg, `option '${option.flags}' argument`));
    super.addOption(option);
    if (option.negate) this.#rejectOpposites(option.name(), option.name().slice('no-'.length));
    return this;
  }

  /** Reports two opposite options; commander would silently apply the last one. */
  #rejectOpposites(...names: readonly string[]): void {
    const found = new Set<string>();
    for (const name of names)
      this.on(`option:${name}`, () => {
        if (!found.has(name) && found.add(name).size === names.length)
          this.#faults.push(
            `error: ${names.map((other) => `--${other}`).join(' and ')} are opposites. Use one of them.`,
          );
      });
  }

  override addArgument(argument: Argument): this {
    if (argument.parseArg)
      argument.argParser(
        this.#collectFaults(argument.parseArg, `argument '${argument.name()}' value`),
      );
    return super.addArgument(argument);
  }

  /**
   * Creates a parser that holds back errors about invalid values until all values have been parsed.
   */
  #collectFaults<Value>(parse: (text: string, previous: Value) => Value, target: string) {
    return (text: string | undefined, previous: Value): Value => {
      // Commander has already reported that the value is missing.
      if (text === undefined) return previous;
      try {
        return parse(text, previous);
      } catch (error) {
        if (!(error instanceof InvalidArgumentError)) throw error;
        this.#faults.push(`error: ${target} '${text}' is invalid. ${error.message}`);
        return previous;
      }
    };
  }

  override error(message: string, options?: ErrorOptions): never {
    if (SINGLE_FAULT_CODES.has(options?.code)) {
      this.#faults.push(message);
      // Commander sets an option without a value to an empty string, which the check would report.
      if (options?.code === 'commander.optionMissingArgument') this.#listFaults = () => [];
      return undefined as never;
    }
    return super.error(
      [...this.#faults, ...this.#describeUnknownNames(message, options)].join('\n'),
      options,
    );
  }

  /** Rejects an unknown command followed by --help; commander would print this command's help. */
  override outputHelp(context?: object): void {
    const [word] = this.args[0] === 'help' ? this.args.slice(1) : this.args;
    const isCommand = (name: string) => this.commands.some((command) => command.name() === name);
    if (this.commands.length && word && !word.startsWith('-') && !isCommand(word))
      this.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' });
    super.outputHelp(context as HelpContext);
  }

  #describeUnknownNames(message: string, options: ErrorOptions | undefined): string[] {
    if (options?.code === 'commander.unknownCommand')
      return [`${message}.${this.#suggestCommand(this.args.find((word) => word !== 'help')!)}`];
    if (options?.code !== 'commander.unknownOption') return [message];
    const known = [this, this.parent].flatMap((command) =>
      command
        ? command
            .createHelp()
            .visibleOptions(command)
            .flatMap(({ long }) => long ?? [])
        : [],
    );
    const flags = this.args
      .filter((arg) => /^--?[a-z]/i.test(arg))
      .map((arg) => arg.replace(/=.*/s, ''));
    return flags.length
      ? flags.map((flag) => `error: unknown option '${flag}'.${suggestName(flag, known)}`)
      : [message];
  }

  /**
   * Advice about an unknown command: similar names, the only command, or where all commands are
   * listed.
   */
  #suggestCommand(word: string): string {
    const names = this.createHelp()
      .visibleCommands(this)
      .map((command) => command.name());
    const [onlyName, ...otherNames] = names.filter((name) => name !== 'help');
    return (
      suggestName(word, names) ||
      (otherNames.length
        ? ` See ${this.name()} --help.`
        : ` Did you mean ${this.name()} ${onlyName} ${word}?`)
    );
  }

  /** Prints all mistakes and ends the program, if there are any. */
  endIfFaulty(): void {
    const faults = [...this.#faults, ...this.#listFaults().map((fault) => `error: ${fault}`)];
    if (faults.length) super.error(faults.join('\n'));
  }
}

/** A program that rejects options that npm consumed because `--` is missing. */
class NpmScript extends CommandLine {
  readonly #script: string;

  constructor(script: string) {
    super(`npm run ${script} --`);
    this.#script = script;
    this.hook('preAction', (_, command) => {
      if (command instanceof CommandLine) command.endIfFaulty();
    });
  }

  override parse(...args: Parameters<Command['parse']>): this {
    rejectOptionsConsumedByNpm(this, this.#script);
    super.parse(...args);
    this.endIfFaulty();
    return this;
  }

  override parseAsync(...args: Parameters<Command['parseAsync']>): Promise<this> {
    rejectOptionsConsumedByNpm(this, this.#script);
    return super.parseAsync(...args);
  }
}

/**
 * The command line of a script in package.json. It exits with the usage code on incorrect usage,
 * and without a message when the reader of its output closes the pipe.
 */
export function createCommandLine(script: string): CommandLine {
  exitOnClosedPipe();
  return new NpmScript(script).exitOverride(({ exitCode }) =>
    process.exit(exitCode === 0 ? 0 : exitCodes.usageError),
  );
}

/** Creates a parser for absolute HTTP URLs. */
export const createUrlParser =
  (example: string) =>
  (text: string): URL => {
    if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
    throw new InvalidArgumentError(
      `Use an absolute http: or https: address, for example ${example}.`,
    );
  };

/** Creates a parser for whole numbers from 1 to `max`. */
export const createCountParser =
  (max: number) =>
  (text: string): number => {
    if (/^[1-9]\d*$/.test(text) && Number(text) <= max) return Number(text);
    throw new InvalidArgumentError(`Use a whole number from 1 to ${max}.`);
  };
