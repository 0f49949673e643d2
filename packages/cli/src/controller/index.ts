/** The controllers without the simulator, for those who bring an AWS account of their own. */
export { runControllerProcess } from './controller-process.ts';
export { decisionLog } from './decision-log.ts';
export { logOutput } from './log-output.ts';
export { type PageSettings, pageHosts, pageSettings } from './page-settings.ts';
export { type ProcessSettings, processSettings, settingsWith } from './process-settings.ts';
export { addSettingOptions, settingArguments } from './setting-options.ts';
export { type SettingTexts, type SimulatedSettings, simulatedSettings } from './simulated-settings.ts';
export { webhookSettings } from './webhook-settings.ts';
