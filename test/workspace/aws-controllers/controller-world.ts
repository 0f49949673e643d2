import { setMaxListeners } from 'node:events';
import {
  type AwsControllerOptions,
  type AwsProvider,
  type AwsSettings,
  awsControllers,
  awsProvider,
  awsRefreshControllers,
  awsSettings,
  type EC2NodeClass,
  type EC2NodeClassSpec,
  ec2NodeClasses,
  nodeClaims,
  nodePools,
  type SizedNode,
  type WatchedCluster,
} from '@karpenter/aws';
import {
  type CoreSettings,
  coreSettings,
  type NodeClaim,
  type NodePool,
  parseSettings,
} from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';
import { type Kind, kinds } from '@karpenter/kube/client';
import {
  type ClusterEvent,
  type Reconciled,
  type Runnable,
  runController,
  runnableName,
  runSingleton,
} from '@karpenter/kube/runtime';
import { createCloud, type Faults, type SimulatedCloud } from '@karpenter/sim/cloud';
import { ec2NodeClass, RecordedLogText, RecordedSeries } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { inSmallRegion } from '../crash/small-region.ts';
import { MemoryApi } from './memory-api.ts';

export const clusterName = 'prod';
const discovered = [{ tags: { 'karpenter.sh/discovery': clusterName } }];

export interface WorldOptions {
  readonly faults?: Partial<Faults>;
  /** Settings as environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The API server to use; defaults to one in memory. */
  readonly cluster?: Pick<AwsControllerOptions, 'client' | 'caches'>;
  /** Whether the region offers all instance types, which takes time in every test; defaults to a few. */
  readonly hasAllTypes?: boolean;
}

const nodes: Kind<SizedNode> = kinds.node;

/** All AWS controllers on a simulated account and an API server in memory, on one virtual clock. */
export class ControllerWorld {
  readonly clock = new VirtualClock();
  readonly log = new RecordedLogText();
  readonly meters = new RecordedSeries();
  readonly api = new MemoryApi(this.clock);
  /** `Kind/NAME Reason: message` */
  readonly events: string[] = [];
  readonly outcomes: Reconciled[] = [];
  readonly cloud: SimulatedCloud;
  readonly provider: AwsProvider;
  readonly settings: CoreSettings & AwsSettings;
  readonly runnables: readonly Runnable[];
  readonly #ended = new AbortController();
  readonly #runs: Promise<void>[] = [];
  #ids = 0;

