import type { SettingDefinition, SettingDefinitions } from './setting.ts';

/** The settings for `--help`: two lines each, in the order of the table. */
export function renderSettingsHelp(definitions: SettingDefinitions): string {
  return Object.values(definitions).map(helpLines).join('\n');
}

/** The settings as a Markdown table, for the reference docs. */
export function renderSettingsTable(definitions: SettingDefinitions): string {
  const rows = Object.values(definitions).map((setting) => [
    `\`--${setting.flag}\``,
    `\`${setting.env}\``,
    setting.accepts,
    setting.defaultText === '' ? '' : `\`${setting.defaultText}\``,
    setting.description,
  ]);
  return [
    ['Flag', 'Environment', 'Accepts', 'Default', 'Meaning'],
    ['---', '---', '---', '---', '---'],
    ...rows,
  ]
    .map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`)
    .join('\n');
}

function helpLines(setting: SettingDefinition): string {
  const value =
    setting.kind === 'boolean' ? '[=true|false]' : `=${setting.kind.replace(' ', '-').toUpperCase()}`;
  const fallback = setting.defaultText === '' ? '' : `; default ${setting.defaultText}`;
  return `  --${setting.flag}${value}  (${setting.env})\n      ${setting.description}: ${setting.accepts}${fallback}`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
