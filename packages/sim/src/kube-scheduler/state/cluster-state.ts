import type { Labels } from '@karpenter/core/values';
import type { Namespace, Node } from 'kubernetes-types/core/v1.js';
import type { PodInfo } from '../pods/pod-info.ts';
import { ExistingTerms } from './existing-terms.ts';
import { NodeInfo } from './node-info.ts';
import { PodCounters } from './pod-counters.ts';
import { VolumeState } from './volume-state.ts';
import { WorkloadSelectors } from './workload-selectors.ts';

const noLabels: Labels = Object.freeze({});

/**
 * The cluster as the scheduler sees it: nodes with their pods, including pods being bound, and indexes that
 * make the questions of filters and scores cheap.
 */
export class SchedulerState {
  readonly counters: PodCounters;
  readonly volumes = new VolumeState();
  readonly workloads = new WorkloadSelectors();
  /** Required anti-affinity terms of running pods; filters apply them to incoming pods. */
  readonly existingAntiAffinity = new ExistingTerms();
  /** Required affinity and preferred terms of running pods; scores count them. */
  readonly existingAffinity = new ExistingTerms();
  readonly #infos = new Map<string, NodeInfo>();
  readonly #placed = new Map<string, { readonly info: NodeInfo; readonly pod: PodInfo }>();
  readonly #namespaces = new Map<string, Labels>();
  #nodes: NodeInfo[] = [];
  #revision = 0;

  constructor() {
    this.counters = new PodCounters(this.#infos, this.namespaceLabels);
  }

  readonly namespaceLabels = (namespace: string): Labels => this.#namespaces.get(namespace) ?? noLabels;

  /** Increases with every change that a decision may depend on, except changes of volumes. */
  get revision(): number {
    return this.#revision;
  }

  /** In the order in which they were added. */
  get nodes(): readonly NodeInfo[] {
    return this.#nodes;
  }

  node(name: string): NodeInfo | undefined {
    const info = this.#infos.get(name);
    return info?.node === undefined ? undefined : info;
  }

  setNamespace({ metadata }: Namespace): void {
    const { name = '', labels = noLabels } = metadata ?? {};
    const isNews = !sameLabels(this.namespaceLabels(name), labels);
    this.#namespaces.set(name, labels);
    if (!isNews) return;
    this.counters.forget();
    this.#revision += 1;
  }

  removeNamespace({ metadata }: Namespace): void {
    this.#namespaces.delete(metadata?.name ?? '');
  }

  setNode(node: Node): void {
    const info = this.#info(node.metadata?.name ?? '');
    if (info.node === undefined) this.#nodes.push(info);
    this.#relabel(info, node.metadata?.labels ?? noLabels);
    info.describe(node);
    this.#revision += 1;
  }

  removeNode(name: string): void {
    const info = this.#infos.get(name);
    if (info === undefined) return;
    this.#revision += 1;
    info.node = undefined;
    this.#relabel(info, noLabels);
    this.#nodes = this.#nodes.filter((other) => other !== info);
    if (info.pods.size === 0) this.#infos.delete(name);
  }

  /** Records that the pod runs, or is about to run, on the node; replaces an earlier placement. */
  place(pod: PodInfo, nodeName: string): void {
    this.unplace(pod.key);
    const info = this.#info(nodeName);
    info.add(pod);
    this.#placed.set(pod.key, { info, pod });
    this.#index(info, pod, 1);
    this.volumes.count(info.name, pod, 1);
  }

  unplace(key: string): void {
    const placed = this.#placed.get(key);
    if (placed === undefined) return;
    const { info, pod } = placed;
    this.#placed.delete(key);
    this.#index(info, pod, -1);
    info.remove(pod);
    this.volumes.count(info.name, pod, -1);
    if (info.node === undefined && info.pods.size === 0) this.#infos.delete(info.name);
  }

  /** The pod and its node, if it is placed. */
  placement(key: string): { readonly info: NodeInfo; readonly pod: PodInfo } | undefined {
    return this.#placed.get(key);
  }

  #info(name: string): NodeInfo {
    const info = this.#infos.get(name) ?? new NodeInfo(name);
    this.#infos.set(name, info);
    return info;
  }

  /** Re-indexes the pods of the node, whose topology domains change with its labels. */
  #relabel(info: NodeInfo, labels: Labels): void {
    if (sameLabels(info.labels, labels)) return;
    for (const pod of info.pods.values()) this.#index(info, pod, -1);
    // Without a prototype: a topology key may be any string, and must not find inherited properties.
    info.labels = Object.assign(Object.create(null), labels);
    for (const pod of info.pods.values()) this.#index(info, pod, 1);
  }

  #index(info: NodeInfo, pod: PodInfo, by: 1 | -1): void {
    this.#revision += 1;
    const { requiredAffinity, requiredAntiAffinity, preferred } = pod.terms;
    this.counters.count(info, pod, by);
    if (requiredAntiAffinity.length > 0) this.existingAntiAffinity.count(info, requiredAntiAffinity, by);
    if (requiredAffinity.length > 0) this.existingAffinity.count(info, requiredAffinity, by);
    if (preferred.length > 0) this.existingAffinity.count(info, preferred, by);
  }
}

function sameLabels(a: Labels, b: Labels): boolean {
  if (a === b) return true;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
