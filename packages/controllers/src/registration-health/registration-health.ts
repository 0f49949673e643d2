import {
  conditionedObject,
  equalConditions,
  formatTimestamp,
  getCondition,
  type NodePool,
  nodePoolConditionSet,
  nodePoolConditions,
  nodePoolReasons,
} from '@karpenter/core/api';
import {
  type Registration,
  type RegistrationRecord,
  recordFromCondition,
  registrationHealth,
  withRegistration,
} from '@karpenter/core/provisioning';
import { isNotFound } from '@karpenter/kube/client';
import { nodePools, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

type HealthContext = Pick<ControllerContext, 'client' | 'clock'>;

/** Reason and message of a failure; defaults to those of a registration. */
export interface RegistrationFailure {
  readonly reason: string;
  readonly message: string;
}

const { nodeRegistrationHealthy: type } = nodePoolConditions;
const mostTries = 4;

/**
 * Whether nodes of a NodePool come to register, told from its last few by the lifecycle of NodeClaims, and written
 * down as a condition that informs and gates nothing.
 */
export class RegistrationHealth {
  readonly #context: HealthContext;
  readonly #records = new Map<string, RegistrationRecord>();

  constructor(context: HealthContext) {
    this.#context = context;
  }

  /** Begins from what the condition of the pool says, unless something is known already. */
  seed({ metadata, status }: NodePool): void {
    const { uid = '' } = metadata;
    if (this.#records.has(uid)) return;
    const condition = getCondition({ conditions: status?.conditions ?? [] }, type);
    this.#records.set(uid, recordFromCondition(condition?.status));
  }

  /** Everything before counts no more: pool or NodeClass are others now. */
  reset(nodePoolUid: string): void {
    this.#records.set(nodePoolUid, []);
  }

  forget(nodePoolUid: string): void {
    this.#records.delete(nodePoolUid);
  }

  /** A claim of the pool has registered, or never will. Fails where the condition cannot be written; it counts all the same. */
  async record(nodePool: NodePool, registration: Registration, failure?: RegistrationFailure): Promise<void> {
    this.seed(nodePool);
    const { uid = '' } = nodePool.metadata;
    const record = withRegistration(this.#records.get(uid) ?? [], registration);
    this.#records.set(uid, record);
    const health = registrationHealth(record);
    const { result } = registration;
    if (result === 'success' && health === 'healthy') await this.#write(nodePool, undefined);
    if (result === 'failure' && health === 'unhealthy') {
      await this.#write(nodePool, failure ?? nodePoolReasons.registrationFailed);
    }
  }

  /** Others write to the status of a pool too; whoever comes second looks again. */
  async #write(nodePool: NodePool, failure: RegistrationFailure | undefined): Promise<void> {
    let current: NodePool | undefined = nodePool;
    for (let tries = 0; current !== undefined && tries < mostTries; tries += 1) {
      const conditions = this.#conditions(current, failure);
      if (equalConditions(conditions, current.status?.conditions ?? [])) return;
      if ((await writeStatus(this.#context.client, nodePools, current, { conditions })) !== undefined) return;
      current = await this.#read(nodePool);
    }
  }

  #conditions(nodePool: NodePool, failure: RegistrationFailure | undefined) {
    const object = conditionedObject(nodePool);
    const now = formatTimestamp(this.#context.clock.now());
    return failure === undefined
      ? nodePoolConditionSet.setTrue(object, { type, now })
      : nodePoolConditionSet.setFalse(object, { type, now, ...failure });
  }

  /** Absent if the pool is gone, or another has taken its name. */
  async #read({ metadata: { name, uid } }: NodePool): Promise<NodePool | undefined> {
    try {
      const found = await this.#context.client.get(nodePools, { name });
      return found.metadata.uid === uid ? found : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
