import { labelKeys, unregisteredTaint } from '@karpenter/core/api';
import { isSameTaint, type Taint } from '@karpenter/core/values';

const restrictedDomains = ['kubernetes.io', 'k8s.io', 'node-restriction.kubernetes.io'];

/**
 * Labels that a kubelet may set on its own node. The NodeRestriction
 * admission plugin rejects those of Kubernetes domains.
 */
export function registrableLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !isRestricted(key)));
}

function isRestricted(key: string): boolean {
  const [domain = ''] = key.includes('/') ? key.split('/') : [];
  return restrictedDomains.some((restricted) => domain === restricted || domain.endsWith(`.${restricted}`));
}

/** Marks that the node sets its taints at boot, so that registration does not sync them again. */
export const bootLabels = { [labelKeys.doNotSyncTaints]: 'true' } as const;

export interface Tainted {
  readonly taints?: readonly Taint[] | undefined;
  readonly startupTaints?: readonly Taint[] | undefined;
}

/** Taints at boot. The unregistered taint keeps pods off until Karpenter has synced labels and taints. */
export function bootTaints({ taints = [], startupTaints = [] }: Tainted): readonly Taint[] {
  const own = [...taints, ...startupTaints];
  return own.some((taint) => isSameTaint(taint, unregisteredTaint)) ? own : [...own, unregisteredTaint];
}
