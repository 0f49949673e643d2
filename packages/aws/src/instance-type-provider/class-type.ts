import type { InstanceType, Offering } from '@karpenter/core/ports';
import type { ClassFacts, ClassZone, RequirementPool, SizeSettings } from '../instance-types/index.ts';
import {
  type DescribedType,
  type InstanceShape,
  instanceShape,
  isCompatible,
  nameOf,
  nodePrice,
  partialDevices,
  typeRequirements,
} from '../instance-types/index.ts';
import { type OfferingInputs, type OfferingMarket, offeringsOf } from '../offerings/index.ts';
import type { Ec2Knowledge } from './ec2-knowledge.ts';

/** An instance type for one EC2NodeClass, without its offerings. */
export interface ClassType extends Omit<InstanceType, 'offerings'> {
  readonly offeringInputs: OfferingInputs;
}

/** Inputs to building types, besides the discovered types and an EC2NodeClass. */
export interface TypeInputs {
  readonly region: string;
  readonly settings: SizeSettings;
  readonly pool: RequirementPool;
  /** Returns the shape of a type, cached so that classes with equal nodes share it. */
  readonly shapeOf: (type: DescribedType, facts: ClassFacts) => InstanceShape;
  /**
   * The previous result for the same class and the same discovered types, in the same order. Types whose shape is still
   * the same object are reused.
   */
  readonly stale?: readonly ClassType[] | undefined;
}

/**
 * Builds the types of an EC2NodeClass, without offerings. Incompatible types are included, marked as such.
 */
export function classTypes(
  knowledge: Ec2Knowledge,
  facts: ClassFacts,
  inputs: TypeInputs,
): readonly ClassType[] {
  return knowledge.types.map((type, index) => {
    const stale = inputs.stale?.[index];
    return stale?.capacity === inputs.shapeOf(type, facts).capacity
      ? stale
      : classType(type, knowledge, facts, inputs);
  });
}

function classType(
  type: DescribedType,
  knowledge: Ec2Knowledge,
  facts: ClassFacts,
  { region, pool, shapeOf }: TypeInputs,
): ClassType {
  const zones = usableZones(type, knowledge, facts);
  const reservations = facts.reservations.filter(({ instanceType }) => instanceType === type.InstanceType);
  const { group } = facts;
  return {
    name: nameOf(type),
    requirements: typeRequirements(type, facts.node.family, { region, zones, reservations, group }, pool),
    ...shapeOf(type, facts),
    ...nodePrice(type, facts.node, region),
    ...partialDevices(type),
    offeringInputs: {
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
  const offered = zonesOfType.get(nameOf(type));
  return facts.zones.filter(({ name }) => offered?.has(name));
}

/** Completes a type with its offerings. */
export function withOfferings(type: ClassType, offerings: readonly Offering[]): InstanceType {
  const { name, requirements, capacity, overhead, offeringInputs: _inputs, ...rest } = type;
  // Not `{...parts, offerings}`: copies that begin with a spread get hidden classes of their own, and every later
  // property access misses the inline caches (ADR 0034).
  return { name, requirements, capacity, overhead, offerings, ...rest };
}

/** Builds all types of an EC2NodeClass without caches, for one-off uses such as the command line. */
export function instanceTypesFor(
  knowledge: Ec2Knowledge,
  facts: ClassFacts,
  market: OfferingMarket,
  inputs: Omit<TypeInputs, 'shapeOf' | 'stale'>,
): readonly InstanceType[] {
  const shapeOf = (type: DescribedType) => instanceShape(type, facts.node, inputs.settings);
  return classTypes(knowledge, facts, { ...inputs, shapeOf }).map((type) =>
    withOfferings(type, offeringsOf(type.offeringInputs, market, inputs.pool)),
  );
}
