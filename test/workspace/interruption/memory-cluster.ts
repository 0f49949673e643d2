import { KubeCluster, type NodeWithProvider } from '@karpenter/aws';
import type { NodeClaim, NodePool } from '@karpenter/core/api';
import type { Counters, Log, LogFields } from '@karpenter/core/ports';
import type { CacheChange, WatchCache } from '@karpenter/kube/cache';
import { ApiError, type Kind, type KubeObject, type ObjectKey, type Patch } from '@karpenter/kube/client';
import type { ClusterEvent } from '@karpenter/kube/runtime';
import type { VirtualClock } from '@karpenter/testkit/clock';

/** Objects of one kind as a cache shows them, which may differ from what is stored. */
export class MemoryCache<T extends KubeObject> implements WatchCache<T> {
  readonly synced = true;
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, (object: T) => readonly string[]>();
  readonly #found = new Map<string, Map<string, T>>();

  async waitForSync(): Promise<void> {}

  get({ name }: ObjectKey): T | undefined {
    return this.#objects.get(name);
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  byIndex(index: string, value: string): readonly T[] {
    return [...(this.#found.get(`${index} ${value}`)?.values() ?? [])];
  }

  addIndex(index: string, valuesOf: (object: T) => readonly string[]): void {
    this.#indexes.set(index, valuesOf);
    for (const object of this.list()) this.set(object);
  }

  subscribe(_listener: (change: CacheChange<T>) => void): () => void {
    throw new Error('nobody subscribes in these tests');
  }

  set(object: T): void {
    const name = object.metadata?.name ?? '';
    this.remove(name);
    this.#objects.set(name, object);
    for (const key of this.#keysOf(object)) {
      this.#found.set(key, (this.#found.get(key) ?? new Map<string, T>()).set(name, object));
    }
  }

  remove(name: string): void {
    const old = this.#objects.get(name);
    if (old === undefined) return;
    this.#objects.delete(name);
    for (const key of this.#keysOf(old)) this.#found.get(key)?.delete(name);
  }

  #keysOf(object: T): readonly string[] {
    return [...this.#indexes].flatMap(([index, valuesOf]) =>
      valuesOf(object).map((value) => `${index} ${value}`),
    );
  }
}

/**
 * NodeClaims and Nodes, and a record of every write to them. The caches change only when the test updates
 * them.
 */
export class MemoryCluster {
  readonly claims = new MemoryCache<NodeClaim>();
  readonly nodes = new MemoryCache<NodeWithProvider>();
  readonly nodePools = new MemoryCache<NodePool>();
  /** Writes as `delete NAME`, `patch NAME BODY`, `create NAME`, in order. */
  readonly writes: string[] = [];
  readonly created = new Map<string, KubeObject>();
  /** `Kind NAME Reason: message` */
  readonly events: string[] = [];
  readonly logged: { readonly message: string; readonly fields: LogFields }[] = [];
  readonly counts = new Map<string, number>();
  readonly observed: number[] = [];
  /** Names of objects whose writes the server rejects, and how many times. */
  readonly refusals = new Map<string, number>();
  readonly interrupted: KubeCluster;
  readonly clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.clock = clock;
    const { claims, nodes, client, recorder, counters, log } = this;
    this.interrupted = new KubeCluster({ client, claims, nodes, recorder, clock, counters, log });
  }

  readonly client = {
    delete: async (_kind: Kind, { name }: ObjectKey): Promise<void> => {
      await this.#write(name, `delete ${name}`);
    },
    patch: async (_kind: Kind, { name }: ObjectKey, patch: Patch): Promise<void> => {
      await this.#write(name, `patch ${name} ${patch.type === 'merge' ? JSON.stringify(patch.body) : ''}`);
    },
    create: async <T extends KubeObject>(_kind: Kind<T>, object: T): Promise<T> => {
      const { name = '' } = object.metadata ?? {};
      await this.#write(name, `create ${name}`);
      this.created.set(name, object);
      return object;
    },
  };

  readonly recorder = {
    publish: (...events: readonly ClusterEvent[]): void => {
      for (const { kind, object, definition, message } of events) {
        this.events.push(`${kind.kind} ${object.metadata?.name} ${definition.reason}: ${message}`);
      }
    },
    flush: async (): Promise<void> => {},
  };

  readonly counters: Counters = {
    increment: ({ name }, labels) => {
      const given = Object.values<string>(labels).filter((value) => value !== '');
      const series = [name, ...given].join(' ');
      this.counts.set(series, (this.counts.get(series) ?? 0) + 1);
    },
    observe: (_histogram, _labels, value) => {
      this.observed.push(value);
    },
  };

  readonly log: Log = {
    debug: (message, fields = {}) => this.logged.push({ message, fields }),
    info: (message, fields = {}) => this.logged.push({ message, fields }),
    error: (message, fields = {}) => this.logged.push({ message, fields }),
  };

  logsOf(message: string): readonly LogFields[] {
    return this.logged.filter((line) => line.message === message).map(({ fields }) => fields);
  }

  async #write(name: string, text: string): Promise<void> {
    const refusals = this.refusals.get(name) ?? 0;
    this.refusals.set(name, refusals - 1);
    if (refusals > 0) throw new ApiError(`write ${name}`, refusal(503, 'ServiceUnavailable'));
    this.writes.push(text);
  }
}

function refusal(code: number, reason: string) {
  return { code, reason, message: 'the server says no', causes: [] };
}

/** A NodeClaim with the running instance `i-NAME`, labelled by default as a spot m5.large in us-east-1a. */
export function claimOf(name: string, labels: Readonly<Record<string, string>> = {}): NodeClaim {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name,
      uid: `uid-${name}`,
      labels: {
        'karpenter.sh/nodepool': 'default',
        'karpenter.sh/capacity-type': 'spot',
        'node.kubernetes.io/instance-type': 'm5.large',
        'topology.kubernetes.io/zone': 'us-east-1a',
        ...labels,
      },
    },
    spec: {
      requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }],
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      expireAfter: '720h',
    },
    status: { providerID: `aws:///us-east-1a/i-${name}`, capacity: { cpu: '2', memory: '8Gi' } },
  };
}

export function nodeOf(name: string): NodeWithProvider {
  return {
    metadata: { name: `node-${name}`, uid: `uid-node-${name}` },
    spec: { providerID: `aws:///us-east-1a/i-${name}` },
  };
}
