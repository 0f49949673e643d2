import { labelKeys } from '@karpenter/core/api';
import type { FindingList } from '../finding.ts';
import { isStatic, type SourceGroup } from '../source/source-group.ts';
import type { PoolRequirement } from './instance-requirements.ts';
import { objectName } from './object-name.ts';

/** One NodePool of a group, with its capacity type and its share of the size. */
export interface MarketShare {
  readonly poolName: string;
  readonly requirements: readonly PoolRequirement[];
  /** Maximum number of nodes. */
  readonly nodes: number;
  /** Nodes of a static pool. */
  readonly replicas: number;
}

/** Pods spread over the values of this label, which are divided between the pools by the on-demand percentage. */
const spreadLabel = 'capacity-spread';
const spreadValues = 5;

/** Divides the size of the group between on-demand and spot, and reports the mapping of sizes and capacity types. */
export function marketShares(group: SourceGroup, findings: FindingList): readonly MarketShare[] {
  const { market, sizes } = group;
  reportSizes(group, findings);
  const { onDemandBase, onDemandPercentage } = market;
  const isSpot = onDemandBase === 0 && onDemandPercentage === 0;
  if (!isSpot && onDemandPercentage < 100) return ratio(group, findings);
  const capacityTypes = isSpot ? ['spot'] : onDemandTypes(group);
  findings.mapped(
    isSpot ? 'spot' : 'on-demand',
    `requirement on ${labelKeys.capacityType}: ${capacityTypes.join(', ')}`,
  );
  return [
    {
      poolName: objectName(group.name),
      requirements: [{ key: labelKeys.capacityType, operator: 'In', values: capacityTypes }],
      nodes: sizes.max,
      replicas: sizes.desired,
    },
  ];
}

function onDemandTypes({ nodeClass }: SourceGroup): string[] {
  return nodeClass.capacityReservationSelectorTerms === undefined ? ['on-demand'] : ['reserved', 'on-demand'];
}

/** Two pools. Each of the five values of the spread label stands for 20 % of the nodes. */
function ratio(group: SourceGroup, findings: FindingList): readonly MarketShare[] {
  const { sizes, market } = group;
  const { onDemandBase, onDemandPercentage } = market;
  const onDemand = Math.min(
    spreadValues - 1,
    Math.max(1, Math.round((onDemandPercentage / 100) * spreadValues)),
  );
  findings.approximate(
    `instancesDistribution: base ${onDemandBase}, ${onDemandPercentage} % on-demand above it`,
    `two NodePools with the label ${spreadLabel}: give pods a topologySpreadConstraint on it to divide them ${onDemand} to ${spreadValues - onDemand}`,
  );
  const values = Array.from({ length: spreadValues }, (_, index) => String(index + 1));
  const share = (capacityType: string, part: readonly string[], fraction: number): MarketShare => ({
    poolName: objectName(`${group.name}-${capacityType}`),
    requirements: [
      { key: labelKeys.capacityType, operator: 'In', values: [capacityType] },
      { key: spreadLabel, operator: 'In', values: [...part] },
    ],
    nodes: Math.max(1, shareOf(sizes.max, fraction)),
    replicas: shareOf(sizes.desired, fraction),
  });
  const shareOf = (total: number, fraction: number) => Math.ceil(total * fraction);
  const onDemandFraction = onDemandPercentage / 100;
  return [
    share('on-demand', values.slice(0, onDemand), onDemandFraction),
    share('spot', values.slice(onDemand), 1 - onDemandFraction),
  ];
}

function reportSizes(group: SourceGroup, findings: FindingList): void {
  const { min, max } = group.sizes;
  if (isStatic(group)) {
    findings.approximate(
      `minSize and maxSize: ${max}`,
      'a static NodePool with spec.replicas; it needs the feature gate StaticCapacity of the controller',
    );
    return;
  }
  findings.mapped(`maxSize: ${max}`, 'NodePool spec.limits.nodes');
  if (min > 0)
    findings.unmapped(
      `minSize: ${min}`,
      'Karpenter makes nodes for pods alone: a CapacityBuffer keeps room for more, a static NodePool keeps nodes',
    );
}
