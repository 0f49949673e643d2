/**
 * The settings of the controller: flags, environment variables, defaults and feature gates, parsed as
 * Go's flag package does. Pure parsing; the caller passes arguments and environment. Start with
 * `core-settings.ts`.
 */

export { type CoreFeatureGate, type CoreSettings, coreSettings } from './core-settings.ts';
export { withDefaults } from './other-defaults.ts';
export { parseSettings } from './parse-settings.ts';
export { renderSettingsHelp, renderSettingsTable } from './render-settings.ts';
export {
  type DefaultSpreadConstraint,
  parseSchedulerConfig,
} from './scheduler-config.ts';
export type { SettingDefinition, Settings } from './setting.ts';
export {
  booleanSetting,
  choiceSetting,
  durationSetting,
  integerSetting,
  numberSetting,
  textSetting,
} from './setting-kinds.ts';
