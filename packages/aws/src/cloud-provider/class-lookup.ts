import type { NodeClaim, NodePool } from '@karpenter/core/api';
import type { CodedError } from '@karpenter/core/errors';
import { insufficientCapacity, nodeClassNotReady } from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import type { Kind, KubeObject } from '@karpenter/kube/client';
import type { EventRecorder } from '@karpenter/kube/runtime';
import { nodeClaims, nodePools } from '../kinds.ts';
import { awsEvents } from '../names/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';

export interface ClassLookupOptions {
  readonly nodeClasses: Pick<WatchCache<EC2NodeClass>, 'get'>;
  readonly events: Pick<EventRecorder, 'publish'>;
}

/** Finds the NodeClass that an object refers to, and publishes an event on the object if there is none. */
export class ClassLookup {
  readonly #options: ClassLookupOptions;

  constructor(options: ClassLookupOptions) {
    this.#options = options;
  }

  /** A class that is being deleted counts as not found, as in Karpenter: its finalizer waits for its NodeClaims. */
  find(name: string): EC2NodeClass | undefined {
    const found = this.#options.nodeClasses.get({ name });
    return found?.metadata.deletionTimestamp === undefined ? found : undefined;
  }

  /**
   * Throws insufficientCapacity if there is no class, as in Karpenter: the claim is deleted and its pods are planned
   * again.
   */
  ofClaim(claim: NodeClaim): EC2NodeClass {
    const { name } = claim.spec.nodeClassRef;
    const found = this.find(name);
    if (found !== undefined) return found;
    this.#complain(nodeClaims, claim);
    throw this.#missing(name, insufficientCapacity);
  }

  ofPool(nodePool: NodePool): EC2NodeClass {
    const { name } = nodePool.spec.template.spec.nodeClassRef;
    const found = this.findOfPool(nodePool);
    if (found !== undefined) return found;
    throw this.#missing(name, nodeClassNotReady);
  }

  /** Like `ofPool`, but returns undefined if there is no class. */
  findOfPool(nodePool: NodePool): EC2NodeClass | undefined {
    const found = this.find(nodePool.spec.template.spec.nodeClassRef.name);
    if (found === undefined) this.#complain(nodePools, nodePool);
    return found;
  }

  #complain(kind: Kind, object: KubeObject): void {
    const { events } = this.#options;
    events.publish({
      definition: awsEvents.nodeClassUnresolved,
      kind,
      object,
      message: 'Failed resolving NodeClass',
    });
  }

  #missing(name: string, failure: (message: string) => CodedError): CodedError {
    const isDeleting = this.#options.nodeClasses.get({ name }) !== undefined;
    const what = isDeleting ? 'is terminating, treating as not found' : 'not found';
    return failure(`ec2nodeclasses.karpenter.k8s.aws "${name}" ${what}`);
  }
}
