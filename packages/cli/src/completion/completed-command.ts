import type { Argument, Command, Option } from 'commander';

/** What can stand for a value: one of some words, a path, or anything. */
export type CompletedValue =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'directories' | 'any' };

export interface CompletedOption {
  /** With their dashes: `-o`, `--output`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent for options that the next word does not belong to. */
  readonly value?: CompletedValue;
  /** Whether the option takes all words up to the next option. */
  readonly isVariadic: boolean;
}

interface CompletedArgument {
  readonly value: CompletedValue;
  readonly isVariadic: boolean;
}

export interface CompletedCommand {
  /** The words that lead to the command, such as `faults set`; empty for the program itself. */
  readonly place: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly CompletedArgument[];
}

/** The program and all its commands, as their help shows them. */
export function completedCommands(program: Command): readonly CompletedCommand[] {
  return [...described(program, '')];
}

function* described(command: Command, place: string): Generator<CompletedCommand> {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command);
  const names = subcommands.map((each) => each.name());
  yield {
    place,
    subcommands: subcommands.map((each) => ({ name: each.name(), description: each.description() })),
    // Settings are hidden from the list of options, because the help describes them in a list of their own.
    options: [...help.visibleOptions(command), ...command.options.filter(({ hidden }) => hidden)].map(
      optionOf,
    ),
    arguments: command.registeredArguments.map(argumentOf),
  };
  for (const each of subcommands) {
    const below = place === '' ? each.name() : `${place} ${each.name()}`;
    if (each.name() === 'help') yield helpCommand(below, names);
    else yield* described(each, below);
  }
}

/** Commander does not say that the argument of `help` is a command. */
function helpCommand(place: string, names: readonly string[]): CompletedCommand {
  const value = { kind: 'words' as const, words: names.filter((name) => name !== 'help') };
  return { place, subcommands: [], options: [], arguments: [{ value, isVariadic: false }] };
}

function optionOf({
  short,
  long,
  description,
  required,
  variadic,
  argChoices,
  flags,
}: Option): CompletedOption {
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    isVariadic: variadic,
    ...(required && { value: valueKindOf(argChoices, /<(\w+)/.exec(flags)?.[1]) }),
  };
}

function argumentOf(argument: Argument): CompletedArgument {
  return { value: valueKindOf(argument.argChoices, argument.name()), isVariadic: argument.variadic };
}

/** The placeholder in the help says whether a value is a path. */
function valueKindOf(
  choices: readonly string[] | undefined,
  placeholder: string | undefined,
): CompletedValue {
  if (choices !== undefined) return { kind: 'words', words: choices };
  if (placeholder === 'file' || placeholder === 'files') return { kind: 'files' };
  return { kind: placeholder === 'directory' ? 'directories' : 'any' };
}
