import { keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf, type ReconcileResult } from '@karpenter/kube/runtime';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { isReady } from '../../objects/pod-status.ts';
import { timestamp } from '../../objects/timestamp.ts';
import {
  type ControllerSetup,
  ignoreNotFound,
  ignoreNotFoundOrConflict,
  requeueIn,
  type WorkloadControllerContext,
} from '../controller-setup.ts';
import { withWorkers } from '../pod-writes.ts';
import { heartbeatDeadline, taintsFor, unknownConditions } from './node-health.ts';
import { evictionsFrom } from './pod-eviction.ts';

const leaseNamespace = 'kube-node-lease';

/**
 * Marks nodes without heartbeats as Unknown, keeps the condition taints in step, and evicts pods from nodes
 * with NoExecute taints. One step per reconcile: each write arrives by watch and triggers the next.
 */
export function nodeLifecycleController({
  caches,
  client,
  clock,
  events,
}: WorkloadControllerContext): ControllerSetup {
  const startedAt = clock.now();
  const nodes = caches.of(kinds.node);
  const leases = caches.of(kinds.lease);
  const pods = caches.of(kinds.pod, { node: ({ spec }) => [spec?.nodeName ?? ''] });

  async function reconcile(name: string): Promise<ReconcileResult | undefined> {
    const node = nodes.get(parseKey(name));
    if (node === undefined) return undefined;
    const now = clock.now();
    const lease = leases.get({ namespace: leaseNamespace, name });
    const deadline = heartbeatDeadline(node, lease, startedAt);
    const conditions = deadline <= now ? unknownConditions(node, now) : undefined;
    if (conditions !== undefined) {
      await declareUnknown(node, conditions);
      return undefined;
    }
    const taints = taintsFor(node, now);
    if (taints !== undefined) {
      const metadata = { resourceVersion: node.metadata?.resourceVersion };
      const body = { metadata, spec: { taints } };
      await client.patch(kinds.node, keyOf(node), { type: 'merge', body }).catch(ignoreNotFoundOrConflict);
      return undefined;
    }
    const evictAt = await evict(node);
    return requeueIn(
      Math.min(
        evictAt ?? Number.POSITIVE_INFINITY,
        deadline <= now ? Number.POSITIVE_INFINITY : deadline,
        now + 60_000,
      ) - now,
    );
  }

  async function declareUnknown(node: Node, conditions: readonly object[]): Promise<void> {
    const patch = { type: 'strategic', body: { status: { conditions } } } as const;
    await client.patch(kinds.node, keyOf(node), patch, { subresource: 'status' }).catch(ignoreNotFound);
    const message = `Node ${node.metadata?.name ?? ''} status is now: NodeNotReady`;
    events.publish(kinds.node, node, { type: 'Normal', reason: 'NodeNotReady', message });
    const ready = pods.byIndex('node', node.metadata?.name ?? '').filter(isReady);
    await withWorkers(ready, markNotReady);
  }

  /** Marks the pods of an Unknown node as not ready, so that Services stop sending them traffic. */
  async function markNotReady(pod: Pod): Promise<void> {
    const condition = { type: 'Ready', status: 'False', lastTransitionTime: timestamp(clock.now()) };
    const patch = { type: 'strategic', body: { status: { conditions: [condition] } } } as const;
    await client.patch(kinds.pod, keyOf(pod), patch, { subresource: 'status' }).catch(ignoreNotFound);
  }

  async function evict(node: Node): Promise<number | undefined> {
    const { due, nextAt } = evictionsFrom(node, pods.byIndex('node', node.metadata?.name ?? ''), clock.now());
    await withWorkers(due, deletePod);
    return nextAt;
  }

  async function deletePod(pod: Pod): Promise<void> {
    const at = timestamp(clock.now());
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      lastTransitionTime: at,
    };
    const patch = { type: 'strategic', body: { status: { conditions: [condition] } } } as const;
    await client.patch(kinds.pod, keyOf(pod), patch, { subresource: 'status' }).catch(ignoreNotFound);
    await client.delete(kinds.pod, keyOf(pod)).catch(ignoreNotFound);
    const { namespace, name } = keyOf(pod);
    const message = `Marking for deletion Pod ${namespace}/${name}`;
    events.publish(kinds.pod, pod, { type: 'Normal', reason: 'TaintManagerEviction', message });
  }

  return {
    controller: { name: 'node.lifecycle', concurrency: 10, reconcile },
    sources: [
      changesOf(nodes),
      // A pod bound to a node that is already tainted may have to be evicted.
      changesOf(pods, ({ type, object, previous }) => {
        const name = object.spec?.nodeName;
        return name && type !== 'deleted' && previous?.spec?.nodeName !== name ? [name] : [];
      }),
    ],
  };
}
