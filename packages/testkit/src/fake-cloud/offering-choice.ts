import type { NodeClaim } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import { type RequirementItem, Requirements, Vocabulary } from '@karpenter/core/requirements';
import {
  fits,
  type Labels,
  parseResourceList,
  type ResourceList,
  subtractResources,
  sumResources,
} from '@karpenter/core/values';

interface OfferingChoice {
  readonly type: InstanceType;
  readonly offering: Offering;
}

/** The cheapest available offering that the NodeClaim allows and fits on; the first of equal ones. */
export function cheapestOffering(
  { spec }: Pick<NodeClaim, 'spec'>,
  types: readonly InstanceType[],
): OfferingChoice | undefined {
  const vocabulary = new Vocabulary();
  const wanted = Requirements.fromItems(vocabulary, spec.requirements);
  const allows = (items: readonly RequirementItem[]) =>
    Requirements.fromItems(vocabulary, items).intersects(wanted);
  const requests = parseResourceList(spec.resources?.requests);
  return types
    .filter((type) => allows(type.requirements) && fits(requests, allocatableOf(type)))
    .flatMap((type) => type.offerings.map((offering) => ({ type, offering })))
    .filter(({ offering }) => offering.available && allows(offering.requirements))
    .reduce<OfferingChoice | undefined>(
      (best, next) => (best !== undefined && best.offering.price <= next.offering.price ? best : next),
      undefined,
    );
}

export function allocatableOf({ capacity, overhead }: InstanceType): ResourceList {
  const reserved = sumResources(...Object.values(overhead).map((each) => parseResourceList(each)));
  return subtractResources(parseResourceList(capacity), reserved);
}

/** Labels of a node of the offering: every requirement with a single value. */
export function labelsOf({ type, offering }: OfferingChoice): Labels {
  return { ...singleValues(type.requirements), ...singleValues(offering.requirements) };
}

function singleValues(items: readonly RequirementItem[]): Labels {
  return Object.fromEntries(
    items.flatMap(({ key, operator, values = [] }) => {
      const [value, another] = values;
      return operator === 'In' && value !== undefined && another === undefined ? [[key, value]] : [];
    }),
  );
}
