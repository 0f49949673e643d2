import { type AmiFamilyName, type Bootstrap, userDataFor } from '@karpenter/aws';
import { unregisteredTaint } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { recordedLines } from '../recordings/recording.ts';

interface RecordedUserData {
  readonly family: string;
  readonly input: string;
  readonly userData: string;
  readonly error?: string;
}

const lines = recordedLines<RecordedUserData>('spec/aws-userdata.jsonl', 'KARPENTER_USER_DATA');

const plain: Bootstrap = {
  cluster: { name: 'dev', endpoint: 'https://dev.example', cidr: '10.100.0.0/16', caBundle: 'Y2E=' },
  kubelet: { maxPods: 58, clusterDNS: ['10.100.0.10'] },
  taints: [unregisteredTaint],
  labels: {
    'karpenter.sh/nodepool': 'default',
    'karpenter.sh/capacity-type': 'spot',
    'karpenter.sh/do-not-sync-taints': 'true',
    team: 'a',
  },
  imageVersion: '1.50.0',
};

const nodeConfig = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    config:
      maxPods: 42
`;

const toml = `[settings.kubernetes]
kube-api-qps = 30
[settings.kubernetes.node-labels]
team = 'a'
[settings.kernel.sysctl]
'vm.max_map_count' = '262144'
`;

const inputs: Readonly<Record<string, Bootstrap>> = {
  plain,
  nodeconfig: { ...plain, customUserData: nodeConfig },
  toml: { ...plain, customUserData: toml },
  taint: { ...plain, taints: [{ key: 'gpu', value: 'x', effect: 'NoSchedule' }, unregisteredTaint] },
  kubelet: {
    ...plain,
    kubelet: {
      maxPods: 110,
      clusterDNS: ['10.0.100.10'],
      kubeReserved: { cpu: '100m' },
      evictionHard: { 'memory.available': '5%' },
      evictionSoft: { 'memory.available': '10%' },
      evictionSoftGracePeriod: { 'memory.available': '1m' },
      imageGCHighThresholdPercent: 80,
      imageGCLowThresholdPercent: 50,
      cpuCFSQuota: false,
    },
  },
};

const families: Readonly<Record<string, AmiFamilyName>> = {
  AL2: 'AL2',
  AL2023: 'AL2023',
  Bottlerocket: 'Bottlerocket',
  Custom: 'Custom',
  Windows: 'Windows2022',
};

function made({ family, input }: RecordedUserData): Pick<RecordedUserData, 'userData' | 'error'> {
  const name = families[family];
  const bootstrap = inputs[input];
  if (name === undefined || bootstrap === undefined)
    throw new Error(`nothing is known of ${family}, ${input}`);
  try {
    return { userData: userDataFor(name, bootstrap) };
  } catch (error) {
    return { userData: '', error: error instanceof Error ? error.message : String(error) };
  }
}

describe.runIf(lines.length > 0)('user data', () => {
  it.each(lines)('equals Karpenter’s: $family, $input', (line) => {
    const { userData, error } = line;
    expect(made(line)).toEqual(error === undefined ? { userData } : { userData, error });
  });
});
