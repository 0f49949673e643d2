import { annotationKeys } from '@karpenter/core/api';
import type { PodView } from '@karpenter/core/scheduling';
import { SeededRandom } from './chance.ts';
import type { RandomCluster } from './random-cluster.ts';

/** The same cluster with some groups of pods as virtual pods of CapacityBuffers. */
export function withBuffers({ snapshot, options }: RandomCluster, seed: number): RandomCluster {
  const chance = new SeededRandom(seed);
  const chosen = new Map<string, boolean>();
  const isChosen = ({ metadata }: PodView): boolean => {
    const group = metadata.name.slice(0, metadata.name.lastIndexOf('-'));
    const known = chosen.get(group) ?? chance.happens(0.4);
    chosen.set(group, known);
    return known;
  };
  const pods = snapshot.pods.map((pod) => (isChosen(pod) ? virtual(pod) : pod));
  return { snapshot: { ...snapshot, pods }, options };
}

function virtual(pod: PodView): PodView {
  const annotations = { [annotationKeys.bufferPod]: 'true' };
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}
