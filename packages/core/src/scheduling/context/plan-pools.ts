import type { NodePool } from '../../api/index.ts';
import type { LabelKey, LabelKeySet, Requirements, Vocabulary } from '../../requirements/index.ts';
import { memoized, type Taint } from '../../values/index.ts';
import { inSteps, type Steps } from '../../yielding/index.ts';
import { type CompiledType, TypeCompiler } from '../instance-types/compiled-type.ts';
import { type NodeTemplate, nodeTemplate } from '../instance-types/node-template.ts';
import { OfferMasks } from '../instance-types/offer-mask.ts';
import { remainingLimits } from '../limits/limits.ts';
import { reservedCapacityOf } from '../limits/reservations.ts';
import type { PlanOptions } from '../plan-result.ts';
import type { NodeView, Snapshot } from '../snapshot.ts';
import type { Daemon } from './daemon-overhead.ts';
import type { ResourceAxes } from './resource-axes.ts';

/** What the NodePools can create. */
export interface PlanPools {
  /** Pools that can create a node at all, in the order in which pods try them. */
  readonly templates: readonly NodeTemplate[];
  /** The templates if these are the nodes that count against limits, of all pools or of those selected. */
  readonly templatesBeside: (
    nodes: readonly NodeView[],
    isSelected?: (nodePool: NodePool) => boolean,
  ) => Steps<readonly NodeTemplate[]>;
  readonly masksOf: (template: NodeTemplate) => OfferMasks;
  /** Instances of each capacity reservation, by its id. */
  readonly reservedCapacity: ReadonlyMap<string, number>;
  /**
   * All pools, also those that cannot create a node now: like Karpenter, a spread counts every domain that a
   * pool could have nodes in.
   */
  readonly domainSources: readonly PoolDomainSource[];
  /** The domains in which `domainSources` could have nodes. */
  readonly domainsOf: (key: LabelKey) => readonly PoolDomain[];
}

interface PoolDomainSource {
  readonly name: string;
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  readonly types: readonly CompiledType[];
}

/** A domain that a NodePool can create nodes in. */
interface PoolDomain {
  readonly domain: string;
  readonly taints: readonly Taint[];
}

interface PoolInputs {
  readonly vocabulary: Vocabulary;
  readonly axes: ResourceAxes;
  readonly wellKnown: LabelKeySet;
  readonly daemons: readonly Daemon[];
  readonly options: PlanOptions;
}

/** @param snapshot its `nodePools` in the order in which pods try them */
export function* planPools(
  { options, ...terms }: PoolInputs,
  { nodePools, instanceTypes, nodes }: Pick<Snapshot, 'nodePools' | 'instanceTypes' | 'nodes'>,
): Steps<PlanPools> {
  const { vocabulary, axes } = terms;
  const compiler = new TypeCompiler(vocabulary, axes, options.reservedCapacity?.idLabel);
  const { labels } = compiler;
  const inputs = { ...terms, labels, options };
  const pools: { readonly nodePool: NodePool; readonly types: readonly CompiledType[] }[] = [];
  for (const nodePool of nodePools) {
    const types = instanceTypes.get(nodePool.metadata.name) ?? [];
    pools.push({ nodePool, types: yield* inSteps(types, (type) => compiler.compile(type), 'light') });
  }
  const templatesBeside: PlanPools['templatesBeside'] = function* (counted, isSelected = () => true) {
    const made: NodeTemplate[] = [];
    for (const { nodePool, types } of pools) {
      if (!isSelected(nodePool)) continue;
      const remaining = remainingLimits(axes, nodePool, counted);
      made.push(yield* nodeTemplate(inputs, { nodePool, types, remaining }));
      yield;
    }
    return made;
  };
  const templates = yield* templatesBeside(nodes);
  const domainSources = templates.map(({ name, requirements, taints }, index) => ({
    name,
    requirements,
    taints,
    types: pools[index]?.types ?? [],
  }));
  return Object.freeze({
    templates: templates.filter(isUsable),
    templatesBeside,
    masksOf: memoized((template: NodeTemplate) => new OfferMasks(template, labels)),
    reservedCapacity: reservedCapacityOf(pools.flatMap(({ types }) => types)),
    domainSources,
    domainsOf: memoized((key: LabelKey) => poolDomains(domainSources, key)),
  });
}

/** As in Karpenter, values that a NodePool itself requires are domains even if none of its types offers them. */
function poolDomains(sources: readonly PoolDomainSource[], key: LabelKey): readonly PoolDomain[] {
  const found = new Map<string, PoolDomain>();
  for (const { requirements, taints, types, name } of sources) {
    const required = requirements.get(key);
    const values = new Set(required.complement ? [] : required.values());
    for (const offered of new Set(types.map((type) => type.find(key)))) {
      if (offered === undefined || offered.complement) continue;
      for (const value of offered.and(required).values()) values.add(value);
    }
    for (const domain of values) found.set(`${name}/${domain}`, { domain, taints });
  }
  return [...found.values()];
}

/** Whether the pool could create a node at all. */
export function isUsable({ types }: NodeTemplate): boolean {
  return types.length > 0;
}
