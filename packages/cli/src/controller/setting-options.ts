import { renderSettingsHelp, type SettingDefinition } from '@karpenter/core/api';
import { type Command, Option } from 'commander';

type Definitions = Readonly<Record<string, SettingDefinition>>;

/** Adds an option for each setting that the command has none for, and lists them at the end of its help. */
export function addSettingOptions(command: Command, definitions: Definitions): void {
  const own = new Set(command.options.map(({ long }) => long));
  const added = Object.entries(definitions).filter(([, { flag }]) => !own.has(`--${flag}`));
  for (const [, setting] of added) command.addOption(optionOf(setting).hideHelp());
  const help = () => renderSettingsHelp(Object.fromEntries(added));
  command.addHelpText('after', () => `\nSettings, each also an environment variable:\n${help()}\n`);
}

/** The settings among the given options, as `parseSettings` reads them. */
export function settingArguments(command: Command, definitions: Definitions): readonly string[] {
  return Object.values(definitions).flatMap((setting) => {
    const option = optionOf(setting);
    const isAdded = command.options.some(({ long, hidden }) => hidden && long === option.long);
    const value: unknown = command.getOptionValue(option.attributeName());
    return isAdded && value !== undefined ? [`${option.long}=${value}`] : [];
  });
}

function optionOf({ flag, kind, choices, description }: SettingDefinition): Option {
  const option = new Option(`--${flag} ${kind === 'boolean' ? '[value]' : '<value>'}`, description);
  // For shell completion. `parseSettings` refuses other values, in the same words as for variables.
  if (choices !== undefined) option.argChoices = [...choices];
  return option;
}
