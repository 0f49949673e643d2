import { isSameTaint, type Taint } from '../../values/index.ts';

type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export interface KnownTaint {
  readonly key: string;
  readonly effect: TaintEffect;
}

/** On nodes that are being disrupted or terminated. */
export const disruptedTaint = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' } as const;

/**
 * On nodes that a consolidation is about to remove. It asks kube-scheduler to bind pods elsewhere, since they would
 * have to move again; plans ignore it (ADR 0069).
 */
export const leavingTaint = { key: 'karpenter-ts/leaving', effect: 'PreferNoSchedule' } as const;

/** On nodes from boot until registration, so that no pod runs before labels and taints are synced. */
export const unregisteredTaint = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' } as const;

/** Taints that a starting node loses by itself; planning ignores them until the node is initialized. */
export const ephemeralTaints: readonly KnownTaint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
  unregisteredTaint,
];

/** Taints with this key prefix are ephemeral too, whatever their effect. */
const ephemeralTaintKeyPrefix = 'readiness.k8s.io/';

export function isEphemeralTaint(taint: Taint): boolean {
  return (
    taint.key.startsWith(ephemeralTaintKeyPrefix) ||
    ephemeralTaints.some((known) => isSameTaint(known, taint))
  );
}
