import { labelKeys, unregisteredTaint } from '@karpenter/core/api';
import { isSameTaint, type Taint } from '@karpenter/core/values';

const keptDomains = ['kubernetes.io', 'k8s.io', 'node-restriction.kubernetes.io'];

/** Labels that a kubelet may give itself; the API server refuses those of its own domains. */
export function registrableLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !isKeptByKubernetes(key)));
}

function isKeptByKubernetes(key: string): boolean {
  const [domain = ''] = key.includes('/') ? key.split('/') : [];
  return keptDomains.some((kept) => domain === kept || domain.endsWith(`.${kept}`));
}

/** Tells that the node gets its taints at boot, so that nobody need copy them to it. */
export const bootLabels = { [labelKeys.doNotSyncTaints]: 'true' } as const;

export interface Tainted {
  readonly taints?: readonly Taint[] | undefined;
  readonly startupTaints?: readonly Taint[] | undefined;
}

/** All that a node starts with; without the last, pods could arrive before labels and taints are in place. */
export function bootTaints({ taints = [], startupTaints = [] }: Tainted): readonly Taint[] {
  const own = [...taints, ...startupTaints];
  return own.some((taint) => isSameTaint(taint, unregisteredTaint)) ? own : [...own, unregisteredTaint];
}
