import { labelKeys, type NodeClaim, type NodePool } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import {
  type CloudInstance,
  type CloudProvider,
  type InstanceType,
  launchFailed,
  type RegistrationHook,
  type Termination,
} from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import { type SliceClock, YieldBudget } from '@karpenter/kube/yielding';
import { errorText, isTokenUsed } from '../aws-errors/index.ts';
import { type Launched, type Launcher, type LaunchRequest, launchObstacle } from '../fleet/index.ts';
import {
  type Ec2Instance,
  type InstanceProvider,
  instanceIdIn,
  parseInstanceId,
} from '../instances/index.ts';
import { ec2NodeClasses } from '../kinds.ts';
import { batchAnnotation, type LaunchBatches, recordedBatch } from '../launch-batches/index.ts';
import { awsLabelKeys, tagKeys } from '../names/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';
import type { ReservationCounts } from '../offerings/index.ts';
import { launchTags } from '../tags/index.ts';
import type { ClassLookup } from './class-lookup.ts';
import type { ClassTypes, ResolvedTypes } from './class-types.ts';
import { cloudInstanceOf, launchedInstance } from './cloud-instance.ts';
import {
  type Drift,
  imageDrift,
  placementGroupDrift,
  reservationDrift,
  securityGroupDrift,
  staticDrift,
  subnetDrift,
} from './drift.ts';
import type { InheritedInstances } from './inherited-instances.ts';
import { PlacementGroupRegistrationHook } from './partition-hook.ts';
import { repairPolicies } from './repair-policies.ts';

export interface AwsCloudOptions {
  readonly clock: SliceClock;
  readonly classes: ClassLookup;
  readonly types: ClassTypes;
  readonly nodePools: Pick<WatchCache<NodePool>, 'get'>;
  readonly batches: Pick<LaunchBatches, 'assign' | 'enter'>;
  readonly launcher: Pick<Launcher, 'launch'>;
  readonly instances: Pick<InstanceProvider, 'get' | 'require' | 'list' | 'delete' | 'remember'>;
  /** Instances that an earlier leader launched; absent where there are no NodeClaims to compare them with. */
  readonly inherited?: Pick<InheritedInstances, 'take' | 'own'> | undefined;
  readonly reservationCounts: Pick<ReservationCounts, 'markTerminated'>;
  readonly clusterName: string;
  readonly hashOf: (nodeClass: EC2NodeClass) => string;
  /** Applies the NodeOverlays to the instance types of a NodePool; absent while the feature gate is off. */
  readonly overlaid?:
    | ((nodePool: NodePool, types: readonly InstanceType[]) => readonly InstanceType[])
    | undefined;
}

/**
 * EC2 replays its response to a request that an earlier leader already sent under the same client token, and each
 * replay costs one attempt. A leader leaves few requests without a response when it ends, so a few attempts suffice.
 */
const maxLaunchAttempts = 5;

/** The CloudProvider of core, on EC2. */
export class AwsCloudProvider implements CloudProvider {
  readonly name = 'aws';
  readonly nodeClasses = [ec2NodeClasses];
  readonly repairPolicies = repairPolicies;
  readonly registrationHooks: readonly RegistrationHook[];
  readonly #options: AwsCloudOptions;

  constructor(options: AwsCloudOptions) {
    this.#options = options;
    this.registrationHooks = [new PlacementGroupRegistrationHook(options.instances)];
  }

