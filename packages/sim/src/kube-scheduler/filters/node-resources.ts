import type { SchedulerAmounts } from '../pods/amounts.ts';
import type { NodeInfo } from '../state/node-info.ts';
import type { Filter, Obstacle } from './filter.ts';

interface Shortage {
  readonly reason: string;
  /** Whether the pod does not fit even on an empty node, so that preemption cannot help. */
  readonly isTooSmall: boolean;
}

function shortage(
  name: string,
  wanted: number,
  allocatable: number,
  requested: number,
): Shortage | undefined {
  if (wanted <= 0 || wanted <= allocatable - requested) return undefined;
  return { reason: `Insufficient ${name}`, isTooSmall: wanted > allocatable };
}

function shortages(
  wanted: SchedulerAmounts,
  { allocatable, requested }: NodeInfo,
): readonly (Shortage | undefined)[] {
  return [
    shortage('cpu', wanted.milliCpu, allocatable.milliCpu, requested.milliCpu),
    shortage('memory', wanted.memory, allocatable.memory, requested.memory),
    shortage(
      'ephemeral-storage',
      wanted.ephemeralStorage,
      allocatable.ephemeralStorage,
      requested.ephemeralStorage,
    ),
    ...[...wanted.others].map(([name, amount]) =>
      shortage(name, amount, allocatable.others.get(name) ?? 0, requested.others.get(name) ?? 0),
    ),
  ];
}

/** The fast path for the usual case; allocates nothing. */
function hasRoom(wanted: SchedulerAmounts, { allocatable, requested }: NodeInfo): boolean {
  return (
    wanted.milliCpu <= allocatable.milliCpu - requested.milliCpu &&
    wanted.memory <= allocatable.memory - requested.memory &&
    wanted.ephemeralStorage <= allocatable.ephemeralStorage - requested.ephemeralStorage &&
    wanted.others.size === 0
  );
}

function obstacle(wanted: SchedulerAmounts, node: NodeInfo): Obstacle | undefined {
  const isFull = node.pods.size + 1 > node.allowedPods;
  if (!isFull && hasRoom(wanted, node)) return undefined;
  const short = shortages(wanted, node).filter((one) => one !== undefined);
  const reasons = [...(isFull ? ['Too many pods'] : []), ...short.map(({ reason }) => reason)];
  if (reasons.length === 0) return undefined;
  return { reasons, isResolvable: !short.some(({ isTooSmall }) => isTooSmall) };
}

export const nodeResourcesFit: Filter = {
  name: 'NodeResourcesFit',
  prepare:
    ({ requests }) =>
    (node) =>
      obstacle(requests, node),
};
