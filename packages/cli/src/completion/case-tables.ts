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

type CaseTables = ReturnType<typeof caseTables>;

/**
 * Shell code that counts one `$word` before the cursor: it changes `$place`, the options that are `$open` for more
 * values, or the `$count` of words. `skipValue` passes over the value of an option.
 */
export function countedWord(
  { variadicOptions, valueOptions, places }: CaseTables,
  skipValue: string,
): string {
  return `    case "$place $word" in
    ${variadicOptions}) open=$word ;;
    ${valueOptions})${skipValue} ;;
    ${places}) place="\${place:+$place }$word" ;;
    *' -'*) open='' ;;
    *) count=$((count + 1)) ;;
    esac`;
}

/** Shell code that offers what fits at the cursor: a value of the option before it, an option, or a word. */
export function offeredWords({ values, options, words }: CaseTables): string {
  return `  [[ $cur == -* ]] && open=''
  for option in "$prev" "$open"; do
    case "$place $option" in
${values.join('\n')}
    *) continue ;;
    esac
    return
  done
  if [[ $cur == -* ]]; then
    case "$place" in
${options.join('\n')}
    esac
    return
  fi
  case "$place $count" in
${words.join('\n')}
  esac`;
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
