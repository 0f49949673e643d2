import type { Decision, PlannedNodeFacts } from '@karpenter/core/decisions';
import type {
  DecisionsDelta,
  DemoAction,
  PageNode,
  PagePod,
  PagePool,
  RowsDelta,
} from '@karpenter/core/page-api';
import { randomNumbers } from './random-numbers.ts';
import {
  boundPod,
  pendingPod,
  readyNode,
  samplePool,
  samplePools,
  sampleTypes,
  sampleZones,
} from './sample-rows.ts';

interface SampleClusterOptions {
  readonly nodes: number;
  readonly pods: number;
  /** Pods that come or go in a second. */
  readonly podsPerSecond: number;
  readonly now: number;
}

interface Later {
  readonly at: number;
  readonly run: (now: number) => void;
}

const planAfterMs = 700;
const launchMs = 900;
const registerMs = 1_600;
const startMs = 700;
const terminateMs = 600;
const namespaces = ['default', 'shop', 'data'] as const;

/** The Deployment that the demo scales; its pods are large enough to need new nodes soon. */
export const scaledWorkload = 'web';

/** The unschedulable pod of every sample cluster. */
export const stuckPod = { namespace: 'default', name: 'huge-0' };

/** A cluster that behaves plausibly enough to look at: pods come and go, nodes are launched, emptied and removed. */
export class SampleCluster {
  readonly #nodes = new Map<string, PageNode>();
  readonly #pods = new Map<string, PagePod>();
  readonly #podsOf = new Map<string, Set<string>>();
  readonly #changedNodes = new Set<string>();
  readonly #changedPods = new Set<string>();
  readonly #decisions: Decision[] = [];
  readonly #random = randomNumbers(7);
  readonly #spotless = new Set<string>();
  readonly #podsPerSecond: number;
  #later: Later[] = [];
  #sent = 0;
  #nodeCount = 0;
  #podCount = 0;
  #churnDebt = 0;
  #steppedAt: number;
  #isBootFailing = false;

