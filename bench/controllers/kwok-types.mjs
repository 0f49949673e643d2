import { simulateWiring } from '@karpenter/cli/embedded';
import { parseResourceList, resourceTexts, subtractResources, sumResources } from '@karpenter/core/values';

const labels = {
  arch: 'kubernetes.io/arch',
  zone: 'topology.kubernetes.io/zone',
  capacityType: 'karpenter.sh/capacity-type',
  category: 'karpenter.k8s.aws/instance-category',
  generation: 'karpenter.k8s.aws/instance-generation',
};

/** Karpenter's provider for KWOK subtracts this from the resources of every type. */
const kwokReserved = parseResourceList({ cpu: '100m', memory: '10Mi' });

/**
 * The types of the bench's NodePool for Karpenter's provider for KWOK: the same names, prices, zones and allocatable
 * resources that our controllers see. The provider knows none of EC2's labels, so the file holds only what the
 * NodePool allows.
 */
export function kwokInstanceTypes() {
  return simulateWiring.instanceTypes().filter(isAllowed).map(kwokType);
}

const labelOf = ({ requirements }, key) => requirements.find((item) => item.key === key)?.values?.[0];

function isAllowed(type) {
  return (
    labelOf(type, labels.arch) === 'amd64' &&
    ['c', 'm', 'r'].includes(labelOf(type, labels.category)) &&
    Number(labelOf(type, labels.generation)) > 4
  );
}

function kwokType(type) {
  const { name, capacity, overhead, offerings } = type;
  const reserved = Object.values(overhead).map((list) => parseResourceList(list));
  const allocatable = subtractResources(parseResourceList(capacity), sumResources(...reserved));
  return {
    name,
    architecture: 'amd64',
    operatingSystems: ['linux'],
    resources: resourceTexts(sumResources(allocatable, kwokReserved)),
    offerings: offerings
      .filter((offering) => labelOf(offering, labels.capacityType) === 'on-demand')
      .map((offering) => ({
        Price: offering.price,
        Available: true,
        Requirements: [labels.capacityType, labels.zone].map((key) => ({
          key,
          operator: 'In',
          values: [labelOf(offering, key)],
        })),
      })),
  };
}