  /** Names the batch. If it were not stored before the launch, the next leader could not repeat its client tokens. */
  launchAnnotations(claim: NodeClaim): Readonly<Record<string, string>> {
    if (recordedBatch(claim) !== undefined) return {};
    return batchAnnotation(claim, this.#options.batches.assign(claim));
  }

  async create(claim: NodeClaim): Promise<CloudInstance> {
    const { classes, instances, clusterName, hashOf } = this.#options;
    const nodeClass = classes.ofClaim(claim);
    const obstacle = launchObstacle(nodeClass);
    if (obstacle !== undefined) throw obstacle;
    // Computed before the launch, because a change of the class during the launch must show up as drift.
    const hash = hashOf(nodeClass);
    const nodePool = this.#poolOf(claim);
    const { types, group } = await this.#launchTypes(nodePool, nodeClass);
    const { instance, type } = await this.#launch({
      nodeClass,
      nodeClaim: claim,
      nodePool,
      instanceTypes: types,
      tags: launchTags({
        clusterName,
        nodeClass: nodeClass.metadata.name,
        nodePool: poolNameOf(claim),
        tags: nodeClass.spec.tags,
      }),
      placementGroupId: group?.id,
    });
    // EC2 may not list or describe the instance yet, which must not count as gone (ADR 0022).
    instances.remember(instance);
    return launchedInstance(instance, type, { nodeClass, hash });
  }

  /**
   * Launches one instance for the claim, even if earlier leaders have tried before (ADR 0036). EC2 may return an
   * instance that an earlier leader launched, which another claim may have adopted since: then the next request is
   * made. Or EC2 reports the client token as used for a different request, whose instances are adopted first.
   */
  async #launch(request: Omit<LaunchRequest, 'batch'>): Promise<Launched> {
    const { launcher, inherited, batches } = this.#options;
    const { nodeClaim, instanceTypes } = request;
    const id = recordedBatch(nodeClaim) ?? batches.assign(nodeClaim);
    for (let attempts = 1; ; attempts += 1) {
      // Before `take`: a mismatch after this point rejects the launch, because `take` may have missed its instances.
      const batch = batches.enter(id);
      const taken = await inherited?.take(nodeClaim, instanceTypes);
      if (taken !== undefined) return taken;
      try {
        const launched = await launcher.launch({ ...request, batch });
        if (inherited?.own(nodeClaim, launched.instance) !== false) return launched;
        if (attempts === maxLaunchAttempts) throw takenByAnother(launched);
      } catch (error) {
        if (!isTokenMismatch(error) || attempts === maxLaunchAttempts) throw error;
      }
    }
  }

  /** Capacity returns to the reservation only when the instance is gone, not while it terminates. */
  async delete(claim: NodeClaim): Promise<Termination> {
    const { instances, reservationCounts } = this.#options;
    const id = instanceIdIn(claim.status?.providerID ?? '');
    const termination = id === undefined ? 'gone' : await instances.delete(id);
    const reservation = claim.metadata.labels?.[awsLabelKeys.capacityReservationId];
    if (termination === 'gone' && reservation !== undefined) reservationCounts.markTerminated(reservation);
    return termination;
  }

  async get(providerId: string): Promise<CloudInstance | undefined> {
    const id = instanceIdIn(providerId);
    const instance = id === undefined ? undefined : await this.#options.instances.get(id);
    return instance && this.#cloudInstance(instance);
  }

  async list(): Promise<readonly CloudInstance[]> {
    const instances = await this.#options.instances.list();
    // Yields the event loop between time slices, because clusters have thousands of instances (ADR 0032).
    const budget = new YieldBudget(this.#options.clock);
    return Promise.all(instances.map((instance) => budget.run(() => this.#cloudInstance(instance))));
  }

  async instanceTypes(nodePool: NodePool): Promise<readonly InstanceType[]> {
    const { classes, types } = this.#options;
    return (await types.of(classes.ofPool(nodePool))).types;
  }

  /** The checks run in Karpenter's order and the first hit wins; those that need no EC2 call come first. */
  async driftReason(claim: NodeClaim): Promise<string | undefined> {
    const nodePool = this.#poolOf(claim);
    const nodeClass = nodePool && this.#options.classes.findOfPool(nodePool);
    if (nodeClass === undefined) return undefined;
    return staticDrift(claim, nodeClass) ?? this.#resolvedDrift(claim, nodeClass);
  }

  async #resolvedDrift(claim: NodeClaim, nodeClass: EC2NodeClass): Promise<Drift> {
    const { instances, types: classTypes } = this.#options;
    const { types, group } = await classTypes.of(nodeClass);
    const image = imageDrift(claim, nodeClass, types);
    if (image !== undefined) return image;
    const instance = await instances.require(parseInstanceId(claim.status?.providerID ?? ''));
    return (
      securityGroupDrift(claim, nodeClass, instance) ??
      subnetDrift(claim, nodeClass, instance) ??
      (await this.#reservationDrift(nodeClass, instance)) ??
      placementGroupDrift(claim, nodeClass, group)
    );
  }

  /** Checked again without the cache: an instance that has left its reservation since then has not drifted. */
  async #reservationDrift(nodeClass: EC2NodeClass, instance: Ec2Instance): Promise<Drift> {
    if (reservationDrift(nodeClass, instance) === undefined) return undefined;
    const fresh = await this.#options.instances.require(instance.id, { skipCache: true });
    return reservationDrift(nodeClass, fresh);
  }

  #poolOf(claim: NodeClaim): NodePool | undefined {
    return this.#options.nodePools.get({ name: poolNameOf(claim) });
  }

  async #launchTypes(nodePool: NodePool | undefined, nodeClass: EC2NodeClass): Promise<ResolvedTypes> {
    const { types: classTypes, overlaid } = this.#options;
    try {
      const { types, group } = await classTypes.of(nodeClass);
      return { types: nodePool === undefined ? types : (overlaid?.(nodePool, types) ?? types), group };
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'no-instance-types') throw error;
      throw launchFailed(`resolving instance types, ${errorText(error)}`, {
        reason: 'InstanceTypeResolutionFailed',
        conditionMessage: 'Error resolving instance types',
        cause: error,
      });
    }
  }

  /** Instances outlive their NodePool and NodeClass; then the result has only the fields that EC2 reports. */
  async #cloudInstance(instance: Ec2Instance): Promise<CloudInstance> {
    const { classes, types, nodePools } = this.#options;
    const nodePool = nodePools.get({ name: instance.tags[tagKeys.nodePool] ?? '' });
    const nodeClass = nodePool && classes.find(nodePool.spec.template.spec.nodeClassRef.name);
    return cloudInstanceOf(instance, nodeClass && (await types.find(nodeClass, instance.type)));
  }
}

function isTokenMismatch(error: unknown): boolean {
  return error instanceof CodedError && isTokenUsed(error.cause);
}

function takenByAnother({ instance: { id } }: Launched): CodedError {
  return launchFailed(`instance ${id} belongs to another NodeClaim`, {
    reason: 'InstanceTaken',
    conditionMessage: `Instance ${id} belongs to another NodeClaim`,
  });
}

function poolNameOf({ metadata }: NodeClaim): string {
  return metadata.labels?.[labelKeys.nodePool] ?? '';
}
