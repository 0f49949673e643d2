import type { NodeClaim } from '@karpenter/core/api';
import type { CacheChange, WatchCache } from '@karpenter/kube/cache';
import { ec2NodeClasses } from '../kinds.ts';
import type { EC2NodeClass } from '../node-class/index.ts';

type NodeClassReference = NodeClaim['spec']['nodeClassRef'];

/** Another provider may have classes of the same names. */
export function isEc2NodeClass({ group, kind }: NodeClassReference): boolean {
  return group === ec2NodeClasses.group && kind === ec2NodeClasses.kind;
}

/** Whether the NodeClaim is one that this provider has to do with. */
export function isOurs({ spec }: Pick<NodeClaim, 'spec'>): boolean {
  return isEc2NodeClass(spec.nodeClassRef);
}

const selectsNothing = { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] };

/** The API lets a class through that has no spec at all: it selects nothing. */
export function withSpec(nodeClass: EC2NodeClass): EC2NodeClass {
  return { ...nodeClass, spec: { ...selectsNothing, ...nodeClass.spec } };
}

const classIndex = 'spec.nodeClassRef.name';

/** The NodeClaims of each EC2NodeClass. */
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

/** The class of a NodeClaim that is gone: it may have been the last that its class waited for. */
export function classOfDeletedClaim({ type, object }: CacheChange<NodeClaim>): readonly string[] {
  return type === 'deleted' && isOurs(object) ? [object.spec.nodeClassRef.name] : [];
}
