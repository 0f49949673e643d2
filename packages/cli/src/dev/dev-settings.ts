import { withDefaults } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import {
  processSettings,
  type SettingTexts,
  type SimulatedSettings,
  simulatedSettings,
} from '../controller/index.ts';

/** Where a development cluster differs from the defaults of the controllers. */
const devDefaults: SettingTexts = {
  clusterName: 'dev',
  disableLeaderElection: 'true',
  // A demo is small, and its decisions are what people look at.
  decisionLogClusters: '20',
  // Any free port: 8080 is that of the page, and several clusters may run at once.
  metricsPort: '0',
  healthProbePort: '0',
};

/** For the help of the command. */
export const devSettingDefinitions = withDefaults(processSettings, devDefaults);

/** Settings of the controllers of a development cluster, from flags and environment. */
export function devSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): SimulatedSettings {
  const parsed = simulatedSettings({ args, env, defaults: devDefaults });
  checkClusterName(parsed.settings.clusterName);
  return parsed;
}

/** The cluster name becomes part of AWS resource names and of the kubeconfig, so it must be a DNS label. */
function checkClusterName(text: string): void {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return;
  throw new CodedError(
    'invalid-setting',
    `--cluster-name ${JSON.stringify(text)} is not usable; write lower-case letters, digits and dashes, 63 at most`,
    { details: { flag: '--cluster-name', value: text } },
  );
}
