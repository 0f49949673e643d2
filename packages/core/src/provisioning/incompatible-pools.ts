import { labelKeys, type NodePool, nodeClassLabelKey } from '../api/index.ts';
import { type InstanceType, isAvailableOrSuspect } from '../ports/index.ts';
import { checkMinValues, type RequirementPolicy, Requirements, Vocabulary } from '../requirements/index.ts';

/** A NodePool that cannot create any node, whatever the pods. */
export interface IncompatiblePool {
  readonly nodePool: NodePool;
  /** It has compatible instance types, but fewer different ones than its minValues require. */
  readonly lacksVariety: boolean;
}

export interface IncompatiblePoolInputs {
  readonly nodePools: readonly NodePool[];
  readonly instanceTypes: ReadonlyMap<string, readonly InstanceType[]>;
  readonly policy: RequirementPolicy;
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
}

type Verdict = 'compatible' | 'no-types' | 'lacks-variety';

interface Known {
  readonly version: string;
  readonly types: readonly InstanceType[];
  readonly verdict: Verdict;
}

/**
 * Finds NodePools whose own requirements leave no instance type. Caches the verdict per pool until its
 * generation or its instance types change.
 */
export class IncompatiblePoolSearch {
  #known: ReadonlyMap<string, Known> = new Map();

  among({
    nodePools,
    instanceTypes,
    policy,
    minValuesPolicy,
  }: IncompatiblePoolInputs): readonly IncompatiblePool[] {
    const found = nodePools.map((nodePool) => {
      const { name, uid = '', generation = 0 } = nodePool.metadata;
      const types = instanceTypes.get(name) ?? [];
      const version = `${uid} ${generation}`;
      const before = this.#known.get(name);
      const isKnown = before?.types === types && before.version === version;
      const verdict = isKnown ? before.verdict : verdictOf(nodePool, types, { policy, minValuesPolicy });
      return { nodePool, version, types, verdict };
    });
    this.#known = new Map(found.map((known) => [known.nodePool.metadata.name, known]));
    return found
      .filter(({ verdict }) => verdict !== 'compatible')
      .map(({ nodePool, verdict }) => ({ nodePool, lacksVariety: verdict === 'lacks-variety' }));
  }
}

function verdictOf(
  nodePool: NodePool,
  types: readonly InstanceType[],
  { policy, minValuesPolicy }: Pick<IncompatiblePoolInputs, 'policy' | 'minValuesPolicy'>,
): Verdict {
  const vocabulary = new Vocabulary({ keys: policy.aliases });
  const required = poolRequirements(vocabulary, nodePool);
  const hasMinValues =
    minValuesPolicy === 'Strict' && required.entries.some(({ minValues }) => minValues !== undefined);
  if (!hasMinValues)
    return types.some((type) => isUsable(vocabulary, required, type)) ? 'compatible' : 'no-types';
  const usable = types.filter((type) => isUsable(vocabulary, required, type));
  if (usable.length === 0) return 'no-types';
  const described = usable.map(({ requirements }) => Requirements.fromItems(vocabulary, requirements));
  return checkMinValues(required, described).shortfalls.length === 0 ? 'compatible' : 'lacks-variety';
}

function poolRequirements(vocabulary: Vocabulary, { metadata, spec }: NodePool): Requirements {
  const { template } = spec;
  const { nodeClassRef, requirements } = template.spec;
  const labels = {
    ...template.metadata?.labels,
    [labelKeys.nodePool]: metadata.name,
    [nodeClassLabelKey(nodeClassRef)]: nodeClassRef.name,
  };
  return Requirements.fromItems(vocabulary, requirements).and(Requirements.fromLabels(vocabulary, labels));
}

/** Whether an offering is available, or may be, and matches the requirements of the pool. */
function isUsable(
  vocabulary: Vocabulary,
  required: Requirements,
  { requirements, offerings }: InstanceType,
): boolean {
  return (
    required.intersects(Requirements.fromItems(vocabulary, requirements)) &&
    offerings.some(
      (offering) =>
        isAvailableOrSuspect(offering) &&
        required.intersects(Requirements.fromItems(vocabulary, offering.requirements)),
    )
  );
}
