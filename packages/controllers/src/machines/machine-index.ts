import type { NodeClaim } from '@karpenter/core/api';
import type { OwnedNode } from '@karpenter/core/lifecycle';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';
import { changesOf, type Source } from '@karpenter/kube/runtime';
import { stateSources } from '../cluster/index.ts';

export type CachedNode = OwnedNode & KubeObject;

const claimIndex = 'status.providerID';
const nodeIndex = 'spec.providerID';

/** Which Node and which NodeClaim are the same machine. */
export class MachineIndex {
  readonly claims: WatchCache<NodeClaim>;
  readonly nodes: WatchCache<CachedNode>;

  constructor(caches: CacheSet) {
    this.claims = caches.of(stateSources.NodeClaim);
    this.nodes = caches.of(stateSources.Node);
    this.claims.addIndex(claimIndex, ({ status }) => named(status?.providerID));
    this.nodes.addIndex(nodeIndex, ({ spec }) => named(spec?.providerID));
  }

  /** A claim that is not launched has none. */
  nodesOf({ status }: NodeClaim): readonly CachedNode[] {
    return named(status?.providerID).flatMap((id) => this.nodes.byIndex(nodeIndex, id));
  }

  /** The Node of a claim; undefined also where there are several. */
  nodeOf(claim: NodeClaim): CachedNode | undefined {
    return only(this.nodesOf(claim));
  }

  claimsOf({ spec }: CachedNode): readonly NodeClaim[] {
    return named(spec?.providerID).flatMap((id) => this.claims.byIndex(claimIndex, id));
  }

  /** The claim of a Node; undefined also where there are several. */
  claimOf(node: CachedNode): NodeClaim | undefined {
    return only(this.claimsOf(node));
  }

  /** Names of claims that changed, or whose Node did. */
  claimSources(): readonly Source[] {
    return [
      changesOf(this.claims),
      changesOf(this.nodes, ({ object }) => this.claimsOf(object).map(({ metadata }) => metadata.name)),
    ];
  }

  /** Names of Nodes that changed, or whose claim did. */
  nodeSources(): readonly Source[] {
    return [
      changesOf(this.nodes),
      changesOf(this.claims, ({ object }) => this.nodesOf(object).map(({ metadata }) => metadata.name)),
    ];
  }
}

function named(providerId: string | undefined): readonly string[] {
  return providerId === undefined || providerId === '' ? [] : [providerId];
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
