import { capacityTypes, labelKeys } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import { type InstanceTypeInfo, instanceTypes, onDemandPrice } from '@karpenter/ec2-catalogue';
import { instanceCapacity, instanceOverhead } from './instance-capacity.ts';
import { typeRequirements } from './instance-labels.ts';

type SoldType = 'on-demand' | 'spot';

const region = 'us-west-2';
const zones = ['us-west-2a', 'us-west-2b', 'us-west-2c'];

/**
 * Spot prices move and differ by zone; over time most types cost about a third of their on-demand price. A
 * plan from manifests alone has nothing better to go by.
 */
const spotShare = 0.35;

/**
 * Every type of the catalogue with a price, in three zones, as if nobody had used any yet. Stands in for the
 * AWS provider, which knows NodeClasses, real zones and real prices.
 */
export function catalogueInstanceTypes(): readonly InstanceType[] {
  return instanceTypes().flatMap((info) => {
    const price = onDemandPrice(info.InstanceType);
    return price === undefined ? [] : [instanceType(info, price)];
  });
}

function instanceType(info: InstanceTypeInfo, price: number): InstanceType {
  const capacities = capacityTypesOf(info);
  return {
    name: info.InstanceType,
    requirements: [
      ...typeRequirements(info, region),
      { key: labelKeys.zone, operator: 'In', values: zones },
      { key: labelKeys.capacityType, operator: 'In', values: capacities },
    ],
    capacity: instanceCapacity(info),
    overhead: instanceOverhead(info),
    offerings: zones.flatMap((zone) => capacities.map((capacityType) => offering(zone, capacityType, price))),
  };
}

/** Some types are not sold as spot instances. */
function capacityTypesOf({ SupportedUsageClasses }: InstanceTypeInfo): readonly SoldType[] {
  const sold: readonly SoldType[] = [capacityTypes.onDemand, capacityTypes.spot];
  return sold.filter((type) => SupportedUsageClasses.includes(type));
}

function offering(zone: string, capacityType: SoldType, onDemand: number): Offering {
  return {
    requirements: [
      { key: labelKeys.zone, operator: 'In', values: [zone] },
      { key: labelKeys.capacityType, operator: 'In', values: [capacityType] },
    ],
    price: capacityType === 'spot' ? Math.round(onDemand * spotShare * 1e6) / 1e6 : onDemand,
    available: true,
  };
}
