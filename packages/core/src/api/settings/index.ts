/**
 * The settings of the controller: flags, environment variables, defaults and feature gates, read like Go's
 * flag package does. Pure parsing; the process passes arguments and environment. Start with
 * `core-settings.ts`.
 */

export { type CoreFeatureGate, type CoreSettings, coreSettings } from './core-settings.ts';
export { type FeatureGates, featureGatesSetting, formatFeatureGates } from './feature-gates.ts';
export { type ParsedSettings, parseSettings } from './parse-settings.ts';
export { renderSettingsHelp, renderSettingsTable } from './render-settings.ts';
export {
  type DefaultSpreadConstraint,
  parseSchedulerConfig,
  type SchedulerConfig,
} from './scheduler-config.ts';
export type {
  SettingDefinition,
  SettingDefinitions,
  SettingKind,
  SettingReading,
  Settings,
} from './setting.ts';
export {
  booleanSetting,
  choiceSetting,
  durationSetting,
  integerSetting,
  numberSetting,
  textSetting,
} from './setting-kinds.ts';
