import { minutes } from '@karpenter/core/api';
import type { RepairPolicy } from '@karpenter/core/ports';

const unwell = { conditionStatus: 'False', toleration: minutes(30) };

/** What the kubelet says of itself, and what the node monitoring agent of EKS says of its node. */
export const repairPolicies: readonly RepairPolicy[] = [
  { conditionType: 'Ready', ...unwell },
  { conditionType: 'Ready', conditionStatus: 'Unknown', toleration: minutes(30) },
  { conditionType: 'AcceleratedHardwareReady', conditionStatus: 'False', toleration: minutes(10) },
  { conditionType: 'StorageReady', ...unwell },
  { conditionType: 'NetworkingReady', ...unwell },
  { conditionType: 'KernelReady', ...unwell },
  { conditionType: 'ContainerRuntimeReady', ...unwell },
];
