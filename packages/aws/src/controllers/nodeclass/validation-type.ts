import type { NodePool } from '@karpenter/core/api';
import { Requirements } from '@karpenter/core/requirements';
import { amiFamilyOf } from '../../ami-family/index.ts';
import { type Catalogue, cheapestPrice, imageFinder, type LaunchableType } from '../../launchable/index.ts';
import { awsLabelKeys, tenancies } from '../../names/index.ts';
import type { AmiStatus, EC2NodeClass } from '../../node-class/index.ts';

/** Types that most accounts may launch, one per architecture. */
const commonTypes: readonly string[] = ['m5.large', 'm6g.large'];

export interface TypeQuestion {
  readonly nodeClass: EC2NodeClass;
  /** NodePools that refer to the class. */
  readonly pools: readonly NodePool[];
  readonly catalogue: Catalogue;
  /** Whether EC2 can launch the type with the settings of the class. */
  readonly isCompatible: (type: LaunchableType) => boolean;
}

/**
 * Chooses the type for dry runs: one that the class's NodePools would launch,
 * preferably from an AMI without GPU drivers. Without NodePools, and for
 * Windows, whose requirements do not distinguish types well, a common type.
 */
export function validationType(question: TypeQuestion): LaunchableType | undefined {
  const { nodeClass, catalogue, isCompatible } = question;
  const imageOf = imageFinder(nodeClass.status?.amis ?? [], catalogue);
  const launchable = catalogue.types.filter((type) => isCompatible(type) && imageOf(type) !== undefined);
  const isWindows = amiFamilyOf(nodeClass.spec).operatingSystem === 'windows';
  const choices = [
    isWindows ? [] : wantedBy(question, launchable),
    launchable.filter(({ name }) => commonTypes.includes(name)),
    launchable,
  ];
  const candidates = choices.find((types) => types.length > 0) ?? [];
  const standard = candidates.filter((type) => isStandard(imageOf(type)));
  return mostCommon(standard.length > 0 ? standard : candidates, catalogue);
}

const devices: ReadonlySet<string> = new Set([awsLabelKeys.gpuCount, awsLabelKeys.acceleratorCount]);

/** Whether an AMI has no GPU drivers; those with drivers need larger disks than the class may have. */
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

/** Prefers common types, then cheap ones: IAM policies often deny very large types. */
function mostCommon(types: readonly LaunchableType[], catalogue: Catalogue): LaunchableType | undefined {
  const wanted = { catalogue, requirements: Requirements.of([]) };
  const ranked = types.map((type) => ({
    type,
    rank: Number(!commonTypes.includes(type.name)),
    price: cheapestPrice(type, wanted),
  }));
  const [best] = ranked.sort(
    (a, b) => a.rank - b.rank || compare(a.price, b.price) || (a.type.name < b.type.name ? -1 : 1),
  );
  return best?.type;
}

/** Unavailable types have an infinite price, and Infinity - Infinity is NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Dedicated if a NodePool allows it, because dedicated instances need permissions of their own. */
export function validationTenancy(pools: readonly NodePool[]): 'default' | 'dedicated' {
  const allowsDedicated = ({ spec }: NodePool) =>
    spec.template.metadata?.labels?.[awsLabelKeys.tenancy] === tenancies.dedicated ||
    spec.template.spec.requirements.some(
      ({ key, operator, values = [] }) =>
        key === awsLabelKeys.tenancy && operator === 'In' && values.includes(tenancies.dedicated),
    );
  return pools.some(allowsDedicated) ? tenancies.dedicated : tenancies.default;
}
