import {
  classFactsOf,
  type DescribedType,
  ec2Knowledge,
  instanceTypesFor,
  type ReadClass,
  RequirementPool,
  type SizeSettings,
} from '@karpenter/aws';
import { labelKeys } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { type InstanceTypeInfo, instanceTypes, zones, zonesOf } from '@karpenter/ec2-catalogue';
import { type ClusterPlace, usualPlace } from '../region/index.ts';
import { estimatedMarket } from './estimated-market.ts';
import { defaultNodeClass, inZones } from './node-class.ts';

export interface TypeListInputs {
  readonly nodeClass: ReadClass;
  readonly region: string;
  readonly settings: SizeSettings;
  /** Types to use instead of the catalogue; every zone is assumed to offer them. */
  readonly types?: readonly DescribedType[];
}

/**
 * The instance types of a NodeClass at the prices of the region in the catalogue. The NodeClass must have subnets in its status,
 * because offerings exist only in their zones. Runs the same code as the AWS provider of the controllers.
 */
export function typeList({ nodeClass, region, settings, types }: TypeListInputs): readonly InstanceType[] {
  const facts = classFactsOf(nodeClass);
  const names = facts.zones.map(({ name }) => name);
  const sold = (name: string): readonly string[] =>
    types === undefined ? names.filter((zone) => isSoldIn(zone, name, region)) : names;
  const shown: readonly DescribedType[] = types ?? instanceTypes().filter(isDiscovered);
  const sellers = new Map(shown.map(({ InstanceType: name = '' }) => [name, new Set(sold(name))]));
  const knowledge = { ...ec2Knowledge(shown, sellers), zones: names };
  const list = instanceTypesFor(knowledge, facts, estimatedMarket(region), {
    region,
    settings,
    pool: new RequirementPool(),
  });
  return types === undefined ? list.filter(runsImages) : list;
}

/** Whether the controllers would ask EC2 about the type: not about Macs, which have architectures of their own. */
function isDiscovered({ ProcessorInfo }: InstanceTypeInfo): boolean {
  return ProcessorInfo.SupportedArchitectures.some((name) => name === 'x86_64' || name === 'arm64');
}

/** Whether the AMI family has images for the type: Windows has none for arm64. */
function runsImages({ requirements }: InstanceType): boolean {
  const system = requirements.find(({ key }) => key === labelKeys.operatingSystem);
  return (system?.values ?? []).length > 0;
}

/**
 * The catalogue lists zones by the names that most accounts have. A zone that it does not know, such as a local zone,
 * counts as offering every type.
 */
function isSoldIn(zone: string, instanceType: string, region: string): boolean {
  const isKnown = zones(region).some(({ name }) => name === zone);
  return !isKnown || zonesOf(instanceType, region).some(({ name }) => name === zone);
}

export const defaultSettings: SizeSettings = { vmMemoryOverheadPercent: 0.075, reservedEnis: 0 };

/** The types that `simulate` plans with: those of the catalogue with at least one available offering. */
export function catalogueInstanceTypes(
  { region, zones }: ClusterPlace = usualPlace(),
): readonly InstanceType[] {
  const nodeClass = inZones(defaultNodeClass, zones);
  return typeList({ nodeClass, region, settings: defaultSettings }).filter(({ offerings }) =>
    offerings.some(({ available }) => available),
  );
}
