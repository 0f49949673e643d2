import type { NodeRow } from '../cluster-view/index.ts';
import type { PageNode } from '../page-api/index.ts';

/** A node without its list of pods, which the page knows from the pods, and with the reason why it is kept. */
export function pageNode(row: NodeRow, keptReason: string | undefined): PageNode {
  const { pods: _pods, podCounts: _counts, ...shown } = row;
  return keptReason === undefined ? shown : { ...shown, keptReason };
}
