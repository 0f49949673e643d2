import { type Command, CommanderError } from 'commander';

/**
 * Replaces commander's command `help`, which prints the help of the program for a name that does not exist. This one
 * says what is wrong, as the program does for an unknown command, also for commands of commands: `help migrate run`.
 */
export function addHelpCommand(program: Command): void {
  program.helpCommand(false);
  program
    .command('help')
    .description('print the help of a command')
    .argument('[command...]', 'its name')
    .helpOption(false)
    .action(async (names: readonly string[]) => (await commandNamed(program, names)).outputHelp());
  for (const command of program.commands) if (command.commands.length > 0) addHelpCommand(command);
}

async function commandNamed(program: Command, names: readonly string[]): Promise<Command> {
  let command = program;
  for (const name of names) {
    const found = command.commands.find((each) => each.name() === name || each.aliases().includes(name));
    command = found ?? (await unknownCommand(command, name));
  }
  return command;
}

/** Imports the suggestion when it is needed: every command would load it at its start. */
async function unknownCommand(parent: Command, name: string): Promise<never> {
  const { nearestName } = await import('@karpenter/core/values');
  const known = parent.commands.map((command) => command.name());
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : `\n(Did you mean ${nearest}?)`;
  parent.error(`error: unknown command '${name}'${hint}`, { code: 'commander.unknownCommand', exitCode: 2 });
  throw new CommanderError(2, 'commander.unknownCommand', name);
}
