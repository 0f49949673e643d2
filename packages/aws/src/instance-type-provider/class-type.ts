import type { InstanceType, Offering } from '@karpenter/core/ports';
import type { ClassFacts } from '../instance-types/class-facts.ts';
import { isCompatible } from '../instance-types/compatibility.ts';
import { type DescribedType, nameOf } from '../instance-types/described-type.ts';
import { type InstanceShape, instanceShape } from '../instance-types/instance-shape.ts';
import type { SizeSettings } from '../instance-types/node-facts.ts';
import type { ClassZone } from '../instance-types/place.ts';
import type { RequirementPool } from '../instance-types/requirement-pool.ts';
import { typeRequirements } from '../instance-types/type-requirements.ts';
import { type Market, offeringsOf, type Sale } from '../offerings/index.ts';
import type { Ec2Knowledge } from './ec2-knowledge.ts';

/** An instance type as one NodeClass sees it, before it is known where it can be had just now. */
export interface ClassType extends Omit<InstanceType, 'offerings'> {
  readonly sale: Sale;
}

/** What types are made with, beside EC2's knowledge and a NodeClass. */
export interface Workshop {
  readonly region: string;
  readonly settings: SizeSettings;
  readonly pool: RequirementPool;
  /** Sizes are looked up here first, so that classes whose nodes are equal share them. */
  readonly shapeOf: (type: DescribedType, facts: ClassFacts) => InstanceShape;
}

export function classTypes(
  knowledge: Ec2Knowledge,
  facts: ClassFacts,
  workshop: Workshop,
): readonly ClassType[] {
  return knowledge.types.map((type) => classType(type, knowledge, facts, workshop));
}

function classType(
  type: DescribedType,
  knowledge: Ec2Knowledge,
  facts: ClassFacts,
  { region, pool, shapeOf }: Workshop,
): ClassType {
  const zones = usableZones(type, knowledge, facts);
  const reservations = facts.reservations.filter(({ instanceType }) => instanceType === type.InstanceType);
  const { group } = facts;
  return {
    name: nameOf(type),
    requirements: typeRequirements(type, facts.node.family, { region, zones, reservations, group }, pool),
    ...shapeOf(type, facts),
    sale: {
      type,
      regionZones: knowledge.zones,
      usableZones: new Set(zones.map(({ name }) => name)),
      classZones: facts.zones,
      isCompatible: isCompatible(type, facts.demands),
      reservations,
      group,
    },
  };
}

function usableZones(
  type: DescribedType,
  { zonesOfType }: Ec2Knowledge,
  facts: ClassFacts,
): readonly ClassZone[] {
  const sold = zonesOfType.get(nameOf(type));
  return facts.zones.filter(({ name }) => sold?.has(name));
}

export function offeredType(type: ClassType, offerings: readonly Offering[]): InstanceType {
  const { name, requirements, capacity, overhead } = type;
  return { name, requirements, capacity, overhead, offerings };
}

/** All types for a NodeClass at once, for those who ask once. */
export function instanceTypesFor(
  knowledge: Ec2Knowledge,
  facts: ClassFacts,
  market: Market,
  workshop: Omit<Workshop, 'shapeOf'>,
): readonly InstanceType[] {
  const shapeOf = (type: DescribedType) => instanceShape(type, facts.node, workshop.settings);
  return classTypes(knowledge, facts, { ...workshop, shapeOf }).map((type) =>
    offeredType(type, offeringsOf(type.sale, market, workshop.pool)),
  );
}
