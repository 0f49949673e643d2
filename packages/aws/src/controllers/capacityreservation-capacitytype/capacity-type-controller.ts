import {
  capacityTypes,
  isConditionTrue,
  labelKeys,
  type NodeClaim,
  nodeClaimConditions,
} from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import { isConflict, type KubeObject, type KubeWriter, kinds } from '@karpenter/kube/client';
import type { ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import { throwFailures } from '../../aws-errors/index.ts';
import { type InstanceProvider, providerIdOf } from '../../instances/index.ts';
import type { NodeWithProvider } from '../../interruption/index.ts';
import { nodeClaims } from '../../kinds.ts';
import { awsControllerNames, awsLabelKeys, awsReconcilePeriods, conflictRetry } from '../../names/index.ts';
import { isOurs } from '../class-objects.ts';
import { ByProviderId } from '../provider-index.ts';
import { unlessGone } from '../writes.ts';

export interface CapacityTypeOptions {
  readonly client: Pick<KubeWriter, 'patch'>;
  readonly claims: WatchCache<NodeClaim>;
  readonly nodes: WatchCache<NodeWithProvider>;
  readonly instances: Pick<InstanceProvider, 'list'>;
  readonly log: Log;
}

/**
 * Label changes for an instance that left its reservation; null removes a label in a merge patch. Karpenter too leaves
 * the label `capacity-reservation-interruptible`.
 */
const demoted = {
  [labelKeys.capacityType]: capacityTypes.onDemand,
  [awsLabelKeys.capacityReservationId]: null,
  [awsLabelKeys.capacityReservationType]: null,
};

/**
 * Relabels NodeClaims and Nodes to on-demand when their
 * reservation ends: EC2 keeps the instance and bills on-demand.
 */
export class CapacityTypeController implements Singleton {
  readonly name = awsControllerNames.capacityReservationCapacityType;
  readonly #options: CapacityTypeOptions;
  readonly #nodes: ByProviderId<NodeWithProvider>;

  constructor(options: CapacityTypeOptions) {
    this.#options = options;
    this.#nodes = new ByProviderId(options.nodes, ({ spec }) => spec?.providerID);
  }

  async reconcile(): Promise<ReconcileResult> {
    const reserved = this.#options.claims
      .list()
      .filter((claim) => isOurs(claim) && this.#saysReserved(claim));
    // Skips the EC2 call when nothing is reserved.
    const left = reserved.length === 0 ? [] : await this.#outsideReservations(reserved);
    const settled = await Promise.allSettled(left.map((claim) => this.#demote(claim)));
    const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    // Conflicts resolve by reading again, so they are no error; any other failure reports all of them.
    if (failures.length > 0 && failures.every((error) => isConflict(error))) {
      return { requeueAfter: conflictRetry };
    }
    throwFailures(failures);
    this.#logUpdated(left);
    return { requeueAfter: awsReconcilePeriods.capacityReservations };
  }

  /** Also checks the Node: an earlier reconcile may have changed only the NodeClaim. */
  #saysReserved(claim: NodeClaim): boolean {
    return !isDeleting(claim) && (isReserved(claim) || this.#reservedNodes(claim).length > 0);
  }

  #reservedNodes({ status }: NodeClaim): readonly NodeWithProvider[] {
    const conditions = status?.conditions ?? [];
    if (!isConditionTrue({ conditions }, nodeClaimConditions.registered)) return [];
    return this.#nodes
      .of(status?.providerID ?? '')
      .filter((node) => isReserved(node) && isRegistered(node) && !isDeleting(node));
  }

  async #outsideReservations(claims: readonly NodeClaim[]): Promise<readonly NodeClaim[]> {
    const instances = await this.#options.instances.list();
    const onDemand = instances.filter(({ capacityType }) => capacityType === capacityTypes.onDemand);
    const outside = new Set(onDemand.map(providerIdOf));
    return claims.filter(({ status }) => outside.has(status?.providerID ?? ''));
  }

  async #demote(claim: NodeClaim): Promise<void> {
    const { client } = this.#options;
    const { name } = claim.metadata;
    if (isReserved(claim)) await unlessGone(client.patch(nodeClaims, { name }, demotion(claim)));
    for (const node of this.#reservedNodes(claim)) {
      await unlessGone(client.patch(kinds.node, { name: node.metadata?.name ?? '' }, demotion(node)));
    }
  }

  #logUpdated(left: readonly NodeClaim[]): void {
    if (left.length === 0) return;
    const names = left.map(({ metadata }) => metadata.name);
    this.#options.log.debug('updated capacity type for nodeclaims', { NodeClaims: names });
  }
}

/** Patches with a resourceVersion, so that it conflicts if another writer changed the labels meanwhile. */
function demotion({ metadata }: KubeObject) {
  const body = { metadata: { resourceVersion: metadata?.resourceVersion, labels: demoted } };
  return { type: 'merge', body } as const;
}

function isReserved({ metadata }: KubeObject): boolean {
  return metadata?.labels?.[labelKeys.capacityType] === capacityTypes.reserved;
}

function isRegistered({ metadata }: KubeObject): boolean {
  return metadata?.labels?.[labelKeys.registered] === 'true';
}

function isDeleting({ metadata }: KubeObject): boolean {
  return metadata?.deletionTimestamp !== undefined;
}
