import { annotationKeys } from '@karpenter/core/api';
import { type PodView, upcomingUid } from '@karpenter/core/scheduling';
import { SeededRandom } from './chance.ts';
import type { RandomCluster } from './random-cluster.ts';

/** The same cluster with some groups of pods as virtual pods of CapacityBuffers. */
export function withBuffers(cluster: RandomCluster, seed: number): RandomCluster {
  return withGroups(cluster, seed, (pod) => {
    const annotations = { [annotationKeys.bufferPod]: 'true' };
    return { ...pod, metadata: { ...pod.metadata, annotations } };
  });
}

/** The same cluster with some groups of pods, and some pods of others, as pods that do not exist yet. */
export function withUpcomingPods(cluster: RandomCluster, seed: number): RandomCluster {
  const chance = new SeededRandom(seed);
  const { snapshot } = withGroups(cluster, seed, asUpcoming);
  const pods = snapshot.pods.map((pod) => (chance.happens(0.3) ? asUpcoming(pod) : pod));
  return { ...cluster, snapshot: { ...snapshot, pods } };
}

function asUpcoming(pod: PodView): PodView {
  const { name, namespace } = pod.metadata;
  const owner = { kind: 'ReplicaSet', namespace, name: groupOf(pod), uid: groupOf(pod) };
  const number = Number(name.slice(name.lastIndexOf('-') + 1));
  return { ...pod, metadata: { ...pod.metadata, uid: upcomingUid(owner, number) } };
}

function withGroups(
  { snapshot, options }: RandomCluster,
  seed: number,
  change: (pod: PodView) => PodView,
): RandomCluster {
  const chance = new SeededRandom(seed);
  const chosen = new Map<string, boolean>();
  const isChosen = (pod: PodView): boolean => {
    const group = groupOf(pod);
    const known = chosen.get(group) ?? chance.happens(0.4);
    chosen.set(group, known);
    return known;
  };
  const pods = snapshot.pods.map((pod) => (isChosen(pod) ? change(pod) : pod));
  return { snapshot: { ...snapshot, pods }, options };
}

function groupOf({ metadata: { name } }: PodView): string {
  return name.slice(0, name.lastIndexOf('-'));
}
