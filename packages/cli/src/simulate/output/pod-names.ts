import type { PodView, Snapshot } from '@karpenter/core/scheduling';

/** Names of pods by uid: as short as they can be without two being the same. */
export function podNames({ pods }: Snapshot): ReadonlyMap<string, string> {
  const taken = new Map<string, number>();
  const spellings = ({ metadata: { name, namespace } }: PodView) => [name, `${namespace}/${name}`];
  for (const spelling of pods.flatMap(spellings)) taken.set(spelling, (taken.get(spelling) ?? 0) + 1);
  return new Map(
    pods.map((pod) => {
      const { uid } = pod.metadata;
      return [uid, spellings(pod).find((spelling) => taken.get(spelling) === 1) ?? uid];
    }),
  );
}
