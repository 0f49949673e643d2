import { type AwsSettings, awsSettings } from '@karpenter/aws';
import { type CoreSettings, coreSettings, parseSettings } from '@karpenter/core/api';
import { type PageSettings, pageSettings } from './page-settings.ts';
import { type WebhookSettings, webhookSettings } from './webhook-settings.ts';

/** All settings of the controller process. */
export const processSettings = {
  ...coreSettings,
  ...awsSettings,
  ...pageSettings,
  ...webhookSettings,
} as const;

export type ProcessSettings = CoreSettings & AwsSettings & PageSettings & WebhookSettings;

/** Settings of a process that plays everything itself, as if nobody had set anything but these. */
export function settingsWith(flags: Readonly<Record<string, string>>): ProcessSettings {
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  return parseSettings(processSettings, args, {}).settings;
}
