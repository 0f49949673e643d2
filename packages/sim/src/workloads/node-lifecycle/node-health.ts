import type { Taint } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Node, NodeCondition } from 'kubernetes-types/core/v1.js';
import { instantOf, timestamp } from '../../objects/timestamp.ts';

/** Without a sign of life for so long, a node's state is unknown. */
export const gracePeriodMs = 40_000;
/** A node that has just joined has longer to speak for the first time. */
const startupGracePeriodMs = 60_000;

const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** When the node was last heard of: by its Lease, or by the conditions it wrote. */
export function lastSign(node: Node, lease: Lease | undefined): Instant {
  const renewed = instantOf(lease?.spec?.renewTime) ?? 0;
  const heartbeats = (node.status?.conditions ?? [])
    .filter(({ reason }) => reason !== 'NodeStatusUnknown' && reason !== 'NodeStatusNeverUpdated')
    .map(({ lastHeartbeatTime }) => instantOf(lastHeartbeatTime) ?? 0);
  return Math.max(renewed, 0, ...heartbeats);
}

/**
 * When silence will have lasted too long. It counts from when the controller began to listen at the earliest: while it
 * was down the API server may have been down too, and kubelets need the time to come back.
 */
export function silenceEnd(node: Node, lease: Lease | undefined, listeningSince: Instant): Instant {
  const sign = lastSign(node, lease);
  const created = instantOf(node.metadata?.creationTimestamp) ?? 0;
  return sign === 0
    ? Math.max(created, listeningSince) + startupGracePeriodMs
    : Math.max(sign, listeningSince) + gracePeriodMs;
}

/** The conditions of a node that has fallen silent; undefined when they say so already. */
export function unknownConditions({ status }: Node, now: Instant): readonly NodeCondition[] | undefined {
  const known = status?.conditions ?? [];
  const changed = reported.flatMap((type) => {
    const before = known.find((condition) => condition.type === type);
    if (before?.status === 'Unknown') return [];
    return [unknownCondition(type, before, now)];
  });
  return changed.length === 0 ? undefined : changed;
}

function unknownCondition(type: string, before: NodeCondition | undefined, now: Instant): NodeCondition {
  const at = timestamp(now);
  if (before === undefined) {
    const message = 'Kubelet never posted node status.';
    return {
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message,
      lastTransitionTime: at,
      lastHeartbeatTime: at,
    };
  }
  const message = 'Kubelet stopped posting node status.';
  return { ...before, status: 'Unknown', reason: 'NodeStatusUnknown', message, lastTransitionTime: at };
}

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';
const unschedulable = 'node.kubernetes.io/unschedulable';
const byCondition: Readonly<Record<string, string>> = {
  MemoryPressure: 'node.kubernetes.io/memory-pressure',
  DiskPressure: 'node.kubernetes.io/disk-pressure',
  PIDPressure: 'node.kubernetes.io/pid-pressure',
  NetworkUnavailable: 'node.kubernetes.io/network-unavailable',
};
const managed = new Set([notReady, unreachable, unschedulable, ...Object.values(byCondition)]);

/** The taints of a node as its conditions ask for; undefined when it has them. */
export function taintsFor({ spec, status }: Node, now: Instant): readonly Taint[] | undefined {
  const present = spec?.taints ?? [];
  const wanted = wantedTaints(status?.conditions ?? [], spec?.unschedulable ?? false);
  const isWanted = (taint: Taint) =>
    wanted.some((one) => one.key === taint.key && one.effect === taint.effect);
  const isPresent = (taint: Taint) =>
    present.some((one) => one.key === taint.key && one.effect === taint.effect);
  const kept = present.filter((taint) => !managed.has(taint.key) || isWanted(taint));
  const added = wanted.filter((taint) => !isPresent(taint));
  if (added.length === 0 && kept.length === present.length) return undefined;
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded: timestamp(now) }))];
}

function wantedTaints(conditions: readonly NodeCondition[], isCordoned: boolean): readonly Taint[] {
  const statusOf = (type: string) => conditions.find((condition) => condition.type === type)?.status;
  const pressures = Object.entries(byCondition).filter(([type]) => statusOf(type) === 'True');
  const ready = statusOf('Ready');
  const trouble = ready === 'True' ? undefined : ready === 'Unknown' ? unreachable : notReady;
  return [
    ...pressures.map(([, key]) => ({ key, effect: 'NoSchedule' })),
    ...(isCordoned ? [{ key: unschedulable, effect: 'NoSchedule' }] : []),
    ...(trouble === undefined
      ? []
      : [
          { key: trouble, effect: 'NoSchedule' },
          { key: trouble, effect: 'NoExecute' },
        ]),
  ];
}
