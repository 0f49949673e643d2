import { keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { type Again, changesOf } from '@karpenter/kube/runtime';
import type { Node } from 'kubernetes-types/core/v1.js';
import { controllerOf, keyTextOf } from '../../objects/object-key.ts';
import { again, type ControllerContext, type ControllerSetup, ignoreOvertaken } from '../controller-setup.ts';
import { isSameStatus } from '../object-status.ts';
import { ownedPods, podsOf } from '../owned-pods.ts';
import { PendingWrites } from '../pending-writes.ts';
import { podFrom } from '../pod-template.ts';
import { PodWrites } from '../pod-writes.ts';
import { templateFor } from './daemon-pod.ts';
import { planDaemonSet, revisionLabel } from './plan-daemon-set.ts';

const unseenRetryMs = 50;

export function daemonSetController(context: ControllerContext): ControllerSetup {
  const { caches, client, clock } = context;
  const sets = caches.of(kinds.daemonSet);
  const nodes = caches.of(kinds.node);
  const pods = ownedPods(caches);
  const pending = new PendingWrites(pods, clock);
  const writes = new PodWrites(context, pending);

  async function reconcile(key: string): Promise<Again | undefined> {
    const set = sets.get(parseKey(key));
    if (set === undefined) return undefined;
    if (!pending.areSeen(key)) return again(unseenRetryMs);
    const plan = planDaemonSet(set, nodes.list(), podsOf(pods, set), clock.now());
    if (!isSameStatus(set.status, plan.status)) {
      const patch = { type: 'merge', body: { status: plan.status } } as const;
      await client
        .patch(kinds.daemonSet, keyOf(set), patch, { subresource: 'status' })
        .catch(ignoreOvertaken);
    }
    const owner = { kind: kinds.daemonSet, metadata: set.metadata ?? {} };
    const labels = { [revisionLabel]: plan.hash };
    const template = set.spec?.template ?? {};
    await writes.create(
      key,
      owner,
      plan.createOn.map((node) => podFrom(templateFor(template, node), owner, { labels })),
    );
    await writes.remove(key, owner, plan.remove);
    return again(plan.createOn.length + plan.remove.length > 0 ? unseenRetryMs : plan.lookAgainInMs);
  }

  const allSets = () => sets.list().map(keyTextOf);
  return {
    controller: { name: 'daemonset', concurrency: 2, reconcile },
    sources: [
      changesOf(sets),
      changesOf(nodes, ({ type, object, previous }) =>
        type === 'modified' && previous !== undefined && !isNews(previous, object) ? [] : allSets(),
      ),
      changesOf(pods, ({ object }) => {
        const owner = controllerOf(object);
        return owner?.kind === 'DaemonSet' ? [`${object.metadata?.namespace ?? ''}/${owner.name}`] : [];
      }),
    ],
  };
}

function isNews(before: Node, after: Node): boolean {
  const relevant = ({ metadata, spec }: Node) => JSON.stringify([metadata?.labels, spec?.taints]);
  return relevant(before) !== relevant(after);
}
