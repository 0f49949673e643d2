import { hours } from '@karpenter/core/api';
import { listedNames, type SoftTie, softTies } from '@karpenter/core/provisioning';
import type { PodView } from '@karpenter/core/scheduling';
import type { Instant } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';

const messages: Readonly<Record<SoftTie, string>> = {
  'anti-affinity': 'pod(s) have a preferred Anti-Affinity which can prevent consolidation',
  spread: 'pod(s) have a preferred TopologySpreadConstraint which can prevent consolidation',
};
const silence = hours(24);

/** Tells once a day and pod that wishes of pods may keep nodes from being consolidated. */
export class ConsolidationWarnings {
  readonly #context: Pick<ControllerContext, 'log' | 'clock'>;
  readonly #told = new Map<string, Instant>();

  constructor(context: Pick<ControllerContext, 'log' | 'clock'>) {
    this.#context = context;
  }

  tell(pods: readonly PodView[]): void {
    const { log, clock } = this.#context;
    const now = clock.now();
    for (const [key, at] of this.#told) if (now - at >= silence) this.#told.delete(key);
    const news = new Map<SoftTie, string[]>();
    for (const pod of pods) {
      for (const tie of softTies(pod)) {
        const { uid, namespace, name } = pod.metadata;
        const key = `${tie} ${uid}`;
        if (this.#told.has(key)) continue;
        this.#told.set(key, now);
        const names = news.get(tie) ?? [];
        names.push(`${namespace}/${name}`);
        news.set(tie, names);
      }
    }
    for (const [tie, names] of news) log.info(messages[tie], { pods: listedNames(names) });
  }
}
