import { keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf, type ReconcileResult } from '@karpenter/kube/runtime';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { isReady } from '../../objects/pod-status.ts';
import { timestamp } from '../../objects/timestamp.ts';
import {
  again,
  type ControllerContext,
  type ControllerSetup,
  ignoreAbsence,
  ignoreOvertaken,
} from '../controller-setup.ts';
import { withWorkers } from '../pod-writes.ts';
import { silenceEnd, taintsFor, unknownConditions } from './node-health.ts';
import { evictionsFrom } from './pod-eviction.ts';

const leaseNamespace = 'kube-node-lease';

/** Watches over the signs of life of nodes, keeps their taints in step, and moves pods off nodes in trouble. */
export function nodeLifecycleController({
  caches,
  client,
  clock,
  events,
}: ControllerContext): ControllerSetup {
  const listeningSince = clock.now();
  const nodes = caches.of(kinds.node);
  const leases = caches.of(kinds.lease);
  const pods = caches.of(kinds.pod, { node: ({ spec }) => [spec?.nodeName ?? ''] });

  async function reconcile(name: string): Promise<ReconcileResult | undefined> {
    const node = nodes.get(parseKey(name));
    if (node === undefined) return undefined;
    const now = clock.now();
    const lease = leases.get({ namespace: leaseNamespace, name });
    const silentAt = silenceEnd(node, lease, listeningSince);
    const conditions = silentAt <= now ? unknownConditions(node, now) : undefined;
    if (conditions !== undefined) {
      await declareUnknown(node, conditions);
      return undefined;
    }
    const taints = taintsFor(node, now);
    if (taints !== undefined) {
      const metadata = { resourceVersion: node.metadata?.resourceVersion };
      const body = { metadata, spec: { taints } };
      await client.patch(kinds.node, keyOf(node), { type: 'merge', body }).catch(ignoreOvertaken);
      return undefined;
    }
    const evictAt = await evict(node);
    return again(
      Math.min(
        evictAt ?? Number.POSITIVE_INFINITY,
        silentAt <= now ? Number.POSITIVE_INFINITY : silentAt,
        now + 60_000,
      ) - now,
    );
  }

  async function declareUnknown(node: Node, conditions: readonly object[]): Promise<void> {
    const patch = { type: 'strategic', body: { status: { conditions } } } as const;
    await client.patch(kinds.node, keyOf(node), patch, { subresource: 'status' }).catch(ignoreAbsence);
    const message = `Node ${node.metadata?.name ?? ''} status is now: NodeNotReady`;
    events.publish(kinds.node, node, { type: 'Normal', reason: 'NodeNotReady', message });
    const ready = pods.byIndex('node', node.metadata?.name ?? '').filter(isReady);
    await withWorkers(ready, markNotReady);
  }

  /** Nobody can say that pods of a silent node are ready; their endpoints must go. */
  async function markNotReady(pod: Pod): Promise<void> {
    const condition = { type: 'Ready', status: 'False', lastTransitionTime: timestamp(clock.now()) };
    const patch = { type: 'strategic', body: { status: { conditions: [condition] } } } as const;
    await client.patch(kinds.pod, keyOf(pod), patch, { subresource: 'status' }).catch(ignoreAbsence);
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
    await client.patch(kinds.pod, keyOf(pod), patch, { subresource: 'status' }).catch(ignoreAbsence);
    await client.delete(kinds.pod, keyOf(pod)).catch(ignoreAbsence);
    const { namespace, name } = keyOf(pod);
    const message = `Marking for deletion Pod ${namespace}/${name}`;
    events.publish(kinds.pod, pod, { type: 'Normal', reason: 'TaintManagerEviction', message });
  }

  return {
    controller: { name: 'node.lifecycle', concurrency: 10, reconcile },
    sources: [
      changesOf(nodes),
      // A pod that lands on a tainted node may have to leave it again.
      changesOf(pods, ({ type, object, previous }) => {
        const name = object.spec?.nodeName;
        return name && type !== 'deleted' && previous?.spec?.nodeName !== name ? [name] : [];
      }),
    ],
  };
}
