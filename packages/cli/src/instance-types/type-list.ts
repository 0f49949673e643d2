import {
  classFactsOf,
  type DescribedType,
  ec2Knowledge,
  instanceTypesFor,
  type ReadClass,
  RequirementPool,
  type SizeSettings,
} from '@karpenter/aws';
import type { InstanceType } from '@karpenter/core/ports';
import { instanceTypes, zonesOf } from '@karpenter/ec2-catalogue';
import { estimatedMarket } from './estimated-market.ts';
import { inZones, usualNodeClass, usualZones } from './node-class.ts';

export interface TypeListInputs {
  readonly nodeClass: ReadClass;
  readonly region: string;
  readonly settings: SizeSettings;
  /** Types to show instead of those of the catalogue; every zone is taken to sell them. */
  readonly types?: readonly DescribedType[];
}

/** The instance types of a NodeClass whose subnets are known, at prices of the catalogue. */
export function typeList({ nodeClass, region, settings, types }: TypeListInputs): readonly InstanceType[] {
  const facts = classFactsOf(nodeClass);
  const names = facts.zones.map(({ name }) => name);
  const sold = (name: string): readonly string[] =>
    types === undefined ? names.filter((zone) => isSoldIn(zone, name, region)) : names;
  const shown: readonly DescribedType[] = types ?? instanceTypes();
  const zones = new Map(shown.map(({ InstanceType: name = '' }) => [name, new Set(sold(name))]));
  const knowledge = { ...ec2Knowledge(shown, zones), zones: names };
  return instanceTypesFor(knowledge, facts, estimatedMarket, {
    region,
    settings,
    pool: new RequirementPool(),
  });
}

/** The catalogue knows zones by the names that most accounts have; what it does not know sells everything. */
function isSoldIn(zone: string, instanceType: string, region: string): boolean {
  const known = zonesOf(instanceType, region);
  return known.length === 0 || known.some(({ name }) => name === zone);
}

export const usualSettings: SizeSettings = { vmMemoryOverheadPercent: 0.075, reservedEnis: 0 };

const simulatedRegion = 'us-west-2';

/** What `simulate` plans with when no cloud is there to ask: the types of the catalogue that have a price. */
export function catalogueInstanceTypes(): readonly InstanceType[] {
  const nodeClass = inZones(usualNodeClass, usualZones(simulatedRegion));
  return typeList({ nodeClass, region: simulatedRegion, settings: usualSettings }).filter(({ offerings }) =>
    offerings.some(({ available }) => available),
  );
}
