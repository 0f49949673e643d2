import type { NodePool } from '@karpenter/core/api';
import { Requirements } from '@karpenter/core/requirements';
import { amiFamilyOf } from '../../ami-family/index.ts';
import { type Catalogue, cheapestPrice, imageFinder, type LaunchableType } from '../../launchable/index.ts';
import { awsLabelKeys, tenancies } from '../../names/index.ts';
import type { AmiStatus, EC2NodeClass } from '../../node-class/index.ts';

/** What most accounts may start: one for each architecture. */
const ordinary: readonly string[] = ['m5.large', 'm6g.large'];

export interface TypeQuestion {
  readonly nodeClass: EC2NodeClass;
  /** Those that refer to the class. */
  readonly pools: readonly NodePool[];
  readonly catalogue: Catalogue;
  /** Whether EC2 would start the type as the class wants it. */
  readonly isCompatible: (type: LaunchableType) => boolean;
}

/**
 * The type that a class is tried with: one that its pools would launch, from an image without drivers if there is
 * one. Without pools, an ordinary type; also for Windows, whose types are not told well apart.
 */
export function validationType(question: TypeQuestion): LaunchableType | undefined {
  const { nodeClass, catalogue, isCompatible } = question;
  const imageOf = imageFinder(nodeClass.status?.amis ?? [], catalogue);
  const startable = catalogue.types.filter((type) => isCompatible(type) && imageOf(type) !== undefined);
  const isWindows = amiFamilyOf(nodeClass.spec).operatingSystem === 'windows';
  const choices = [
    isWindows ? [] : wantedBy(question, startable),
    startable.filter(({ name }) => ordinary.includes(name)),
    startable,
  ];
  const candidates = choices.find((types) => types.length > 0) ?? [];
  const standard = candidates.filter((type) => isStandard(imageOf(type)));
  return mostOrdinary(standard.length > 0 ? standard : candidates, catalogue);
}

const devices: ReadonlySet<string> = new Set([awsLabelKeys.gpuCount, awsLabelKeys.acceleratorCount]);

/** Not one of those that bring drivers along, and need larger disks for them than the class may ask for. */
function isStandard(image: AmiStatus | undefined): boolean {
  const { requirements = [] } = image ?? {};
  return !requirements.some(({ key, operator }) => devices.has(key) && operator !== 'DoesNotExist');
}

function wantedBy(
  { pools, catalogue }: TypeQuestion,
  types: readonly LaunchableType[],
): readonly LaunchableType[] {
  const wanted = pools.map((pool) => wantedLabels(pool, catalogue));
  return types.filter(({ requirements }) => wanted.some((each) => each.intersects(requirements)));
}

function wantedLabels({ spec }: NodePool, { vocabulary }: Catalogue): Requirements {
  const { metadata, spec: node } = spec.template;
  const required = Requirements.fromItems(vocabulary, node.requirements, 'spec.template.spec.requirements');
  return required.and(Requirements.fromLabels(vocabulary, metadata?.labels ?? {}));
}

/** Policies often forbid the very large; the cheapest is never that. */
function mostOrdinary(types: readonly LaunchableType[], catalogue: Catalogue): LaunchableType | undefined {
  const wanted = { catalogue, requirements: Requirements.of([]) };
  const ranked = types.map((type) => ({
    type,
    rank: Number(!ordinary.includes(type.name)),
    price: cheapestPrice(type, wanted),
  }));
  const [best] = ranked.sort(
    (a, b) => a.rank - b.rank || compare(a.price, b.price) || (a.type.name < b.type.name ? -1 : 1),
  );
  return best?.type;
}

/** Prices of types that cannot be had are infinite, and the difference of two of them is no number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Dedicated if some pool says that it may be: those instances need permissions of their own. */
export function validationTenancy(pools: readonly NodePool[]): 'default' | 'dedicated' {
  const allowsDedicated = ({ spec }: NodePool) =>
    spec.template.metadata?.labels?.[awsLabelKeys.tenancy] === tenancies.dedicated ||
    spec.template.spec.requirements.some(
      ({ key, operator, values = [] }) =>
        key === awsLabelKeys.tenancy && operator === 'In' && values.includes(tenancies.dedicated),
    );
  return pools.some(allowsDedicated) ? tenancies.dedicated : tenancies.default;
}
