import { hours } from '@karpenter/core/api';
import { listedNames, type SoftConstraint, softConstraints } from '@karpenter/core/provisioning';
import type { PodView } from '@karpenter/core/scheduling';
import type { Instant } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';

const messages: Readonly<Record<SoftConstraint, string>> = {
  'anti-affinity': 'pod(s) have a preferred Anti-Affinity which can prevent consolidation',
  spread: 'pod(s) have a preferred TopologySpreadConstraint which can prevent consolidation',
};
const repeatAfter = hours(24);

/**
 * Logs pods whose preferred anti-affinity or spread may keep nodes from being consolidated, once a day for
 * each pod: the provisioner sees the same pods in every pass.
 */
export class ConsolidationWarnings {
  readonly #context: Pick<ControllerContext, 'log' | 'clock'>;
  /** When each pod was last logged, by kind of preference and uid. */
  readonly #loggedAt = new Map<string, Instant>();

  constructor(context: Pick<ControllerContext, 'log' | 'clock'>) {
    this.#context = context;
  }

  log(pods: readonly PodView[]): void {
    const { log, clock } = this.#context;
    const now = clock.now();
    for (const [key, at] of this.#loggedAt) if (now - at >= repeatAfter) this.#loggedAt.delete(key);
    const podsByConstraint = new Map<SoftConstraint, string[]>();
    for (const pod of pods) {
      for (const constraint of softConstraints(pod)) {
        const { uid, namespace, name } = pod.metadata;
        const key = `${constraint} ${uid}`;
        if (this.#loggedAt.has(key)) continue;
        this.#loggedAt.set(key, now);
        const names = podsByConstraint.get(constraint) ?? [];
        names.push(`${namespace}/${name}`);
        podsByConstraint.set(constraint, names);
      }
    }
    for (const [constraint, names] of podsByConstraint)
      log.info(messages[constraint], { pods: listedNames(names) });
  }
}
