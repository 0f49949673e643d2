import type { Taint } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type { Node, NodeCondition } from 'kubernetes-types/core/v1.js';
import { instantOf, timestamp } from '../../objects/timestamp.ts';

/** A node without a heartbeat for this long becomes Unknown (node-monitor-grace-period). */
const gracePeriodMs = 40_000;
/** A new node may take longer until its first heartbeat (node-startup-grace-period). */
const startupGracePeriodMs = 60_000;

const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The last heartbeat of a node, by its Lease or by its conditions, whichever is newer. */
function lastHeartbeat(node: Node, lease: Lease | undefined): Instant {
  const renewed = instantOf(lease?.spec?.renewTime) ?? 0;
  const heartbeats = (node.status?.conditions ?? [])
    .filter(({ reason }) => reason !== 'NodeStatusUnknown' && reason !== 'NodeStatusNeverUpdated')
    .map(({ lastHeartbeatTime }) => instantOf(lastHeartbeatTime) ?? 0);
  return Math.max(renewed, 0, ...heartbeats);
}

/**
 * When the node becomes Unknown without a further heartbeat. Counts at the earliest from the start of the
 * controller: while it was down, the API server may have been down too, and kubelets need time to reconnect.
 */
export function heartbeatDeadline(node: Node, lease: Lease | undefined, startedAt: Instant): Instant {
  const heartbeat = lastHeartbeat(node, lease);
  const created = instantOf(node.metadata?.creationTimestamp) ?? 0;
  return heartbeat === 0
    ? Math.max(created, startedAt) + startupGracePeriodMs
    : Math.max(heartbeat, startedAt) + gracePeriodMs;
}

/** The Unknown conditions of a node without heartbeats; undefined if it has them already. */
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

/**
 * The taints that follow from conditions and cordon, merged with those of others; undefined if nothing
 * changes.
 */
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
  const readinessTaint = ready === 'True' ? undefined : ready === 'Unknown' ? unreachable : notReady;
  return [
    ...pressures.map(([, key]) => ({ key, effect: 'NoSchedule' })),
    ...(isCordoned ? [{ key: unschedulable, effect: 'NoSchedule' }] : []),
    ...(readinessTaint === undefined
      ? []
      : [
          { key: readinessTaint, effect: 'NoSchedule' },
          { key: readinessTaint, effect: 'NoExecute' },
        ]),
  ];
}
