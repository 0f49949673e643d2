import { fieldOf } from '@karpenter/core/conversion';
import { isJsonObject, type JsonObject } from '@karpenter/core/schema';

const globalSettingsName = 'karpenter-global-settings';

export interface MovedSetting {
  readonly key: string;
  readonly value: string;
  /** The environment variable that replaces the key; absent if none does. */
  readonly variable?: string;
  /** What replaces a key without a variable. */
  readonly advice?: string;
}

const variables: Readonly<Record<string, string>> = {
  'aws.clusterName': 'CLUSTER_NAME',
  'aws.clusterEndpoint': 'CLUSTER_ENDPOINT',
  'aws.clusterCABundle': 'CLUSTER_CA_BUNDLE',
  'aws.isolatedVPC': 'ISOLATED_VPC',
  'aws.vmMemoryOverheadPercent': 'VM_MEMORY_OVERHEAD_PERCENT',
  'aws.interruptionQueueName': 'INTERRUPTION_QUEUE',
  'aws.reservedENIs': 'RESERVED_ENIS',
  batchMaxDuration: 'BATCH_MAX_DURATION',
  batchIdleDuration: 'BATCH_IDLE_DURATION',
};

const withoutVariable: Readonly<Record<string, string>> = {
  'aws.defaultInstanceProfile': 'set role or instanceProfile in each EC2NodeClass',
  'aws.enablePodENI': 'nothing replaces it, branch interfaces are always counted',
  'aws.enableENILimitedPodDensity': 'set kubelet.maxPods in the EC2NodeClass to change the number of pods',
  'aws.tags': 'set tags in each EC2NodeClass',
  'featureGates.driftEnabled': 'nothing replaces it, drift is always on',
};

/** Whether an object is the ConfigMap that held the settings of the controller up to v0.32. */
export function isGlobalSettings(object: JsonObject): boolean {
  return object['kind'] === 'ConfigMap' && fieldOf(object, ['metadata', 'name']) === globalSettingsName;
}

/** The settings of the ConfigMap that are not empty, in its order. */
export function movedSettings(configMap: JsonObject): readonly MovedSetting[] {
  const data = configMap['data'];
  const entries = Object.entries(isJsonObject(data) ? data : {});
  return entries
    .filter(([, value]) => value !== '' && value !== null)
    .map(([key, value]) => movedSetting(key, String(value)));
}

function movedSetting(key: string, value: string): MovedSetting {
  const variable = Object.hasOwn(variables, key) ? variables[key] : undefined;
  if (variable !== undefined) return { key, value, variable };
  const known = key.startsWith('aws.tags.') ? 'aws.tags' : key;
  const advice = Object.hasOwn(withoutVariable, known) ? withoutVariable[known] : undefined;
  return { key, value, advice: advice ?? 'nothing replaces it' };
}
