import { controllerNames, type NodeClaim, type NodePool, operatorMetrics } from '@karpenter/core/api';
import {
  type CloudInstance,
  type CloudProvider,
  type Counters,
  type InstanceType,
  isInstanceNotFound,
  isInsufficientCapacity,
  isNodeClassNotReady,
  type NodeClassKind,
  type RegistrationHook,
  type RepairPolicy,
  type Termination,
} from '@karpenter/core/ports';
import type { Labels } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';

export interface MeteredCloudOptions {
  readonly meters: Counters;
  readonly clock: Pick<Clock, 'now'>;
  /** The name of the controller that makes the call. */
  readonly controller: () => string;
}

/** Methods of Karpenter's CloudProvider interface. They are label values that dashboards select. */
type Method = 'Create' | 'Delete' | 'Get' | 'List' | 'GetInstanceTypes' | 'IsDrifted';

/** A cloud provider whose calls are timed and whose errors are counted. */
export class MeteredCloud implements CloudProvider {
  readonly name: string;
  readonly nodeClasses: readonly NodeClassKind[];
  readonly repairPolicies: readonly RepairPolicy[];
  readonly registrationHooks: readonly RegistrationHook[];
  readonly #cloud: CloudProvider;
  readonly #options: MeteredCloudOptions;

  constructor(cloud: CloudProvider, options: MeteredCloudOptions) {
    this.name = cloud.name;
    this.nodeClasses = cloud.nodeClasses;
    this.repairPolicies = cloud.repairPolicies;
    this.registrationHooks = cloud.registrationHooks;
    this.#cloud = cloud;
    this.#options = options;
    this.#countLaunchErrorsFromZero();
  }

  /**
   * Creates the counters at zero. `increase` misses the events with which a counter first appears, and launches fail
   * many at a time: an alert on them would never fire.
   */
  #countLaunchErrorsFromZero(): void {
    const labels = { controller: controllerNames.nodeClaimLifecycle, method: 'Create', provider: this.name };
    for (const error of launchErrorLabels)
      this.#options.meters.increment(operatorMetrics.cloudProviderErrors, { ...labels, error }, 0);
  }

  launchAnnotations(claim: NodeClaim): Labels {
    return this.#cloud.launchAnnotations?.(claim) ?? {};
  }

  create(claim: NodeClaim): Promise<CloudInstance> {
    return this.#measured('Create', () => this.#cloud.create(claim));
  }

  delete(claim: NodeClaim): Promise<Termination> {
    return this.#measured('Delete', () => this.#cloud.delete(claim), isGone);
  }

  get(providerId: string): Promise<CloudInstance | undefined> {
    return this.#measured('Get', () => this.#cloud.get(providerId), isGone);
  }

  list(): Promise<readonly CloudInstance[]> {
    return this.#measured('List', () => this.#cloud.list());
  }

  instanceTypes(nodePool: NodePool): Promise<readonly InstanceType[]> {
    return this.#measured('GetInstanceTypes', () => this.#cloud.instanceTypes(nodePool));
  }

  driftReason(claim: NodeClaim): Promise<string | undefined> {
    return this.#measured('IsDrifted', () => this.#cloud.driftReason(claim));
  }

  async #measured<T>(
    method: Method,
    call: () => Promise<T>,
    isMissing: (result: T) => boolean = () => false,
  ): Promise<T> {
    const { meters, clock, controller } = this.#options;
    const labels = { controller: controller(), method, provider: this.name };
    const started = clock.now();
    const count = (error: string) =>
      meters.increment(operatorMetrics.cloudProviderErrors, { ...labels, error });
    try {
      const result = await call();
      if (isMissing(result)) count(notFoundLabel);
      return result;
    } catch (error) {
      count(errorLabel(error));
      throw error;
    } finally {
      meters.observe(operatorMetrics.cloudProviderDuration, labels, (clock.now() - started) / 1000);
    }
  }
}

/** In Karpenter a missing instance is an error of the call, and is counted as one. */
const notFoundLabel = 'NodeClaimNotFoundError';

function isGone(result: CloudInstance | Termination | undefined): boolean {
  return result === undefined || result === 'gone';
}

const notReadyLabel = 'NodeClassNotReadyError';
const capacityLabel = 'InsufficientCapacityError';
const otherLabel = '';
const launchErrorLabels = [notReadyLabel, capacityLabel, otherLabel] as const;

/** As in Karpenter, only its typed errors have a label value; for all others it is empty. */
function errorLabel(error: unknown): string {
  if (isInstanceNotFound(error)) return notFoundLabel;
  if (isNodeClassNotReady(error)) return notReadyLabel;
  return isInsufficientCapacity(error) ? capacityLabel : otherLabel;
}
