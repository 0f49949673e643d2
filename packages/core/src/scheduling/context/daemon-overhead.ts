import { type Requirements, requiredAlternatives, type Vocabulary } from '../../requirements/index.ts';
import {
  type HostPort,
  hostPorts,
  podRequests,
  type QuantityTexts,
  resourceTexts,
  type Taint,
  untolerated,
} from '../../values/index.ts';
import type { CompiledType } from '../instance-types/compiled-type.ts';
import type { PodView } from '../snapshot.ts';
import type { ResourceAxes } from './resource-axes.ts';

/** The pod that a DaemonSet would put on a node, in the terms of one plan. */
export interface Daemon {
  readonly pod: PodView;
  /** One for each of the alternative required terms; preferences do not count. */
  readonly alternatives: readonly Requirements[];
  readonly requests: QuantityTexts;
  readonly size: Float64Array;
  readonly hostPorts: readonly HostPort[];
}

export function compileDaemons(
  vocabulary: Vocabulary,
  axes: ResourceAxes,
  pods: readonly PodView[],
): readonly Daemon[] {
  return pods.map((pod) => {
    const requests = { ...resourceTexts(podRequests(pod)), pods: '1' };
    return {
      pod,
      alternatives: requiredAlternatives(vocabulary, pod.spec),
      requests,
      size: axes.vector(requests),
      hostPorts: hostPorts(pod),
    };
  });
}

/** Taints that merely ask to stay away do not keep daemons away. */
export function daemonTolerates({ pod }: Daemon, taints: readonly Taint[]): boolean {
  const left = untolerated(taints, pod.spec.tolerations ?? []);
  return left.every(({ effect }) => effect === 'PreferNoSchedule');
}

/** Whether the daemon runs on nodes of a type that a NodePool makes; keys the type says nothing of pass. */
export function daemonRunsOn(
  daemon: Daemon,
  isCompatible: (wanted: Requirements) => boolean,
  type: CompiledType,
): boolean {
  return daemon.alternatives.some((wanted) => isCompatible(wanted) && type.intersects(wanted));
}
