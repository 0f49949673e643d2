import { compileLabelSelector, type LabelPredicate, type Labels } from '@karpenter/core/values';
import type { ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { Pod, Service } from 'kubernetes-types/core/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { controllerOf } from '../../objects/object-key.ts';

interface ServiceSelector {
  readonly labels: Labels;
  readonly selects: LabelPredicate;
}

/** The selectors of Services and workloads, over whose pods the default topology spread applies. */
export class WorkloadSelectors {
  readonly #services = new Map<string, Map<string, ServiceSelector>>();
  readonly #workloads = new Map<string, LabelSelector>();

  setService({ metadata, spec }: Service): void {
    const labels = spec?.selector ?? {};
    const { namespace = '', name = '' } = metadata ?? {};
    const siblings = this.#services.get(namespace) ?? new Map<string, ServiceSelector>();
    this.#services.set(namespace, siblings);
    if (Object.keys(labels).length === 0) siblings.delete(name);
    else siblings.set(name, { labels, selects: compileLabelSelector({ matchLabels: labels }) });
  }

  removeService({ metadata }: Service): void {
    this.#services.get(metadata?.namespace ?? '')?.delete(metadata?.name ?? '');
  }

  setWorkload({ metadata, spec }: ReplicaSet | StatefulSet): void {
    if (metadata?.uid !== undefined && spec?.selector !== undefined) {
      this.#workloads.set(metadata.uid, spec.selector);
    }
  }

  removeWorkload({ metadata }: ReplicaSet | StatefulSet): void {
    this.#workloads.delete(metadata?.uid ?? '');
  }

  /**
   * The merged selectors of the pod's Services and workload, as in kube-scheduler; undefined if nothing
   * selects the pod.
   */
  of(pod: Pod): LabelSelector | undefined {
    const matchLabels: Record<string, string> = {};
    const labels = pod.metadata?.labels ?? {};
    for (const service of this.#services.get(pod.metadata?.namespace ?? '')?.values() ?? []) {
      if (service.selects(labels)) Object.assign(matchLabels, service.labels);
    }
    const workload = this.#workloads.get(controllerOf(pod)?.uid ?? '');
    Object.assign(matchLabels, workload?.matchLabels);
    const matchExpressions = workload?.matchExpressions ?? [];
    if (Object.keys(matchLabels).length + matchExpressions.length === 0) return undefined;
    return { matchLabels, matchExpressions };
  }
}
