import type { NodeClaim } from '@karpenter/core/api';
import type { OwnedNode } from '@karpenter/core/lifecycle';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';
import { changesOf, type Source } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';

export type CachedNode = OwnedNode & KubeObject;

const claimIndex = 'status.providerID';
const nodeIndex = 'spec.providerID';

/**
 * Finds the Node of a NodeClaim and back, by the provider ID of their instance: the kubelet chooses the name
 * of the Node, so names do not match. Several objects may carry the same provider ID; callers decide what
 * that means.
 */
export class ProviderIdIndex {
  readonly claims: WatchCache<NodeClaim>;
  readonly nodes: WatchCache<CachedNode>;

  /** The caches have the indexes that `watchProviderIds` adds. */
  constructor(claims: WatchCache<NodeClaim>, nodes: WatchCache<CachedNode>) {
    this.claims = claims;
    this.nodes = nodes;
  }

  /** All Nodes with the provider ID of a claim; none for a claim that is not launched. */
  nodesOf({ status }: NodeClaim): readonly CachedNode[] {
    return indexValues(status?.providerID).flatMap((id) => this.nodes.byIndex(nodeIndex, id));
  }

  /** The only Node of a claim; undefined when there is none or several. */
  nodeOf(claim: NodeClaim): CachedNode | undefined {
    return only(this.nodesOf(claim));
  }

  claimsOf({ spec }: CachedNode): readonly NodeClaim[] {
    return indexValues(spec?.providerID).flatMap((id) => this.claims.byIndex(claimIndex, id));
  }

  /** The only claim of a Node; undefined when there is none or several. */
  claimOf(node: CachedNode): NodeClaim | undefined {
    return only(this.claimsOf(node));
  }

  /** Enqueues the names of claims that changed, or whose Node changed. */
  claimSources(): readonly Source[] {
    return [
      changesOf(this.claims),
      changesOf(this.nodes, ({ object }) => this.claimsOf(object).map(({ metadata }) => metadata.name)),
    ];
  }

  /** Enqueues the names of Nodes that changed, or whose claim changed. */
  nodeSources(): readonly Source[] {
    return [
      changesOf(this.nodes),
      changesOf(this.claims, ({ object }) => this.nodesOf(object).map(({ metadata }) => metadata.name)),
    ];
  }
}

/** Starts the watches of NodeClaims and Nodes, or joins those that run. */
export function watchProviderIds(caches: CacheSet): ProviderIdIndex {
  return new ProviderIdIndex(
    caches.of(stateSources.NodeClaim, { [claimIndex]: ({ status }) => indexValues(status?.providerID) }),
    caches.of(stateSources.Node, { [nodeIndex]: ({ spec }) => indexValues(spec?.providerID) }),
  );
}

/** An empty provider ID is not indexed: all objects without one would otherwise match each other. */
function indexValues(providerId: string | undefined): readonly string[] {
  return providerId === undefined || providerId === '' ? [] : [providerId];
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
