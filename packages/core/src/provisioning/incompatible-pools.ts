import { labelKeys, type NodePool, nodeClassLabelKey } from '../api/index.ts';
import { type InstanceType, mayBeHad } from '../ports/index.ts';
import { checkMinValues, type RequirementPolicy, Requirements, Vocabulary } from '../requirements/index.ts';

/** A pool that can make no node at all, whatever the pods. */
export interface IncompatiblePool {
  readonly nodePool: NodePool;
  /** It would have types, but not as many different ones as it asks for. */
  readonly lacksVariety: boolean;
}

export interface IncompatiblePoolInputs {
  readonly nodePools: readonly NodePool[];
  readonly instanceTypes: ReadonlyMap<string, readonly InstanceType[]>;
  readonly policy: RequirementPolicy;
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
}

type Verdict = 'fertile' | 'barren' | 'lacks-variety';

interface Known {
  readonly version: string;
  readonly types: readonly InstanceType[];
  readonly verdict: Verdict;
}

/** Finds pools whose own requirements leave them no instance type; looks again only where something has changed. */
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
      const verdict = isKnown ? before.verdict : judge(nodePool, types, policy, minValuesPolicy);
      return { nodePool, version, types, verdict };
    });
    this.#known = new Map(found.map((known) => [known.nodePool.metadata.name, known]));
    return found
      .filter(({ verdict }) => verdict !== 'fertile')
      .map(({ nodePool, verdict }) => ({ nodePool, lacksVariety: verdict === 'lacks-variety' }));
  }
}

function judge(
  nodePool: NodePool,
  types: readonly InstanceType[],
  policy: RequirementPolicy,
  minValuesPolicy: IncompatiblePoolInputs['minValuesPolicy'],
): Verdict {
  const vocabulary = new Vocabulary({ keys: policy.aliases });
  const wanted = poolRequirements(vocabulary, nodePool);
  const wantsVariety =
    minValuesPolicy === 'Strict' && wanted.entries.some(({ minValues }) => minValues !== undefined);
  if (!wantsVariety) return types.some((type) => isUsable(vocabulary, wanted, type)) ? 'fertile' : 'barren';
  const usable = types.filter((type) => isUsable(vocabulary, wanted, type));
  if (usable.length === 0) return 'barren';
  const described = usable.map(({ requirements }) => Requirements.fromItems(vocabulary, requirements));
  return checkMinValues(wanted, described).shortfalls.length === 0 ? 'fertile' : 'lacks-variety';
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

/** Whether an offering that may be had is within what the pool asks for. */
function isUsable(
  vocabulary: Vocabulary,
  wanted: Requirements,
  { requirements, offerings }: InstanceType,
): boolean {
  return (
    wanted.intersects(Requirements.fromItems(vocabulary, requirements)) &&
    offerings.some(
      (offering) =>
        mayBeHad(offering) && wanted.intersects(Requirements.fromItems(vocabulary, offering.requirements)),
    )
  );
}