  constructor({ nodes, pods, podsPerSecond, now }: SampleClusterOptions) {
    this.#podsPerSecond = podsPerSecond;
    this.#steppedAt = now;
    for (let index = 0; index < nodes; index += 1) this.#addNode(now - this.#random() * 86_400_000);
    const list = [...this.#nodes.values()];
    for (let index = 0; index < pods; index += 1) this.#addRunning(list, index, now);
    this.#pods.set('pod-stuck', {
      ...pendingPod({ index: 0, workload: 'huge', namespace: 'default', cores: 500, gib: 1, createdAt: now }),
      uid: 'pod-stuck',
      ...stuckPod,
    });
    this.takeRows(now);
  }

  get decisions(): readonly Decision[] {
    return this.#decisions;
  }

  allRows(now: number): RowsDelta {
    return {
      isReset: true,
      at: now,
      nodes: { changed: [...this.#nodes.values()], removed: [] },
      pods: { changed: [...this.#pods.values()], removed: [] },
      pools: { changed: this.#pools(now), removed: [] },
    };
  }

  takeRows(now: number): RowsDelta {
    const nodes = split(this.#changedNodes, this.#nodes);
    const pods = split(this.#changedPods, this.#pods);
    return { isReset: false, at: now, nodes, pods, pools: { changed: this.#pools(now), removed: [] } };
  }

  takeDecisions(): DecisionsDelta {
    const decisions = this.#decisions.slice(this.#sent);
    this.#sent = this.#decisions.length;
    return { isReset: false, decisions };
  }

  /** Everything that happens until `now`. */
  step(now: number): void {
    const due = this.#later.filter(({ at }) => at <= now);
    this.#later = this.#later.filter(({ at }) => at > now);
    for (const { run } of due) run(now);
    this.#churn(now);
    this.#plan(now);
    if (this.#podsPerSecond === 0) this.#removeEmpty(now);
    this.#steppedAt = now;
  }

  act(action: DemoAction, now: number): string {
    switch (action.action) {
      case 'scale':
        this.#scale(action.deployment, action.replicas, now);
        return `Deployment ${action.deployment} has ${action.replicas} replicas now.`;
      case 'removeSpot':
        this.#spotless.add(action.zone);
        return `There is no spot capacity in ${action.zone} any more.`;
      case 'restoreSpot':
        this.#spotless.delete(action.zone);
        return `There is spot capacity in ${action.zone} again.`;
      case 'interrupt':
        this.#interrupt(action.node, now);
        return `Node ${action.node} is interrupted.`;
      case 'failBoots':
        this.#isBootFailing = action.isFailing;
        return action.isFailing ? 'New instances fail to boot.' : 'New instances boot again.';
    }
  }

  replicasOf(deployment: string): number {
    return this.#podsOfWorkload(deployment).length;
  }

  #pools(now: number): readonly PagePool[] {
    const nodes = [...this.#nodes.values()];
    return samplePools.map((name) => {
      const ofPool = nodes.filter(({ nodePool }) => nodePool === name);
      return samplePool(name, ofPool, now);
    });
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  #addNode(createdAt: number, pool?: string): PageNode {
    this.#nodeCount += 1;
    const zone = this.#pick(sampleZones) ?? sampleZones[0];
    const chosen = pool ?? this.#pick(samplePools) ?? 'default';
    const isSpot = chosen !== 'services' && !this.#spotless.has(zone) && this.#random() < 0.75;
    const [cheapest] = sampleTypes;
    const type = this.#pick(sampleTypes) ?? cheapest;
    if (type === undefined) throw new Error('there are no sample types');
    const node = readyNode({
      index: this.#nodeCount,
      type,
      pool: chosen,
      zone,
      capacityType: isSpot ? 'spot' : 'on-demand',
      createdAt,
    });
    this.#setNode(node);
    this.#addDaemon(node, createdAt);
    return node;
  }

  #addDaemon(node: PageNode, createdAt: number): void {
    this.#podCount += 1;
    const shape = {
      index: this.#podCount,
      workload: 'aws-node',
      namespace: 'kube-system',
      cores: 0.1,
      gib: 0.1,
    };
    const pod = pendingPod({ ...shape, createdAt, isDaemon: true });
    this.#setPod(boundPod(pod, node.name, 'running'));
  }

  #addRunning(nodes: readonly PageNode[], index: number, now: number): void {
    const pod = this.#newPod(`app-${index % 40}`, namespaces[index % 3] ?? 'default', now - 60_000);
    const start = Math.floor(this.#random() * nodes.length);
    for (let offset = 0; offset < nodes.length; offset += 1) {
      const node = nodes[(start + offset) % nodes.length];
      if (node === undefined || !this.#fits(pod, node)) continue;
      const roll = this.#random();
      this.#setPod({
        ...boundPod(pod, node.name, roll < 0.004 ? 'failing' : roll < 0.01 ? 'starting' : 'running'),
        ...(roll < 0.004 && { restarts: 7, message: 'back-off 5m0s restarting failed container' }),
      });
      return;
    }
  }

  #newPod(workload: string, namespace: string, createdAt: number): PagePod {
    this.#podCount += 1;
    const size = workload === scaledWorkload ? 11 : (hash(workload) % 5) + 1;
    const shape = { index: this.#podCount, workload, namespace, cores: size * 0.08, gib: size * 0.25 };
    return pendingPod({ ...shape, createdAt });
  }

  #fits(pod: PagePod, { name, phase, isCordoned }: PageNode): boolean {
    const node = this.#nodes.get(this.#idOf(name));
    if (node === undefined || phase !== 'ready' || isCordoned) return false;
    return ['cpu', 'memory', 'pods'].every(
      (resource) =>
        (node.requested[resource] ?? 0) + (pod.requests[resource] ?? 0) <= (node.allocatable[resource] ?? 0),
    );
  }

  readonly #ids = new Map<string, string>();

  #idOf(nodeName: string): string {
    return this.#ids.get(nodeName) ?? '';
  }

  #setNode(node: PageNode): void {
    this.#nodes.set(node.id, node);
    this.#ids.set(node.name, node.id);
    this.#changedNodes.add(node.id);
  }

  #setPod(pod: PagePod): void {
    const before = this.#pods.get(pod.uid);
    this.#count(before, -1);
    this.#pods.set(pod.uid, pod);
    this.#count(pod, 1);
    this.#changedPods.add(pod.uid);
  }

  #removePod(pod: PagePod): void {
    const before = this.#pods.get(pod.uid);
    this.#count(before, -1);
    this.#pods.delete(pod.uid);
    this.#changedPods.add(pod.uid);
  }

  #count(pod: PagePod | undefined, sign: 1 | -1): void {
    if (pod?.nodeName === undefined) return;
    const pods = this.#podsOf.get(pod.nodeName) ?? new Set<string>();
    this.#podsOf.set(pod.nodeName, pods);
    if (sign === 1) pods.add(pod.uid);
    else pods.delete(pod.uid);
    const node = this.#nodes.get(this.#idOf(pod.nodeName));
    if (node === undefined) return;
    const requested: Record<string, number> = { ...node.requested };
    for (const [name, amount] of Object.entries(pod.requests))
      requested[name] = Math.max(0, (requested[name] ?? 0) + sign * amount);
    this.#setNode({ ...node, requested });
  }

  #after(delayMs: number, now: number, run: (now: number) => void): void {
    this.#later.push({ at: now + delayMs, run });
  }

  #churn(now: number): void {
    this.#churnDebt += ((now - this.#steppedAt) / 1000) * (this.#podsPerSecond / 2);
    const pods = this.#churnDebt >= 1 ? [...this.#pods.values()] : [];
    for (; this.#churnDebt >= 1; this.#churnDebt -= 1) {
      const pod = this.#pick(pods);
      if (pod === undefined || pod.phase !== 'running' || pod.isDaemon) continue;
      this.#deletePod(pod, now);
      this.#setPod(this.#newPod(pod.workload.name, pod.namespace, now));
    }
  }

  #deletePod(pod: PagePod, now: number): void {
    this.#setPod({ ...pod, phase: 'terminating', requests: {} });
    this.#after(terminateMs, now, () => this.#removePod(pod));
  }

  #podsOfWorkload(name: string): readonly PagePod[] {
    return [...this.#pods.values()].filter(
      ({ workload, namespace, phase }) =>
        workload.name === name && namespace === 'default' && phase !== 'terminating',
    );
  }

  #scale(deployment: string, replicas: number, now: number): void {
    const pods = this.#podsOfWorkload(deployment);
    for (let index = pods.length; index < replicas; index += 1)
      this.#setPod(this.#newPod(deployment, 'default', now));
    for (const pod of pods.slice(replicas)) this.#deletePod(pod, now);
  }

  #plan(now: number): void {
    const waiting = [...this.#pods.values()].filter(
      ({ phase, createdAt, uid }) =>
        phase === 'pending' && uid !== 'pod-stuck' && createdAt <= now - planAfterMs,
    );
    if (waiting.length === 0) return;
    const ready = [...this.#nodes.values()];
    const homeless = waiting.filter((pod) => !this.#bindSomewhere(pod, ready, now));
    const isJoining = ready.some(({ phase }) => phase === 'launching' || phase === 'registering');
    if (homeless.length > 0 && !isJoining) this.#launchFor(homeless, now);
  }

  #bindSomewhere(pod: PagePod, nodes: readonly PageNode[], now: number): boolean {
    const tries = Math.min(nodes.length, 60);
    const start = Math.floor(this.#random() * nodes.length);
    for (let offset = 0; offset < tries; offset += 1) {
      const node = nodes[(start + offset) % nodes.length];
      if (node === undefined || !this.#fits(pod, node)) continue;
      this.#setPod(boundPod(pod, node.name, 'starting'));
      this.#after(startMs, now, () => {
        const started = this.#pods.get(pod.uid);
        if (started?.phase === 'starting') this.#setPod(boundPod(started, node.name, 'running'));
      });
      return true;
    }
    return false;
  }

  #launchFor(pods: readonly PagePod[], now: number): void {
    const node = this.#addNode(now, 'default');
    const planned: PlannedNodeFacts = {
      nodeClaim: node.nodeClaim ?? '',
      nodePool: 'default',
      instanceTypes: sampleTypes.map(({ name }) => name).slice(0, 3),
      typeCount: 48,
      zones: sampleZones,
      capacityTypes: ['spot', 'on-demand'],
      hourly: node.price?.hourly ?? 0,
      pods: pods.map(({ namespace, name }) => `${namespace}/${name}`),
    };
    this.#decide(now, `${pods.length} pods get 1 new node in NodePool default`, {
      kind: 'plan',
      pods: pods.length,
      durationMs: 14,
      newNodes: [planned],
      placements: [],
      rejected: [{ pod: `${stuckPod.namespace}/${stuckPod.name}`, message: stuckReason }],
      hourly: planned.hourly,
    });
    const { price, nodeName, ...claim } = node;
    this.#setNode({ ...claim, phase: 'launching', isReady: false, phaseSince: now });
    this.#after(launchMs, now, (at) => this.#launched(node, at));
  }

  #launched(node: PageNode, now: number): void {
    for (const zone of this.#spotless)
      this.#decide(
        now,
        `NodeClaim ${node.nodeClaim} got no spot instance in ${zone}: insufficient capacity`,
        {
          kind: 'launch',
          nodeClaim: node.nodeClaim ?? '',
          zone,
          capacityType: 'spot',
          failure: `InsufficientInstanceCapacity for spot in ${zone}`,
        },
      );
    const { nodeClaim = '', nodePool = '', instanceType = '', zone = '', capacityType = '' } = node;
    this.#decide(now, `NodeClaim ${nodeClaim} became ${instanceType} (${capacityType}) in ${zone}`, {
      kind: 'launch',
      nodeClaim,
      nodePool,
      instanceType,
      zone,
      capacityType,
      hourly: node.price?.hourly ?? 0,
    });
    this.#setNode({ ...this.#current(node), ...pick(node, 'price'), phase: 'registering', phaseSince: now });
    if (this.#isBootFailing) return;
    this.#after(registerMs, now, (at) =>
      this.#setNode({
        ...this.#current(node),
        ...pick(node, 'price', 'nodeName'),
        phase: 'ready',
        isReady: true,
        phaseSince: at,
        readySince: at,
      }),
    );
  }

  #current(node: PageNode): PageNode {
    return this.#nodes.get(node.id) ?? node;
  }

  #interrupt(name: string, now: number): void {
    const node = this.#nodes.get(this.#idOf(name));
    if (node === undefined) return;
    this.#decide(now, `Node ${name} is interrupted: EC2 takes the spot instance back`, {
      kind: 'notice',
      object: { kind: 'Node', name },
      reason: 'SpotInterrupted',
      message: 'Spot interruption warning was triggered for the node',
    });
    this.#terminate(node, now);
  }

  #terminate(node: PageNode, now: number): void {
    this.#setNode({ ...node, phase: 'terminating', isCordoned: true, isDeleting: true, phaseSince: now });
    for (const uid of this.#podsOf.get(node.name) ?? []) {
      const pod = this.#pods.get(uid);
      if (pod === undefined || pod.phase === 'terminating') continue;
      this.#deletePod(pod, now);
      if (!pod.isDaemon) this.#setPod(this.#newPod(pod.workload.name, pod.namespace, now));
    }
    this.#after(2_500, now, () => {
      this.#nodes.delete(node.id);
      this.#changedNodes.add(node.id);
    });
  }

  #removeEmpty(now: number): void {
    for (const node of this.#nodes.values()) {
      const pods = [...(this.#podsOf.get(node.name) ?? [])].map((uid) => this.#pods.get(uid));
      const isEmpty = pods.every((pod) => pod === undefined || pod.isDaemon);
      if (!isEmpty || node.phase !== 'ready' || node.isDeleting || now - node.readySince < 6_000) continue;
      const hourly = node.price?.hourly ?? 0;
      this.#decide(now, `Node ${node.name.split('.')[0]} is empty and leaves`, {
        kind: 'disruption',
        reason: 'empty',
        consolidationType: 'empty',
        nodes: [disrupted(node)],
        replacements: [],
        movedPods: 0,
        savings: hourly,
      });
      this.#terminate(node, now);
    }
  }

  #decide(at: number, summary: string, facts: WithoutFacts): void {
    const id = `${at}-${String(this.#decisions.length).padStart(6, '0')}`;
    this.#decisions.push({ id, at, summary, isReplayable: facts.kind === 'plan', ...facts });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type WithoutFacts = DistributiveOmit<Decision, 'id' | 'at' | 'summary' | 'isReplayable'>;

/** What `explain` says of the pod that fits nowhere. */
export const stuckReason = 'requests 500 cpu, and the largest instance type of NodePool default has 16';

function disrupted(node: PageNode) {
  const { name, nodeClaim = '', price } = node;
  return {
    node: name,
    nodeClaim,
    ...pick(node, 'nodePool', 'instanceType', 'zone', 'capacityType'),
    ...(price !== undefined && { hourly: price.hourly }),
    pods: 0,
  };
}

function split<Row>(keys: Set<string>, rows: ReadonlyMap<string, Row>) {
  const changed: Row[] = [];
  const removed: string[] = [];
  for (const key of keys) {
    const row = rows.get(key);
    if (row === undefined) removed.push(key);
    else changed.push(row);
  }
  keys.clear();
  return { changed, removed };
}

/** Present fields only. */
function pick<T extends object, K extends keyof T>(object: T, ...keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]),
  ) as Pick<T, K>;
}

function hash(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum;
}
