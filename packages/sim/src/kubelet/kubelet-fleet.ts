import { durationMs } from '@karpenter/core/values';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import { isConflict, type KubeClient, kinds, parseKey } from '@karpenter/kube/client';
import {
  type Clock,
  changesOf,
  type Enqueue,
  type Instant,
  type ReconcileResult,
  runController,
} from '@karpenter/kube/runtime';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { EventRecorder } from '../objects/event-recorder.ts';
import { keyTextOf } from '../objects/object-key.ts';
import type { SimulationLog } from '../objects/simulation-log.ts';
import { Kubelet } from './kubelet.ts';
import { NodeAgent } from './node-agent.ts';
import { PodAgent } from './pod-agent.ts';
import type { NodeFault, SimulatedNode } from './simulated-node.ts';
import { nodeUsage, podUsage, type Usage } from './usage.ts';

export interface KubeletFleetOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly caches: CacheSet;
  readonly signal: AbortSignal;
  readonly log: SimulationLog;
}

const concurrency = 64;
const nodePrefix = 'node:';
const podPrefix = 'pod:';

/**
 * All simulated kubelets. They share one watch and one queue with one timer, so that a thousand nodes cost
 * little more than their requests do.
 */
export class KubeletFleet {
  readonly #options: KubeletFleetOptions;
  readonly #kubelets = new Map<string, Kubelet>();
  readonly #pods: WatchCache<Pod>;
  readonly #nodes: WatchCache<Node>;
  readonly #nodeAgent: NodeAgent;
  readonly #podAgent: PodAgent;
  #enqueue: Enqueue = () => undefined;
  #podIps = 0;