  constructor({ faults = {}, env = {}, cluster, hasAllTypes = false }: WorldOptions = {}) {
    const { api, clock, log, meters } = this;
    this.cloud = createCloud({ clock, seed: 1, clusterName, faults: { throttling: 'off', ...faults } });
    const { world } = this.cloud;
    const services = hasAllTypes ? this.cloud.services : inSmallRegion(this.cloud.services);
    const variables = { CLUSTER_NAME: clusterName, ...env };
    this.settings = parseSettings({ ...coreSettings, ...awsSettings }, [], variables).settings;
    const { settings } = this;
    const { client, caches } = cluster ?? { client: api, caches: cachesOf(api) };
    const recorder = {
      publish: (...events: readonly ClusterEvent[]) => this.#keep(events),
      flush: async () => {},
    };
    const shared = { services, settings, clock, log, meters };
    this.provider = awsProvider({
      ...shared,
      ...caches,
      region: world.region,
      cluster: () => ({ endpoint: world.cluster.endpoint, caBundle: 'Y2VydA==', dnsIp: '10.100.0.10' }),
      serverVersion: async () => {
        const [major = '', minor = ''] = this.cloud.world.cluster.version.split('.');
        return { major, minor };
      },
      events: recorder,
      unique: () => {
        this.#ids += 1;
        return `unique-${this.#ids}`;
      },
    });
    setMaxListeners(0, this.#ended.signal);
    const { provider } = this;
    this.runnables = [
      ...awsControllers({ ...shared, client, caches, provider, recorder }),
      ...awsRefreshControllers(provider),
    ];
  }

  /** Data that launches and dry runs require. Loading it takes a while, so tests of other things skip it. */
  async learnTypes(): Promise<void> {
    await this.answered(this.provider.start());
  }

  /** Starts the named controllers, or all. */
  async start(...names: readonly string[]): Promise<void> {
    for (const runnable of this.runnables) {
      if (names.length > 0 && !names.includes(runnableName(runnable))) continue;
      this.#runs.push(this.#run(runnable));
    }
    await this.advance(0);
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    this.cloud.stop();
    await this.answered(Promise.all(this.#runs));
  }

  advance(duration: DurationMs | number): Promise<void> {
    return this.clock.advance(duration);
  }

  /** Calls may take time on the cloud's clock, so this advances it until they return. */
  async answered<T>(call: Promise<T>): Promise<T> {
    let isDone = false;
    const done = call.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    while (!isDone) await this.clock.advanceToNext();
    return done;
  }

  addClass(spec: Partial<EC2NodeClassSpec> = {}, name = 'default'): EC2NodeClass {
    return this.api.put(ec2NodeClasses, nodeClassOf(name, spec));
  }

  nodeClass(name = 'default'): EC2NodeClass {
    const found = this.api.of(ec2NodeClasses).stored.get(name);
    if (found === undefined) throw new Error(`there is no EC2NodeClass ${name}`);
    return found;
  }

  hasClass(name = 'default'): boolean {
    return this.api.of(ec2NodeClasses).stored.has(name);
  }

  /** `Status Reason: message` of a condition. */
  condition(type: string, name = 'default'): string {
    const found = this.nodeClass(name).status?.conditions?.find((condition) => condition.type === type);
    return found === undefined ? 'none' : `${found.status} ${found.reason}: ${found.message}`;
  }

  addPool(template: Partial<NodePool['spec']['template']['spec']> = {}, name = 'default'): NodePool {
    return this.api.put(nodePools, {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name },
      spec: {
        disruption: { budgets: [], consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty' },
        template: {
          spec: { requirements: [], nodeClassRef: classRef('default'), expireAfter: 'Never', ...template },
        },
      },
    });
  }

  /** How often an AWS action was called. */
  calls(action: string): number {
    return this.cloud.calls.get(action) ?? 0;
  }

  /** Errors of the controllers, in order. */
  errorsOf(controller: string): readonly unknown[] {
    return this.outcomes.flatMap((outcome) =>
      outcome.controller === controller && outcome.result === 'error' ? [outcome.error] : [],
    );
  }

  #run(runnable: Runnable): Promise<void> {
    const options = {
      clock: this.clock,
      signal: this.#ended.signal,
      sources: runnable.sources ?? [],
      onReconciled: (outcome: Reconciled) => this.outcomes.push(outcome),
    };
    return 'controller' in runnable
      ? runController(runnable.controller, options)
      : runSingleton(runnable.singleton, options);
  }

  #keep(events: readonly ClusterEvent[]): void {
    for (const { kind, object, definition, message } of events) {
      this.events.push(`${kind.kind}/${object.metadata?.name} ${definition.reason}: ${message}`);
    }
  }
}

function cachesOf(api: MemoryApi): WatchedCluster {
  return {
    nodeClasses: api.of(ec2NodeClasses),
    nodePools: api.of(nodePools),
    nodeClaims: api.of(nodeClaims),
    nodes: api.of(nodes),
  };
}

export function classRef(name: string) {
  return { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name };
}

export function nodeClassOf(name: string, spec: Partial<EC2NodeClassSpec> = {}): EC2NodeClass {
  return ec2NodeClass({
    metadata: { name },
    spec: {
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: discovered,
      securityGroupSelectorTerms: discovered,
      ...(spec.instanceProfile === undefined && { role: `KarpenterNodeRole-${clusterName}` }),
      ...spec,
    },
  });
}

export function claimOf(name: string, parts: Partial<NodeClaim> = {}): NodeClaim {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    spec: { requirements: [], nodeClassRef: classRef('default'), expireAfter: 'Never' },
    ...parts,
    metadata: { name, labels: { 'karpenter.sh/nodepool': 'default' }, ...parts.metadata },
  };
}
