import type { Translator } from '../language/index.ts';
import { type ClusterRows, podName } from '../store/index.ts';
import { scarcerShare } from './layout/index.ts';
import type { MapTarget } from './scene/index.ts';

/** What a screen reader says of the object under the cursor. */
export function announcement(
  { node, pod }: MapTarget,
  rows: ClusterRows,
  { text, format }: Translator,
): string {
  if (pod !== undefined)
    return text('map.announcePod', { name: podName(pod), phase: text(`phase.${pod.phase}`) });
  if (node === undefined) return '';
  return text('map.announceNode', {
    name: node.name,
    type: node.instanceType ?? '',
    percent: format.percent(scarcerShare(node.requested, node.allocatable)),
    pods: format.count(rows.podCountOf(node)),
  });
}
