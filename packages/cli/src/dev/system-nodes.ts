import { CodedError } from '@karpenter/core/errors';
import type { DurationMs } from '@karpenter/core/values';
import { instanceType, zones } from '@karpenter/ec2-catalogue';
import type { SimulatedNode } from '@karpenter/sim';

const typeName = 't3.large';
/** Capacity minus what kubelet and system reserve on this type; `pods` is the limit of its IP addresses. */
const allocatable = { cpu: '1930m', memory: '7220Mi', 'ephemeral-storage': '18Gi', pods: '35' };

/**
 * The managed node group with which an EKS cluster starts. Karpenter itself runs there; the taint keeps other pods
 * off, and Karpenter does not manage these nodes. Their IP addresses lie outside the range that the simulated account
 * assigns to instances.
 */
export function systemNodes(region: string, bootDelay: DurationMs): readonly SimulatedNode[] {
  const info = instanceType(typeName);
  if (info === undefined)
    throw new CodedError('unknown-resource', `the catalogue has no instance type ${typeName}`);
  const { DefaultVCpus: cpus } = info.VCpuInfo;
  const { SizeInMiB: memory } = info.MemoryInfo;
  return zones(region)
    .slice(0, 2)
    .map(({ name: zone }, index) => ({
      name: `ip-192-168-${index}-10.${region}.compute.internal`,
      providerID: `aws:///${zone}/i-0system0000000${index}`,
      labels: { 'eks.amazonaws.com/nodegroup': 'system' },
      taints: [{ key: 'CriticalAddonsOnly', value: 'true', effect: 'NoSchedule' }],
      capacity: { cpu: String(cpus), memory: `${memory}Mi`, 'ephemeral-storage': '20Gi', pods: '35' },
      allocatable,
      zone,
      region,
      instanceType: typeName,
      architecture: 'amd64',
      operatingSystem: 'linux',
      internalIP: `192.168.${index}.10`,
      boot: { ready: bootDelay },
    }));
}
