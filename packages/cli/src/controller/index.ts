/** The controllers without the simulator, for those who bring an AWS account of their own. */
export { type ControllerProcessOptions, runControllerProcess } from './controller-process.ts';
export { type ProcessSettings, settingsWith } from './process-settings.ts';
