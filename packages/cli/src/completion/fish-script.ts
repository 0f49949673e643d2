import type { CompletedCommand, CompletedOption, CompletedValue } from './completed-command.ts';

/** A completion script for fish 3 and newer. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const options = commands.flatMap(({ place, options }) => options.map((option) => ({ place, option })));
  const valueFlags = options
    .filter(({ option }) => option.value !== undefined)
    .flatMap(({ place, option }) => option.flags.map((flag) => `${place} ${flag}`));
  const places = commands.flatMap(({ place, subcommands }) =>
    subcommands.map(({ name }) => `${place} ${name}`),
  );
  return `# fish completion of karpenter

# Succeeds after the given command; with a number only if that many words follow it.
function __karpenter_at
    set -l place ''
    set -l count 0
    set -l is_value 0
    for word in (commandline -opc)[2..]
        if test $is_value = 1
            set is_value 0
            continue
        end
        switch "$place $word"
            case ${valueFlags.map(quoted).join(' ')}
                set is_value 1
            case ${places.map(quoted).join(' ')}
                set place (string trim -- "$place $word")
            case '* -*'
            case '*'
                set count (math $count + 1)
        end
    end
    test "$place" = "$argv[1]"; or return 1
    test (count $argv) -lt 2; or test $count = "$argv[2]"
end

for program in karpenter kubectl-karpenter
    complete -c $program -e
    complete -c $program -f
${commands
  .flatMap(linesOf)
  .map((line) => `    ${line}`)
  .join('\n')}
end
`;
}

function linesOf(command: CompletedCommand): readonly string[] {
  const { place, subcommands, options } = command;
  return [
    ...subcommands.map(
      ({ name, description }) =>
        `${entry(`${quoted(place)} 0`)} -a ${quoted(name)} -d ${quoted(description)}`,
    ),
    ...options.map(
      (option) => `${entry(quoted(place))}${optionText(option)} -d ${quoted(option.description)}`,
    ),
    ...command.arguments.map(({ value, isVariadic }, index) => {
      const condition = isVariadic ? quoted(place) : `${quoted(place)} ${index}`;
      return `${entry(condition)}${valueText(value)}`;
    }),
  ];
}

const entry = (condition: string) => `complete -c $program -n ${quoted(`__karpenter_at ${condition}`)}`;

function optionText({ flags, value }: CompletedOption): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`,
  );
  return `${names.join('')}${value === undefined ? '' : ` -r${valueText(value)}`}`;
}

function valueText(value: CompletedValue): string {
  if (value.kind === 'words') return ` -f -a ${quoted(value.words.join(' '))}`;
  if (value.kind === 'any') return ' -f';
  return value.kind === 'files' ? ' -F' : " -f -a '(__fish_complete_directories)'";
}

/** Any text as one word of fish. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
