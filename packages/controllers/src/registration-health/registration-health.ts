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
  type RegistrationAttempt,
  type RegistrationRecord,
  recordFromCondition,
  registrationHealth,
  withRegistration,
} from '@karpenter/core/provisioning';
import { nodePools, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

type HealthContext = Pick<ControllerContext, 'client' | 'clock'>;

/** Reason and message of the condition when a launch failed; defaults to those of a failed registration. */
export interface RegistrationFailure {
  readonly reason: string;
  readonly message: string;
}

const { nodeRegistrationHealthy: type } = nodePoolConditions;
const maxTries = 4;

/**
 * Keeps the last four registration results of each NodePool, which nodeclaim.lifecycle records, and writes
 * the condition NodeRegistrationHealthy from them. As in Karpenter the condition informs users and gates
 * nothing.
 */
export class RegistrationHealth {
  readonly #context: HealthContext;
  /** By uid of the NodePool. Records of deleted NodePools stay: they are few and have four results each. */
  readonly #records = new Map<string, RegistrationRecord>();

  constructor(context: HealthContext) {
    this.#context = context;
  }

  /**
   * Starts the record from the condition of the NodePool, so that a restart does not lose it; no-op if there
   * is one.
   */
  seed({ metadata, status }: NodePool): void {
    const { uid = '' } = metadata;
    if (this.#records.has(uid)) return;
    const condition = getCondition({ conditions: status?.conditions ?? [] }, type);
    this.#records.set(uid, recordFromCondition(condition?.status));
  }

  /**
   * Drops all results: the NodePool or its NodeClass changed, so earlier results say nothing about new nodes.
   */
  reset(nodePoolUid: string): void {
    this.#records.set(nodePoolUid, []);
  }

  /**
   * Records that a claim of the NodePool registered, or timed out. Throws if a request fails other than by a
   * conflict; the result counts nevertheless.
   */
  async record(
    nodePool: NodePool,
    registration: RegistrationAttempt,
    failure?: RegistrationFailure,
  ): Promise<void> {
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

  /**
   * Several controllers write the status of a NodePool; after a conflict the current object is read and
   * written. Gives up without an error after four conflicts: the condition informs users and gates nothing.
   */
  async #write(nodePool: NodePool, failure: RegistrationFailure | undefined): Promise<void> {
    let current: NodePool | undefined = nodePool;
    for (let tries = 0; current !== undefined && tries < maxTries; tries += 1) {
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

  /** The current NodePool; undefined if it is deleted or another one has taken its name. */
  async #read({ metadata: { name, uid } }: NodePool): Promise<NodePool | undefined> {
    const found = await this.#context.client.find(nodePools, { name });
    return found?.metadata.uid === uid ? found : undefined;
  }
}
