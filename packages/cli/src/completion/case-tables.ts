import type { CompletedCommand, CompletedOption, CompletedValue } from './completed-command.ts';

/** How a shell offers things; each is a command of its script. */
export interface Offers {
  readonly value: (value: CompletedValue) => string;
  readonly options: (options: readonly CompletedOption[]) => string;
  readonly subcommands: (command: CompletedCommand) => string;
}

/** Any text as one word of bash or zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The arms of the `case` commands of a script for bash or zsh, which share their syntax. */
export function caseTables(commands: readonly CompletedCommand[], offers: Offers) {
  const options = commands.flatMap((command) => command.options.map((option) => ({ command, option })));
  const withValue = options.filter(({ option }) => option.value !== undefined);
  const flagsOf = (chosen: typeof options) =>
    chosen.flatMap(({ command, option }) => option.flags.map((flag) => `${command.place} ${flag}`));
  return {
    variadicOptions: pattern(flagsOf(withValue.filter(({ option }) => option.isVariadic))),
    valueOptions: pattern(flagsOf(withValue.filter(({ option }) => !option.isVariadic))),
    places: pattern(
      commands.flatMap(({ place, subcommands }) => subcommands.map(({ name }) => `${place} ${name}`)),
    ),
    values: withValue.map(({ command, option }) =>
      arm(pattern(flagsOf([{ command, option }])), offers.value(option.value ?? { kind: 'any' })),
    ),
    options: commands.map((command) => arm(quoted(command.place), offers.options(command.options))),
    words: commands.flatMap((command) => wordArms(command, offers)),
  };
}

/** Arms for the place and how many words follow it, which say what the next word can be. */
function wordArms(command: CompletedCommand, offers: Offers): readonly string[] {
  const { place, subcommands } = command;
  if (subcommands.length > 0) return [arm(quoted(`${place} 0`), offers.subcommands(command))];
  return command.arguments.map(({ value, isVariadic }, index) =>
    arm(isVariadic ? `${quoted(`${place} `)}*` : quoted(`${place} ${index}`), offers.value(value)),
  );
}

const arm = (patterns: string, action: string) => `    ${patterns}) ${action} ;;`;

/** Without alternatives it is a pattern that nothing matches: every word has a blank before it. */
function pattern(alternatives: readonly string[]): string {
  return alternatives.length === 0 ? "''" : alternatives.map(quoted).join('|');
}
