import type { SettingDefinition, SettingDefinitions } from './setting.ts';

/**
 * The same settings with other defaults, written as the value of a flag. A default that cannot be read is a mistake of
 * the caller and stays as it was.
 */
export function withDefaults<const Definitions extends SettingDefinitions>(
  definitions: Definitions,
  texts: { readonly [Name in keyof Definitions]?: string },
): Definitions {
  const changed = Object.entries(definitions).map(([name, definition]) => [
    name,
    withDefault(definition, texts[name]),
  ]);
  return Object.fromEntries(changed) as Definitions;
}

function withDefault(definition: SettingDefinition, text: string | undefined): SettingDefinition {
  if (text === undefined) return definition;
  const reading = definition.read(text, 'flag');
  return 'value' in reading ? { ...definition, default: reading.value, defaultText: text } : definition;
}
