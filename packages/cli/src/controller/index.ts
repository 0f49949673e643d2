/**
 * The controllers as a process: settings, connection, leader election, log and metrics. It does not import
 * the simulator; `karpenter dev` and `controller --cloud simulated` pass it a simulated account. Writes to
 * the API server and AWS behind the write fence of the leader. Start with `controller-process.ts`, then
 * `leading.ts`.
 */
export { runControllerProcess } from './controller-process.ts';
export { decisionLog } from './decision-log.ts';
export { logOutput } from './log-output.ts';
export { type PageSettings, pageHosts, pageSettings } from './page-settings.ts';
export { type ProcessSettings, processSettings, settingsWith } from './process-settings.ts';
export { addSettingOptions, settingArguments } from './setting-options.ts';
export { type SettingTexts, type SimulatedSettings, simulatedSettings } from './simulated-settings.ts';
export { webhookSettings } from './webhook-settings.ts';
