import { keyOf, kinds } from '@karpenter/kube/client';
import type { Pod } from 'kubernetes-types/core/v1.js';
import {
  ignoreNotFound,
  ignoreNotFoundOrConflict,
  type WorkloadControllerContext,
} from './controller-setup.ts';
import type { PendingWrites } from './pending-writes.ts';
import { controllerReference, type PodOwner } from './pod-template.ts';

/**
 * Creates, deletes, adopts and releases pods for workload controllers, with their events. Registers each
 * write as pending until the cache shows it.
 */
export class PodWrites {
  readonly #context: WorkloadControllerContext;
  readonly #pending: PendingWrites<Pod>;

  constructor(context: WorkloadControllerContext, pending: PendingWrites<Pod>) {
    this.#context = context;
    this.#pending = pending;
  }

  async create(ownerKey: string, owner: PodOwner, pods: readonly Pod[]): Promise<void> {
    const { client, events } = this.#context;
    await withWorkers(pods, async (pod) => {
      try {
        const created = await client.create(kinds.pod, pod);
        this.#pending.created(ownerKey, created);
        const message = `Created pod: ${created.metadata?.name ?? ''}`;
        events.publish(
          owner.kind,
          { metadata: owner.metadata },
          { type: 'Normal', reason: 'SuccessfulCreate', message },
        );
      } catch (error) {
        const message = `Error creating: ${error instanceof Error ? error.message : String(error)}`;
        events.publish(
          owner.kind,
          { metadata: owner.metadata },
          { type: 'Warning', reason: 'FailedCreate', message },
        );
        throw error;
      }
    });
  }

  async remove(ownerKey: string, owner: PodOwner, pods: readonly Pod[]): Promise<void> {
    const { client, events } = this.#context;
    await withWorkers(pods, async (pod) => {
      this.#pending.deleted(ownerKey, pod);
      await client.delete(kinds.pod, keyOf(pod)).catch(ignoreNotFound);
      const message = `Deleted pod: ${pod.metadata?.name ?? ''}`;
      events.publish(
        owner.kind,
        { metadata: owner.metadata },
        { type: 'Normal', reason: 'SuccessfulDelete', message },
      );
    });
  }

  async adopt(owner: PodOwner, pods: readonly Pod[]): Promise<void> {
    const ownerReferences = [controllerReference(owner)];
    await withWorkers(pods, (pod) => this.#patchOwners(pod, { ownerReferences, uid: pod.metadata?.uid }));
  }

  async release(owner: PodOwner, pods: readonly Pod[]): Promise<void> {
    const ownerReferences = [{ $patch: 'delete', uid: owner.metadata.uid }];
    await withWorkers(pods, (pod) => this.#patchOwners(pod, { ownerReferences, uid: pod.metadata?.uid }));
  }

  async #patchOwners(pod: Pod, metadata: object): Promise<void> {
    const { client } = this.#context;
    await client
      .patch(kinds.pod, keyOf(pod), { type: 'strategic', body: { metadata } })
      .catch(ignoreNotFoundOrConflict);
  }
}

const maxWorkers = 16;

/**
 * Runs `work` for all items, at most 16 at a time. Rejects with the first error; the other workers continue.
 */
export async function withWorkers<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(maxWorkers, items.length) }, worker));
}
