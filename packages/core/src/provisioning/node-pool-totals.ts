import {
  equalResources,
  formatQuantity,
  parseResourceList,
  type QuantityTexts,
  resourceAmount,
  toInteger,
} from '../values/index.ts';

/** Reported with zero when a pool has no nodes, as Karpenter does. */
const zeroTotals: QuantityTexts = { cpu: '0', memory: '0', pods: '0', 'ephemeral-storage': '0', nodes: '0' };

export interface NodePoolTotals {
  readonly resources: QuantityTexts;
  readonly nodes: number;
}

/** The `resources` and `nodes` of a NodePool's status. */
export function nodePoolTotals(resources: QuantityTexts = {}): NodePoolTotals {
  const nodes = resourceAmount(parseResourceList(resources), 'nodes');
  return {
    resources: { ...zeroTotals, ...resources, nodes: formatQuantity(nodes) },
    nodes: Number(toInteger(nodes)),
  };
}

export function equalTotals(
  a: NodePoolTotals,
  b: { readonly resources?: QuantityTexts | undefined; readonly nodes?: number | undefined },
): boolean {
  return (
    a.nodes === b.nodes &&
    b.resources !== undefined &&
    equalResources(parseResourceList(a.resources), parseResourceList(b.resources))
  );
}
