import type { NodeClaim } from '@karpenter/core/api';
import type { CacheChange, WatchCache } from '@karpenter/kube/cache';
import { ec2NodeClasses } from '../kinds.ts';
import type { EC2NodeClass } from '../node-class/index.ts';

type NodeClassReference = NodeClaim['spec']['nodeClassRef'];

/** Whether a reference is to an EC2NodeClass; another provider may have node classes of the same name. */
export function isEc2NodeClass({ group, kind }: NodeClassReference): boolean {
  return group === ec2NodeClasses.group && kind === ec2NodeClasses.kind;
}

/** Whether a NodeClaim refers to an EC2NodeClass, so that this provider is responsible for it. */
export function isOurs({ spec }: Pick<NodeClaim, 'spec'>): boolean {
  return isEc2NodeClass(spec.nodeClassRef);
}

const emptySelectors = { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] };

/** Adds empty selectors to a class without a spec, which the CRD accepts. */
export function withSpec(nodeClass: EC2NodeClass): EC2NodeClass {
  return { ...nodeClass, spec: { ...emptySelectors, ...nodeClass.spec } };
}

const classIndex = 'spec.nodeClassRef.name';

/** Index of NodeClaims by EC2NodeClass. */
export class ClaimsByClass {
  readonly #claims: WatchCache<NodeClaim>;

  constructor(claims: WatchCache<NodeClaim>) {
    this.#claims = claims;
    claims.addIndex(classIndex, (claim) => (isOurs(claim) ? [claim.spec.nodeClassRef.name] : []));
  }

  of(nodeClass: string): readonly NodeClaim[] {
    return this.#claims.byIndex(classIndex, nodeClass);
  }
}

/** Adds the class of a deleted NodeClaim: the class's termination may have waited for this one. */
export function classOfDeletedClaim({ type, object }: CacheChange<NodeClaim>): readonly string[] {
  return type === 'deleted' && isOurs(object) ? [object.spec.nodeClassRef.name] : [];
}
