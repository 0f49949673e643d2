import { kinds } from '@karpenter/kube/client';
import { changesOf } from '@karpenter/kube/runtime';
import type { Node } from 'kubernetes-types/core/v1.js';
import { keyTextOf } from '../../objects/object-key.ts';
import type { ControllerSetup, WorkloadControllerContext } from '../controller-setup.ts';
import { podSetController } from '../pod-set-controller.ts';
import { podFrom } from '../pod-template.ts';
import { templateFor } from './daemon-pod.ts';
import { planDaemonSet, revisionLabel } from './plan-daemon-set.ts';

/** Keeps one pod of each DaemonSet on every node that it selects. */
export function daemonSetController(context: WorkloadControllerContext): ControllerSetup {
  const sets = context.caches.of(kinds.daemonSet);
  const nodes = context.caches.of(kinds.node);
  const allSets = () => sets.list().map(keyTextOf);
  return podSetController(context, {
    name: 'daemonset',
    kind: kinds.daemonSet,
    concurrency: 2,
    plan: (set, pods, now) => planDaemonSet(set, { nodes: nodes.list(), pods, now }),
    async apply(set, plan, { key, owner, writes }) {
      const labels = { [revisionLabel]: plan.hash };
      const template = set.spec?.template ?? {};
      const pods = plan.createOn.map((node) => podFrom(templateFor(template, node), owner, { labels }));
      await writes.create(key, owner, pods);
      return pods.length;
    },
    sources: [
      changesOf(nodes, ({ type, object, previous }) =>
        type === 'modified' && previous !== undefined && !affectsPlan(previous, object) ? [] : allSets(),
      ),
    ],
  });
}

/** Whether a Node update may change which daemons belong on it; heartbeats do not. */
function affectsPlan(before: Node, after: Node): boolean {
  const relevant = ({ metadata, spec }: Node) => JSON.stringify([metadata?.labels, spec?.taints]);
  return relevant(before) !== relevant(after);
}
