import type { PageNode, PagePod } from '@karpenter/core/page-api';
import type { RowFilter } from '../filter/index.ts';
import type { ClusterRows } from '../store/index.ts';

/** The nodes that the filter keeps: by themselves, or for one of their pods, as on the map. Sorted by name. */
export function keptNodes(rows: ClusterRows, filter: RowFilter): readonly PageNode[] {
  return [...rows.nodes.values()]
    .filter((node) => filter.matchesNode(node) || hasKeptPod(rows, filter, node))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function hasKeptPod(rows: ClusterRows, filter: RowFilter, node: PageNode): boolean {
  for (const pod of rows.podsOf(node)) if (filter.matchesPod(pod, node)) return true;
  return false;
}

/** Pods that need attention first, then by name. */
export function keptPods(rows: ClusterRows, filter: RowFilter): readonly PagePod[] {
  const kept: PagePod[] = [];
  for (const pod of rows.pods.values())
    if (filter.isEmpty || filter.matchesPod(pod, nodeOf(rows, pod))) kept.push(pod);
  return kept.sort((a, b) => urgency(a) - urgency(b) || (a.name < b.name ? -1 : 1));
}

const nodeOf = (rows: ClusterRows, { nodeName }: PagePod): PageNode | undefined =>
  nodeName === undefined ? undefined : rows.nodeNamed(nodeName);

const urgencies: Readonly<Partial<Record<PagePod['phase'], number>>> = {
  failing: 0,
  pending: 1,
  starting: 2,
};
const urgency = ({ phase }: PagePod): number => urgencies[phase] ?? 3;
