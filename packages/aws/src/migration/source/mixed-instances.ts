import type { FindingList } from '../finding.ts';
import type { DescribedGroup } from './described-groups.ts';
import type { GroupMarket } from './source-group.ts';

/** Without a percentage the default of Auto Scaling applies: all on-demand. */
export function marketOf({ MixedInstancesPolicy: policy }: DescribedGroup, isSpot: boolean): GroupMarket {
  const distribution = policy?.InstancesDistribution;
  if (distribution === undefined) return { onDemandBase: 0, onDemandPercentage: isSpot ? 0 : 100 };
  return {
    onDemandBase: distribution.OnDemandBaseCapacity ?? 0,
    onDemandPercentage: distribution.OnDemandPercentageAboveBaseCapacity ?? 100,
  };
}

export function overriddenTypes({ MixedInstancesPolicy: policy }: DescribedGroup): readonly string[] {
  return (policy?.LaunchTemplate?.Overrides ?? []).flatMap(({ InstanceType }) => InstanceType ?? []);
}

/** Reports settings of the group that have no equivalent. */
export function reportGroup(group: DescribedGroup, findings: FindingList): void {
  const { TargetGroupARNs = [], LoadBalancerNames = [], MixedInstancesPolicy: policy } = group;
  for (const arn of TargetGroupARNs)
    findings.unmapped(
      `target group ${arn}`,
      'nodes of Karpenter join no target group: use the AWS Load Balancer Controller',
    );
  for (const name of LoadBalancerNames)
    findings.unmapped(
      `load balancer ${name}`,
      'nodes of Karpenter join no load balancer: use the AWS Load Balancer Controller',
    );
  if (policy?.InstancesDistribution?.SpotMaxPrice)
    findings.unmapped(
      `SpotMaxPrice: ${policy.InstancesDistribution.SpotMaxPrice}`,
      'Karpenter bids no price; a NodeOverlay can raise the price of types in plans',
    );
  if ((policy?.LaunchTemplate?.Overrides ?? []).some(({ InstanceRequirements }) => InstanceRequirements))
    findings.unmapped(
      'overrides with InstanceRequirements',
      'write them as requirements of the NodePool: see karpenter.k8s.aws/instance-* labels',
    );
  if ((policy?.LaunchTemplate?.Overrides ?? []).some(({ WeightedCapacity }) => WeightedCapacity))
    findings.unmapped(
      'overrides with WeightedCapacity',
      'Karpenter packs pods by their requests and needs no weights',
    );
}
