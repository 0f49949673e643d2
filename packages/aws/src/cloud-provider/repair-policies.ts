import { minutes } from '@karpenter/core/api';
import type { RepairPolicy } from '@karpenter/core/ports';

const falseFor30Minutes = { conditionStatus: 'False', toleration: minutes(30) };

/** Karpenter's policies, on conditions that the kubelet and the EKS node monitoring agent set. */
export const repairPolicies: readonly RepairPolicy[] = [
  { conditionType: 'Ready', ...falseFor30Minutes },
  { conditionType: 'Ready', conditionStatus: 'Unknown', toleration: minutes(30) },
  { conditionType: 'AcceleratedHardwareReady', conditionStatus: 'False', toleration: minutes(10) },
  { conditionType: 'StorageReady', ...falseFor30Minutes },
  { conditionType: 'NetworkingReady', ...falseFor30Minutes },
  { conditionType: 'KernelReady', ...falseFor30Minutes },
  { conditionType: 'ContainerRuntimeReady', ...falseFor30Minutes },
];
