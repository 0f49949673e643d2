import type { NodePool } from '@karpenter/core/api';
import type { CloudProvider } from '@karpenter/core/ports';
import { type NodeClassView, nodeClassKindOf } from '@karpenter/core/provisioning';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, keyOf, parseKey } from '@karpenter/kube/client';
import { changesOf, type ReconcileResult, type Runnable, type Source } from '@karpenter/kube/runtime';
import { nodePools } from '../cluster/index.ts';

type NodeClass = KubeObject & NodeClassView;
type NodeClassCache = readonly [Kind<NodeClass>, WatchCache<NodeClass>];

/** The NodeClasses of the cloud provider, and the NodePools that reference them. */
export class NodeClasses {
  readonly #caches: readonly NodeClassCache[];
  readonly #pools: WatchCache<NodePool>;

  constructor(caches: readonly NodeClassCache[], pools: WatchCache<NodePool>) {
    this.#caches = caches;
    this.#pools = pools;
  }

  of({ spec }: NodePool): NodeClass | undefined {
    const { group, kind, name } = spec.template.spec.nodeClassRef;
    const found = this.#caches.find(([known]) => known.group === group && known.kind === kind);
    return found?.[1].get({ name });
  }

  /** Enqueues the NodePools that reference a NodeClass when the NodeClass changes. */
  get sources(): readonly Source[] {
    return this.#caches.map(([kind, cache]) =>
      changesOf(cache, ({ object }) => this.#poolsReferencing(kind, keyOf(object).name)),
    );
  }

  #poolsReferencing({ group, kind }: Kind, name: string): readonly string[] {
    return this.#pools.list().flatMap(({ metadata, spec }) => {
      const ref = spec.template.spec.nodeClassRef;
      return ref.group === group && ref.kind === kind && ref.name === name ? [metadata.name] : [];
    });
  }
}

/** Starts the watches of NodePools and of all kinds of NodeClasses, or joins those that run. */
export function watchNodeClasses(
  caches: CacheSet,
  { nodeClasses }: Pick<CloudProvider, 'nodeClasses'>,
): NodeClasses {
  const kinds = nodeClasses.map((kind): Kind<NodeClass> => ({ ...kind, namespaced: false }));
  return new NodeClasses(
    kinds.map((kind): NodeClassCache => [kind, caches.of(kind)]),
    caches.of(nodePools),
  );
}

/** A controller of NodePools. */
interface PoolController {
  readonly name: string;
  readonly caches: CacheSet;
  readonly cloud: Pick<CloudProvider, 'nodeClasses'>;
  readonly sources?: readonly Source[];
  readonly reconcile: (nodePool: NodePool) => Promise<ReconcileResult | undefined>;
  /** Called with the name of a NodePool that no longer exists, to drop its in-memory state. */
  readonly gone?: (name: string) => void;
}

/**
 * Reconciles each NodePool whose NodeClass belongs to this cloud provider, when the NodePool changes or a
 * source enqueues it. NodePools of other providers in the same cluster are left alone.
 */
export function poolController({
  name,
  caches,
  cloud,
  sources = [],
  reconcile,
  gone,
}: PoolController): Runnable {
  const pools = caches.of(nodePools);
  return {
    controller: {
      name,
      kind: nodePools,
      concurrency: 10,
      reconcile: async (key) => {
        const nodePool = pools.get(parseKey(key));
        if (nodePool === undefined) {
          gone?.(key);
          return undefined;
        }
        const { nodeClassRef } = nodePool.spec.template.spec;
        return nodeClassKindOf(nodeClassRef, cloud.nodeClasses) === undefined
          ? undefined
          : reconcile(nodePool);
      },
    },
    sources: [changesOf(pools), ...sources],
  };
}
