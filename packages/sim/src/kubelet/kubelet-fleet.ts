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
import { ComponentEventRecorder } from '../objects/event-recorder.ts';
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
  /** With the indexes that `watchForKubelets` adds. */
  readonly pods: WatchCache<Pod>;
  readonly nodes: WatchCache<Node>;
  readonly signal: AbortSignal;
  readonly log: SimulationLog;
}

/** Pods and nodes synced at once, by all kubelets together. */
const concurrency = 64;
const nodePrefix = 'node:';
const podPrefix = 'pod:';

/**
 * All simulated kubelets. They share one watch per kind and one work queue with one timer, so that a thousand
 * nodes cost little more than their requests.
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
    const { client, clock, pods, nodes, log, signal } = options;
    const events = new ComponentEventRecorder({ client, clock, component: 'kubelet', log, signal });
    this.#pods = pods;
    this.#nodes = nodes;
    this.#nodeAgent = new NodeAgent({ client, clock, events, nodeOf: (name) => nodes.get({ name }) });
    this.#podAgent = new PodAgent({ client, clock, events, nextPodIp: () => this.#nextPodIp() });
  }

  /** Starts the kubelet of a node; its Node appears after the boot delay. May be called before `run`. */
  start(node: SimulatedNode): void {
    this.#kubelets.set(node.name, new Kubelet(node, this.#options.clock.now()));
    this.#enqueueNode(node.name);
  }

  has(name: string): boolean {
    return this.#kubelets.has(name);
  }

  /** Sets or clears a fault of a node. */
  setFault(name: string, fault: NodeFault): void {
    const kubelet = this.#kubelets.get(name);
    if (kubelet === undefined) return;
    kubelet.fault = fault;
    this.#enqueueNode(name);
  }

  /**
   * Ends a kubelet at once, as when the instance is terminated. Its Node and pods stay for other controllers
   * to remove.
   */
  terminate(name: string): void {
    this.#kubelets.delete(name);
  }

  /** The current usage of a node; undefined for nodes that are not simulated here. */
  nodeUsage(name: string): Usage | undefined {
    return this.#kubelets.has(name) ? nodeUsage(this.#pods.byIndex('node', name)) : undefined;
  }

  /** The current usage per container; undefined if the pod does not run here. */
  podUsage(namespace: string, name: string): Readonly<Record<string, Usage>> | undefined {
    const pod = this.#pods.get({ namespace, name });
    return pod === undefined || !this.#kubelets.has(pod.spec?.nodeName ?? '') ? undefined : podUsage(pod);
  }

  /** Runs until the signal aborts. */
  run(): Promise<void> {
    const { clock, signal, log } = this.#options;
    return runController(
      { name: 'kubelet', concurrency, reconcile: (key) => this.#reconcile(key) },
      {
        clock,
        signal,
        sources: [
          { start: (enqueue) => this.#start(enqueue), ready: (waiting) => this.#nodes.waitForSync(waiting) },
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

  #start(enqueue: Enqueue): () => void {
    this.#enqueue = enqueue;
    for (const name of this.#kubelets.keys()) this.#enqueueNode(name);
    return () => {
      this.#enqueue = () => undefined;
    };
  }

  #enqueueNode(name: string): void {
    this.#enqueue(`${nodePrefix}${name}`);
    for (const pod of this.#pods.byIndex('node', name)) this.#enqueue(`${podPrefix}${keyTextOf(pod)}`);
  }

  #nodeChanged(type: string, node: Node): readonly string[] {
    const kubelet = this.#kubelets.get(node.metadata?.name ?? '');
    if (kubelet === undefined || type === 'deleted') return [];
    kubelet.observe(node);
    const now = this.#options.clock.now();
    const isUnknown = node.status?.conditions?.some(({ status }) => status === 'Unknown') ?? false;
    const isTainted = (node.spec?.taints ?? []).some((taint) => kubelet.shouldClear(taint, now));
    return isUnknown || isTainted ? [`${nodePrefix}${kubelet.node.name}`] : [];
  }

  #podChanged(type: string, pod: Pod, previous: Pod | undefined): readonly string[] {
    const kubelet = this.#kubelets.get(pod.spec?.nodeName ?? '');
    if (kubelet === undefined) return [];
    if (type === 'deleted') {
      kubelet.forget(keyTextOf(pod));
      return [];
    }
    return needsSync(pod, previous) ? [`${podPrefix}${keyTextOf(pod)}`] : [];
  }

  async #reconcile(key: string): Promise<ReconcileResult | undefined> {
    try {
      const at = await (key.startsWith(nodePrefix)
        ? this.#reconcileNode(key.slice(nodePrefix.length))
        : this.#reconcilePod(key.slice(podPrefix.length)));
      return this.#requeueAt(at);
    } catch (error) {
      // A conflict means that the cache is behind; retry soon, without backoff and without an error in the
      // log.
      if (!isConflict(error)) throw error;
      return this.#requeueAt(this.#options.clock.now() + 100);
    }
  }

  #requeueAt(at: Instant | undefined): ReconcileResult | undefined {
    if (at === undefined) return undefined;
    return { requeueAfter: durationMs(Math.max(1, Math.ceil(at - this.#options.clock.now()))) };
  }

  async #reconcileNode(name: string): Promise<Instant | undefined> {
    const kubelet = this.#kubelets.get(name);
    if (kubelet === undefined) return undefined;
    const wasRegistered = kubelet.registeredAt !== undefined;
    const at = await this.#nodeAgent.sync(kubelet);
    if (!wasRegistered && kubelet.registeredAt !== undefined) this.#enqueuePods(name);
    return at;
  }

  /** Pods may be bound to the node before this kubelet has registered it, as after a restart. */
  #enqueuePods(name: string): void {
    for (const pod of this.#pods.byIndex('node', name)) this.#enqueue(`${podPrefix}${keyTextOf(pod)}`);
  }

  async #reconcilePod(key: string): Promise<Instant | undefined> {
    const pod = this.#pods.get(parseKey(key));
    const kubelet = this.#kubelets.get(pod?.spec?.nodeName ?? '');
    if (pod === undefined || kubelet === undefined) return undefined;
    if (kubelet.registeredAt === undefined || kubelet.fault === 'partitioned') return undefined;
    return this.#podAgent.sync(kubelet, pod);
  }

  /** The next address that no pod has, including pods from before a restart. */
  #nextPodIp(): string {
    for (;;) {
      this.#podIps = (this.#podIps + 1) % podIpCount;
      const address = podIpAt(this.#podIps);
      if (this.#pods.byIndex('podIp', address).length === 0) return address;
    }
  }
}

/** Starts the watches that kubelets share, or joins those that run. */
export function watchForKubelets(caches: CacheSet): Pick<KubeletFleetOptions, 'pods' | 'nodes'> {
  const pods = caches.of(kinds.pod, {
    node: ({ spec }) => [spec?.nodeName ?? ''],
    podIp: ({ status }) => [status?.podIP ?? ''],
  });
  return { pods, nodes: caches.of(kinds.node) };
}

const podIpCount = 2 ** 22;

/** From 100.64.0.0/10, which the default subnets do not use. */
function podIpAt(offset: number): string {
  const address = (100 << 24) + (64 << 16) + offset;
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}

/** Whether an update needs a sync; the kubelet's own status updates do not. */
function needsSync(pod: Pod, previous: Pod | undefined): boolean {
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
