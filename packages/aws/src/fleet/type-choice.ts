import { type CapacityType, capacityTypes, type NodeClaim } from '@karpenter/core/api';
import {
  type InstanceType,
  insufficientCapacity,
  isInsufficientCapacity,
  withSuspects,
} from '@karpenter/core/ports';
import { checkMinValues, minValuesText, Requirements } from '@karpenter/core/requirements';
import { parseResourceList } from '@karpenter/core/values';
import {
  type Catalogue,
  catalogueOf,
  chosenOfferings,
  type LaunchableType,
  lowestPrice,
} from '../launchable/index.ts';
import { awsLabelKeys, launchTuning, tenancies } from '../names/index.ts';
import { allows, type LaunchRequirements, launchFilters } from './filters/index.ts';

/** The requirements and requests of a NodeClaim, compiled with the vocabulary of a catalogue. */
export function launchRequirements(
  { spec }: Pick<NodeClaim, 'spec'>,
  catalogue: Catalogue,
): LaunchRequirements {
  return {
    catalogue,
    requirements: Requirements.fromItems(catalogue.vocabulary, spec.requirements, 'spec.requirements'),
    requests: parseResourceList(spec.resources?.requests, 'spec.resources.requests'),
    hasMinValues: spec.requirements.some(({ minValues }) => minValues !== undefined),
  };
}

export interface ChosenTypes {
  readonly required: LaunchRequirements;
  /** The cheapest first. */
  readonly types: readonly LaunchableType[];
  /** The types that each filter but the first dropped, for the log. */
  readonly rejected: readonly { readonly filter: string; readonly names: readonly string[] }[];
}

/** Size of the cache of choices per list of types; the cache is cleared when full. */
const maxChoices = 100;
const choices = new WeakMap<readonly InstanceType[], Map<string, ChosenTypes>>();

/**
 * Chooses the types of a launch. Cached, because NodeClaims come in bursts with equal requirements. Later steps cache
 * by the returned objects, so equal claims must get the same object (ADR 0022).
 */
export function chooseTypes(
  nodeClaim: Pick<NodeClaim, 'spec'>,
  instanceTypes: readonly InstanceType[],
  minValuesPolicy: 'Strict' | 'BestEffort',
): ChosenTypes {
  const made = choices.get(instanceTypes) ?? new Map<string, ChosenTypes>();
  choices.set(instanceTypes, made);
  const { requirements, resources } = nodeClaim.spec;
  const key = JSON.stringify([requirements, resources?.requests, minValuesPolicy]);
  const earlier = made.get(key);
  if (earlier !== undefined) return earlier;
  if (made.size >= maxChoices) made.clear();
  const chosen = choose(nodeClaim, instanceTypes, minValuesPolicy);
  made.set(key, chosen);
  return chosen;
}

/** Uses suspect offerings only if no others are left (ADR 0029). */
function choose(
  nodeClaim: Pick<NodeClaim, 'spec'>,
  instanceTypes: readonly InstanceType[],
  minValuesPolicy: 'Strict' | 'BestEffort',
): ChosenTypes {
  try {
    return chooseAmong(instanceTypes, nodeClaim, minValuesPolicy);
  } catch (error) {
    const all = withSuspects(instanceTypes);
    if (!isInsufficientCapacity(error) || all === instanceTypes) throw error;
    return chooseAmong(all, nodeClaim, minValuesPolicy);
  }
}

function chooseAmong(
  instanceTypes: readonly InstanceType[],
  nodeClaim: Pick<NodeClaim, 'spec'>,
  minValuesPolicy: 'Strict' | 'BestEffort',
): ChosenTypes {
  const catalogue = catalogueOf(instanceTypes);
  const required = launchRequirements(nodeClaim, catalogue);
  let types = catalogue.types;
  const rejected: { filter: string; names: readonly string[] }[] = [];
  for (const [index, { name, keep }] of launchFilters.entries()) {
    const kept = keep(types, required);
    if (kept.length === 0) {
      throw insufficientCapacity('all requested instance types were unavailable during launch');
    }
    if (index > 0 && kept.length < types.length) rejected.push({ filter: name, names: missing(types, kept) });
    types = kept;
  }
  return { required, types: truncate(types, required, minValuesPolicy), rejected };
}

function missing(before: readonly LaunchableType[], after: readonly LaunchableType[]): readonly string[] {
  const kept = new Set(after.map(({ name }) => name));
  return before.map(({ name }) => name).filter((name) => !kept.has(name));
}

/** Keeps the cheapest types. Karpenter too sends at most 60, and checks minValues again on those. */
function truncate(
  types: readonly LaunchableType[],
  required: LaunchRequirements,
  policy: 'Strict' | 'BestEffort',
): readonly LaunchableType[] {
  const priced = types.map((type) => ({ type, price: lowestPrice(type.offerings) }));
  const cheapest = priced
    // Ties are broken by name, so that equal claims give equal fleet requests, which can be batched.
    .sort((a, b) => a.price - b.price || (a.type.name < b.type.name ? -1 : 1))
    .slice(0, launchTuning.maxInstanceTypes)
    .map(({ type }) => type);
  const { shortfalls } = checkMinValues(
    required.requirements,
    cheapest.map(({ requirements }) => requirements),
  );
  if (shortfalls.length === 0 || policy === 'BestEffort') return cheapest;
  throw insufficientCapacity(
    `truncating instance types based on the passed-in requirements, ${minValuesText(shortfalls)}`,
  );
}

/** Karpenter's order: reserved, then spot, if allowed and available; else on-demand. */
export function chooseCapacityType(
  types: readonly LaunchableType[],
  required: LaunchRequirements,
): CapacityType {
  const { reserved, spot, onDemand } = capacityTypes;
  const preferred = [reserved, spot].find(
    (capacityType) =>
      allows(required, capacityType) &&
      types.some((type) => chosenOfferings(type, capacityType, required).length > 0),
  );
  return preferred ?? onDemand;
}

/** Default wherever the claim allows it, as in Karpenter; types list both, so nothing else decides. */
export function chooseTenancy({ catalogue, requirements }: LaunchRequirements): 'default' | 'dedicated' {
  const tenancy = requirements.get(catalogue.vocabulary.key(awsLabelKeys.tenancy));
  return tenancy.has(tenancies.default) ? tenancies.default : tenancies.dedicated;
}

/** Warns if a launch falls back from spot to on-demand with few types to choose from. */
export function flexibilityWarning(
  types: readonly LaunchableType[],
  capacityType: CapacityType,
  required: LaunchRequirements,
): string | undefined {
  const wanted = launchTuning.minFlexibleInstanceTypes;
  const fellBack = capacityType === capacityTypes.onDemand && allows(required, capacityTypes.spot);
  if (!fellBack || types.length >= wanted) return undefined;
  return `at least ${wanted} instance types are recommended when flexible to spot but requesting on-demand, the current provisioning request only has ${types.length} instance type options`;
}
