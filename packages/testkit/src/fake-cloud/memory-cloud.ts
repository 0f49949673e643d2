import type { NodeClaim, NodePool } from '@karpenter/core/api';
import {
  type CloudInstance,
  type CloudProvider,
  type InstanceType,
  insufficientCapacity,
  nodeClassNotReady,
  type RegistrationHook,
  type RepairPolicy,
  type Termination,
} from '@karpenter/core/ports';
import { resourceTexts } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { allocatableOf, cheapestOffering, labelsOf } from './offering-choice.ts';
import { testNodeClass } from './test-node-class.ts';

/** The methods of a cloud that controllers call. */
export type CloudCall = 'create' | 'delete' | 'get' | 'list' | 'instanceTypes' | 'driftReason';

export interface MemoryCloudOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Instance types of every NodePool that `typesOfPool` does not list. */
  readonly types?: readonly InstanceType[];
}

interface Failure {
  readonly error: Error;
  left: number;
}

/** A cloud of a few fields that tests set and read. Launches are instant and fail on demand. */
export class MemoryCloud implements CloudProvider {
  readonly name = 'memory';
  readonly nodeClasses = [testNodeClass];
  repairPolicies: readonly RepairPolicy[] = [];
  registrationHooks: readonly RegistrationHook[] = [];
  types: readonly InstanceType[];
  readonly typesOfPool = new Map<string, readonly InstanceType[]>();
  /** By provider ID. Tests may add and remove instances without a call. */
  readonly instances = new Map<string, CloudInstance>();
  /** Drift reasons of instances by provider ID. */
  readonly drifted = new Map<string, string>();
  /** Names of NodeClasses that do not exist; all others do. */
  readonly missingNodeClasses = new Set<string>();
  /** Every call, with the name of the NodeClaim or NodePool, or the provider ID. */
  readonly calls: { readonly call: CloudCall; readonly subject: string }[] = [];
  /** Terminated instances remain until this is set to false, as in slow clouds. */
  endsSlowly = false;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #failures = new Map<CloudCall, Failure>();
  /** Provider IDs by the uid of the NodeClaim, because `create` is idempotent. */
  readonly #launched = new Map<string, string>();
  #created = 0;

  constructor({ clock, types = [] }: MemoryCloudOptions) {
    this.#clock = clock;
    this.types = types;
  }

  /** Makes the next calls of a kind fail; all of them without a count. */
  fail(call: CloudCall, error: Error, times = Number.POSITIVE_INFINITY): void {
    this.#failures.set(call, { error, left: times });
  }

  heal(call: CloudCall): void {
    this.#failures.delete(call);
  }

  callsOf(call: CloudCall): readonly string[] {
    return this.calls.filter((each) => each.call === call).map(({ subject }) => subject);
  }

  async create(claim: NodeClaim): Promise<CloudInstance> {
    this.#enter('create', claim.metadata.name);
    this.#requireNodeClass(claim.spec.nodeClassRef.name);
    const launched = this.instances.get(this.#launched.get(uidOf(claim)) ?? '');
    if (launched?.isDeleting === false) return launched;
    const choice = cheapestOffering(claim, this.#typesOf(claim.metadata.labels?.['karpenter.sh/nodepool']));
    if (choice === undefined) {
      throw insufficientCapacity('all requested instance types were unavailable during launch');
    }
    this.#created += 1;
    const instance: CloudInstance = {
      providerId: `memory:///instance-${this.#created}`,
      imageId: 'image-1',
      labels: labelsOf(choice),
      annotations: {},
      capacity: choice.type.capacity,
      allocatable: resourceTexts(allocatableOf(choice.type)),
      createdAt: this.#clock.now(),
      isDeleting: false,
    };
    this.instances.set(instance.providerId, instance);
    this.#launched.set(uidOf(claim), instance.providerId);
    return instance;
  }

  async delete(claim: NodeClaim): Promise<Termination> {
    const providerId = claim.status?.providerID ?? '';
    this.#enter('delete', claim.metadata.name);
    const instance = this.instances.get(providerId);
    if (instance === undefined) return 'gone';
    if (!instance.isDeleting || this.endsSlowly) {
      this.instances.set(providerId, { ...instance, isDeleting: true });
      return 'terminating';
    }
    this.instances.delete(providerId);
    return 'gone';
  }

  async get(providerId: string): Promise<CloudInstance | undefined> {
    this.#enter('get', providerId);
    return this.instances.get(providerId);
  }

  async list(): Promise<readonly CloudInstance[]> {
    this.#enter('list', '');
    return [...this.instances.values()];
  }

  async instanceTypes(nodePool: NodePool): Promise<readonly InstanceType[]> {
    this.#enter('instanceTypes', nodePool.metadata.name);
    this.#requireNodeClass(nodePool.spec.template.spec.nodeClassRef.name);
    return this.#typesOf(nodePool.metadata.name);
  }

  async driftReason(claim: NodeClaim): Promise<string | undefined> {
    this.#enter('driftReason', claim.metadata.name);
    return this.drifted.get(claim.status?.providerID ?? '');
  }

  #typesOf(nodePool: string | undefined): readonly InstanceType[] {
    return this.typesOfPool.get(nodePool ?? '') ?? this.types;
  }

  #requireNodeClass(name: string): void {
    if (this.missingNodeClasses.has(name)) throw nodeClassNotReady(`testnodeclasses "${name}" not found`);
  }

  #enter(call: CloudCall, subject: string): void {
    this.calls.push({ call, subject });
    const failure = this.#failures.get(call);
    if (failure === undefined || failure.left <= 0) return;
    failure.left -= 1;
    throw failure.error;
  }
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}
