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

/** The pod that a DaemonSet runs on a node, compiled for one plan. Its requests are the daemon overhead. */
export interface Daemon {
  readonly pod: PodView;
  /**
   * One for each required node affinity term, any of which may match. Preferences of daemons do not count.
   */
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

/** Daemons run in spite of PreferNoSchedule taints, as in Karpenter. */
export function daemonTolerates({ pod }: Daemon, taints: readonly Taint[]): boolean {
  const left = untolerated(taints, pod.spec.tolerations ?? []);
  return left.every(({ effect }) => effect === 'PreferNoSchedule');
}

/**
 * Whether the daemon runs on instances of a type in a NodePool; keys that the type does not define are
 * ignored.
 */
export function daemonRunsOn(
  daemon: Daemon,
  isCompatible: (required: Requirements) => boolean,
  type: CompiledType,
): boolean {
  return daemon.alternatives.some((required) => isCompatible(required) && type.intersects(required));
}
