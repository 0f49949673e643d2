import type { WrittenPod } from '../input/objects.ts';

/** Bound pods by the name of their node. */
export function podsByNode<P extends WrittenPod>(pods: readonly P[]): ReadonlyMap<string, readonly P[]> {
  const byNode = new Map<string, P[]>();
  for (const pod of pods) {
    const name = pod.spec.nodeName ?? '';
    const known = byNode.get(name);
    if (known === undefined) byNode.set(name, [pod]);
    else known.push(pod);
  }
  return byNode;
}
