import type { PodMetadata } from '@karpenter/core/scheduling';
import type { PlanSimulation } from '../simulation.ts';

type PodIdentity = Pick<PodMetadata, 'name' | 'namespace' | 'uid'>;

/**
 * Pod names by uid, including ignored and held pods: the plain name if it is unique, else `namespace/name`, else the
 * uid.
 */
export function podNames({
  snapshot,
  findings,
}: Pick<PlanSimulation, 'snapshot' | 'findings'>): ReadonlyMap<string, string> {
  const pods: readonly PodIdentity[] = [
    ...snapshot.pods.map(({ metadata }) => metadata),
    ...findings.ignored,
    ...findings.held,
  ];
  const taken = new Map<string, number>();
  const spellings = ({ name, namespace }: PodIdentity) => [name, `${namespace}/${name}`];
  for (const spelling of pods.flatMap(spellings)) taken.set(spelling, (taken.get(spelling) ?? 0) + 1);
  return new Map(
    pods.map((pod) => [pod.uid, spellings(pod).find((spelling) => taken.get(spelling) === 1) ?? pod.uid]),
  );
}
