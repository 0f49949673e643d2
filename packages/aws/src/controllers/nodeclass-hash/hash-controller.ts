import { getCondition, type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import type { WatchCache } from '@karpenter/kube/cache';
import type { KubeWriter } from '@karpenter/kube/client';
import type { Controller } from '@karpenter/kube/runtime';
import { inParallel } from '../../interruption/index.ts';
import { ec2NodeClasses, nodeClaims } from '../../kinds.ts';
import { awsAnnotationKeys, awsControllerNames } from '../../names/index.ts';
import { type EC2NodeClass, ec2NodeClassHashVersion } from '../../node-class/index.ts';
import { type ClaimsByClass, withSpec } from '../class-objects.ts';
import { unlessGone } from '../writes.ts';

export interface HashOptions {
  readonly client: Pick<KubeWriter, 'patch'>;
  readonly classes: WatchCache<EC2NodeClass>;
  readonly claims: ClaimsByClass;
  readonly hashOf: (nodeClass: EC2NodeClass) => string;
}

type Annotations = Readonly<Record<string, string>>;

const { ec2NodeClassHash: hashKey, ec2NodeClassHashVersion: versionKey } = awsAnnotationKeys;
/** A class may have thousands of NodeClaims; this bounds the concurrent patches. */
const parallelWrites = 10;

/**
 * Annotates each EC2NodeClass with the hash that drift detection compares with its NodeClaims. When the hash
 * version changes, it updates the NodeClaims first; otherwise all of them would drift.
 */
export class HashController implements Controller {
  readonly name = awsControllerNames.nodeClassHash;
  readonly kind = ec2NodeClasses;
  readonly concurrency = 10;
  readonly #options: HashOptions;

  constructor(options: HashOptions) {
    this.#options = options;
  }

  async reconcile(name: string): Promise<undefined> {
    const { client, classes, claims, hashOf } = this.#options;
    const nodeClass = classes.get({ name });
    if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined) return;
    const { metadata } = nodeClass;
    const hash = hashOf(withSpec(nodeClass));
    if (metadata.annotations?.[versionKey] !== ec2NodeClassHashVersion) {
      await inParallel(claims.of(name), parallelWrites, (claim) => this.#restamp(claim, hash));
    }
    const annotations = { [hashKey]: hash, [versionKey]: ec2NodeClassHashVersion };
    if (hasAll(metadata.annotations, annotations)) return;
    await unlessGone(client.patch(ec2NodeClasses, { name }, annotating(annotations)));
  }

  /** A NodeClaim that has drifted keeps its hash: a new one would hide the drift. */
  async #restamp(claim: NodeClaim, hash: string): Promise<void> {
    const { metadata, status } = claim;
    if (metadata.annotations?.[versionKey] === ec2NodeClassHashVersion) return;
    const conditions = status?.conditions ?? [];
    const hasDrifted = getCondition({ conditions }, nodeClaimConditions.drifted) !== undefined;
    const version = { [versionKey]: ec2NodeClassHashVersion };
    const annotations = hasDrifted ? version : { ...version, [hashKey]: hash };
    const { client } = this.#options;
    await unlessGone(client.patch(nodeClaims, { name: metadata.name }, annotating(annotations)));
  }
}

function hasAll(present: Annotations = {}, wanted: Annotations): boolean {
  return Object.entries(wanted).every(([key, value]) => present[key] === value);
}

function annotating(annotations: Annotations) {
  return { type: 'merge', body: { metadata: { annotations } } } as const;
}