  constructor(options: KubeletFleetOptions) {
    this.#options = options;
    const { client, clock, caches, log, signal } = options;
    const events = new EventRecorder({ client, clock, component: 'kubelet', log, signal });
    this.#pods = caches.of(kinds.pod, {
      node: ({ spec }) => [spec?.nodeName ?? ''],
      podIp: ({ status }) => [status?.podIP ?? ''],
    });
    this.#nodes = caches.of(kinds.node);
    this.#nodeAgent = new NodeAgent({ client, clock, events, nodeOf: (name) => this.#nodes.get({ name }) });
    this.#podAgent = new PodAgent({ client, clock, events, nextPodIp: () => this.#nextPodIp() });
  }

  /** A machine is switched on; its node appears after its boot delay. */
  start(node: SimulatedNode): void {
    this.#kubelets.set(node.name, new Kubelet(node, this.#options.clock.now()));
    this.#attend(node.name);
  }

  has(name: string): boolean {
    return this.#kubelets.has(name);
  }

  /** Breaks a node, or mends it. */
  setFault(name: string, fault: NodeFault): void {
    const kubelet = this.#kubelets.get(name);
    if (kubelet === undefined) return;
    kubelet.fault = fault;
    this.#attend(name);
  }

  /** The machine is gone from one moment to the next; its Node and pods stay behind for others to clear away. */
  terminate(name: string): void {
    this.#kubelets.delete(name);
  }

  /** What a node uses at the moment; undefined for nodes that are not simulated here. */
  nodeUsage(name: string): Usage | undefined {
    return this.#kubelets.has(name) ? nodeUsage(this.#pods.byIndex('node', name)) : undefined;
  }

  /** By container. */
  podUsage(namespace: string, name: string): Readonly<Record<string, Usage>> | undefined {
    const pod = this.#pods.get({ namespace, name });
    return pod === undefined || !this.#kubelets.has(pod.spec?.nodeName ?? '') ? undefined : podUsage(pod);
  }

  /** Until the signal is raised. */
  run(): Promise<void> {
    const { clock, signal, log } = this.#options;
    return runController(
      { name: 'kubelet', concurrency, reconcile: (key) => this.#reconcile(key) },
      {
        clock,
        signal,
        sources: [
          { start: (enqueue) => this.#begin(enqueue), ready: (waiting) => this.#nodes.waitForSync(waiting) },
          changesOf(this.#nodes, ({ type, object }) => this.#nodeChanged(type, object)),
          changesOf(this.#pods, ({ type, object, previous }) => this.#podChanged(type, object, previous)),
        ],
        backoff: { initial: durationMs(100), max: durationMs(10_000) },
        retries: { perSecond: 500, burst: 1_000 },
        onReconciled: ({ key, error }) => {
          if (error !== undefined && !signal.aborted) log('kubelet will retry', { key, error });
        },
      },
    );
  }

  #begin(enqueue: Enqueue): () => void {
    this.#enqueue = enqueue;
    for (const name of this.#kubelets.keys()) this.#attend(name);
    return () => {
      this.#enqueue = () => undefined;
    };
  }

  #attend(name: string): void {
    this.#enqueue(`${nodePrefix}${name}`);
    for (const pod of this.#pods.byIndex('node', name)) this.#enqueue(`${podPrefix}${keyTextOf(pod)}`);
  }

  #nodeChanged(type: string, node: Node): readonly string[] {
    const kubelet = this.#kubelets.get(node.metadata?.name ?? '');
    if (kubelet === undefined || type === 'deleted') return [];
    kubelet.observe(node);
    const now = this.#options.clock.now();
    const isDoubted = node.status?.conditions?.some(({ status }) => status === 'Unknown') ?? false;
    const isTainted = (node.spec?.taints ?? []).some((taint) => kubelet.isToClear(taint, now));
    return isDoubted || isTainted ? [`${nodePrefix}${kubelet.node.name}`] : [];
  }

  #podChanged(type: string, pod: Pod, previous: Pod | undefined): readonly string[] {
    const kubelet = this.#kubelets.get(pod.spec?.nodeName ?? '');
    if (kubelet === undefined) return [];
    if (type === 'deleted') {
      kubelet.forget(keyTextOf(pod));
      return [];
    }
    return isNews(pod, previous) ? [`${podPrefix}${keyTextOf(pod)}`] : [];
  }

  async #reconcile(key: string): Promise<ReconcileResult | undefined> {
    try {
      const at = await (key.startsWith(nodePrefix)
        ? this.#reconcileNode(key.slice(nodePrefix.length))
        : this.#reconcilePod(key.slice(podPrefix.length)));
      return this.#again(at);
    } catch (error) {
      if (!isConflict(error)) throw error;
      return this.#again(this.#options.clock.now() + 100);
    }
  }

  #again(at: Instant | undefined): ReconcileResult | undefined {
    if (at === undefined) return undefined;
    return { requeueAfter: durationMs(Math.max(1, Math.ceil(at - this.#options.clock.now()))) };
  }

  async #reconcileNode(name: string): Promise<Instant | undefined> {
    const kubelet = this.#kubelets.get(name);
    if (kubelet === undefined) return undefined;
    const wasRegistered = kubelet.registeredAt !== undefined;
    const at = await this.#nodeAgent.attend(kubelet);
    if (!wasRegistered && kubelet.registeredAt !== undefined) this.#attendPods(name);
    return at;
  }

  /** Pods may be bound to a node before its kubelet is known to be there. */
  #attendPods(name: string): void {
    for (const pod of this.#pods.byIndex('node', name)) this.#enqueue(`${podPrefix}${keyTextOf(pod)}`);
  }

  async #reconcilePod(key: string): Promise<Instant | undefined> {
    const pod = this.#pods.get(parseKey(key));
    const kubelet = this.#kubelets.get(pod?.spec?.nodeName ?? '');
    if (pod === undefined || kubelet === undefined) return undefined;
    if (kubelet.registeredAt === undefined || kubelet.fault === 'partitioned') return undefined;
    return this.#podAgent.attend(kubelet, pod);
  }

  /** One that no pod has, also none from before a restart. */
  #nextPodIp(): string {
    for (;;) {
      this.#podIps = (this.#podIps + 1) % podIpCount;
      const address = podIpAt(this.#podIps);
      if (this.#pods.byIndex('podIp', address).length === 0) return address;
    }
  }
}

const podIpCount = 2 ** 22;

/** From the range that is shared by nobody else: 100.64.0.0/10. */
function podIpAt(offset: number): string {
  const address = (100 << 24) + (64 << 16) + offset;
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}

/** What the kubelet wrote itself is no news to it. */
function isNews(pod: Pod, previous: Pod | undefined): boolean {
  if (previous === undefined || previous.metadata?.uid !== pod.metadata?.uid) return true;
  const relevant = ({ metadata, spec }: Pod) =>
    JSON.stringify([
      spec?.nodeName,
      metadata?.deletionTimestamp,
      metadata?.annotations,
      metadata?.finalizers,
    ]);
  return relevant(pod) !== relevant(previous) || pod.spec?.readinessGates !== undefined;
}
