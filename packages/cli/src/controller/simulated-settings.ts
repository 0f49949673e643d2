import { parseSettings, withDefaults } from '@karpenter/core/api';
import { type ProcessSettings, processSettings } from './process-settings.ts';

export type SettingTexts = Readonly<Partial<Record<keyof typeof processSettings, string>>>;

export interface SimulatedSettings {
  readonly settings: ProcessSettings;
  readonly warnings: readonly string[];
}

interface SettingSources {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Defaults other than those of a real cluster. */
  readonly defaults?: SettingTexts;
}

/** What every process with a simulated account begins with. */
const clusterDefaults: SettingTexts = { clusterName: 'dev' };

/** Settings of the controllers on a simulated account, which has an interruption queue named after the cluster. */
export function simulatedSettings({ args, env, defaults = {} }: SettingSources): SimulatedSettings {
  const parse = (texts: SettingTexts) => parseSettings(withDefaults(processSettings, texts), args, env);
  const texts = { ...clusterDefaults, ...defaults };
  const { clusterName } = parse(texts).settings;
  return parse({ ...texts, interruptionQueue: clusterName });
}
