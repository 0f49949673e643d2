import {
  type AwsProvider,
  type AwsProviderOptions,
  awsProvider,
  awsSettings,
  type EC2NodeClass,
  type EC2NodeClassSpec,
  type EC2NodeClassStatus,
} from '@karpenter/aws';
import type { AwsServices } from '@karpenter/aws/ports';
import {
  coreSettings,
  type NodeClaim,
  type NodePool,
  parseSettings,
  type RequirementField,
} from '@karpenter/core/api';
import type { CloudInstance } from '@karpenter/core/ports';
import type { ClusterEvent } from '@karpenter/kube/runtime';
import { createCloud, type Faults, type SimulatedCloud } from '@karpenter/sim/cloud';
import { ec2NodeClass, RecordedLogText, RecordedSeries } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { inSmallRegion } from '../crash/small-region.ts';
import { MemoryCache } from '../interruption/memory-cluster.ts';

/** For tests that need the whole catalogue, which takes most of a second to read in every test. */
export const inWholeRegion = (services: AwsServices): AwsServices => services;

const clusterName = 'prod';
const discovered = [{ tags: { 'karpenter.sh/discovery': clusterName } }];

export interface AccountOptions {
  /** Seed of all random behaviour. */
  readonly seed?: number;
  readonly faults?: Partial<Faults>;
  /** Settings as environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly overlaid?: AwsProviderOptions['overlaid'];
  /** The account of another leader, whose NodeClaims this one sees too. */
  readonly after?: SimulatedAccount;
  /** What lies between the provider and the account; defaults to a region with few instance types. */
  readonly network?: (services: AwsServices) => AwsServices;
}

/** The provider on a simulated account, with the caches that it reads. */
export class SimulatedAccount {
  readonly clock: VirtualClock;
  readonly log = new RecordedLogText();
  readonly meters = new RecordedSeries();
  readonly events: string[] = [];
  readonly nodeClasses = new MemoryCache<EC2NodeClass>();
  readonly nodePools = new MemoryCache<NodePool>();
  readonly nodeClaims = new MemoryCache<NodeClaim>();
  readonly cloud: SimulatedCloud;
  readonly provider: AwsProvider;
  readonly #ids: { last: number };

  constructor(options: AccountOptions = {}) {
    const { seed = 1, faults = {}, env = {}, overlaid, after, network = inSmallRegion } = options;
    this.#ids = after === undefined ? { last: 0 } : after.#ids;
    this.clock = after?.clock ?? new VirtualClock();
    const { clock, log, meters, nodeClasses, nodePools, nodeClaims } = this;
    this.cloud =
      after?.cloud ?? createCloud({ clock, seed, clusterName, faults: { throttling: 'off', ...faults } });
    const { cluster, region } = this.cloud.world;
    this.provider = awsProvider({
      services: network(this.cloud.services),
      region,
      settings: parseSettings({ ...coreSettings, ...awsSettings }, [], { CLUSTER_NAME: clusterName, ...env })
        .settings,
      cluster: () => ({ endpoint: cluster.endpoint, caBundle: 'Y2VydA==', dnsIp: '10.100.0.10' }),
      serverVersion: async () => {
        const [major = '', minor = ''] = this.cloud.world.cluster.version.split('.');
        return { major, minor };
      },
      nodeClasses,
      nodePools,
      nodeClaims,
      ...(overlaid !== undefined && { overlaid }),
      events: { publish: (...events) => this.#keep(events) },
      clock,
      log,
      meters,
      random: chanceOf(seed),
      unique: () => {
        this.#ids.last += 1;
        return `unique-${this.#ids.last}`;
      },
    });
  }

  /** Calls take time on the cloud's clock, so this advances it until they return. */
  async answered<T>(call: Promise<T>): Promise<T> {
    let isDone = false;
    const done = call.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    while (!isDone) await this.clock.advance(50);
    return done;
  }

  async start(): Promise<void> {
    await this.answered(this.provider.start());
    await this.answered(this.provider.clusterCidr.resolve());
  }

  /** A NodePool with its own NodeClass, resolved and ready. */
  async addPool(name: string, spec: Partial<EC2NodeClassSpec> = {}): Promise<NodePool> {
    this.nodeClasses.set(await this.resolved(nodeClassOf(name, spec)));
    const nodePool: NodePool = {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name },
      spec: {
        disruption: {
          budgets: [{ nodes: '10%' }],
          consolidateAfter: '0s',
          consolidationPolicy: 'WhenEmptyOrUnderutilized',
        },
        template: { spec: { requirements: [], nodeClassRef: classRef(name), expireAfter: 'Never' } },
      },
    };
    this.nodePools.set(nodePool);
    return nodePool;
  }

  /** The NodePools and NodeClasses of another leader, perhaps with other tags. */
  sharePools(other: SimulatedAccount, tags: Readonly<Record<string, string>> = {}): void {
    for (const pool of other.nodePools.list()) this.nodePools.set(pool);
    for (const nodeClass of other.nodeClasses.list()) {
      this.nodeClasses.set({ ...nodeClass, spec: { ...nodeClass.spec, tags } });
    }
  }

  /** The status as the controllers of EC2NodeClasses would write it. */
  async resolved(nodeClass: EC2NodeClass): Promise<EC2NodeClass> {
    const { provider } = this;
    const [subnets, groups, images, instanceProfile, capacityReservations] = await this.answered(
      Promise.all([
        provider.subnets.resolve(nodeClass),
        provider.securityGroups.resolve(nodeClass),
        provider.images.resolve(nodeClass),
        provider.profiles.resolve(nodeClass),
        provider.reservations.resolve(nodeClass.spec.capacityReservationSelectorTerms ?? []),
      ]),
    );
    const { ec2NodeClassHash, ec2NodeClassHashVersion } = hashAnnotations;
    return withStatus(
      {
        ...nodeClass,
        metadata: {
          ...nodeClass.metadata,
          annotations: { [ec2NodeClassHash]: provider.hashOf(nodeClass), [ec2NodeClassHashVersion]: 'v5' },
        },
      },
      {
        subnets: subnets.found ?? [],
        securityGroups: groups.found ?? [],
        amis: images.found ?? [],
        instanceProfile,
        capacityReservations: [...capacityReservations],
        conditions: [ready('True')],
      },
    );
  }

  nodeClass(name: string): EC2NodeClass {
    const found = this.nodeClasses.get({ name });
    if (found === undefined) throw new Error(`there is no class ${name}`);
    return found;
  }

  /** The NodeClaim as the lifecycle controller stores it before the launch. */
  recorded(claim: NodeClaim): NodeClaim {
    const { metadata } = claim;
    const annotations = { ...metadata.annotations, ...this.provider.cloud.launchAnnotations?.(claim) };
    return { ...claim, metadata: { ...metadata, annotations } };
  }

  create(claim: NodeClaim): Promise<CloudInstance> {
    return this.answered(this.provider.cloud.create(this.recorded(claim)));
  }

  #keep(events: readonly ClusterEvent[]): void {
    for (const { kind, object, definition, message } of events) {
      this.events.push(`${kind.kind} ${object.metadata?.name} ${definition.type}: ${message}`);
    }
  }
}

/** A linear congruential generator, random enough to vary the retry times. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const hashAnnotations = {
  ec2NodeClassHash: 'karpenter.k8s.aws/ec2nodeclass-hash',
  ec2NodeClassHashVersion: 'karpenter.k8s.aws/ec2nodeclass-hash-version',
} as const;

export function ready(status: 'True' | 'False' | 'Unknown', message = '') {
  return {
    type: 'Ready',
    status,
    reason: 'Ready',
    message,
    observedGeneration: 1,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
}

export function withStatus(nodeClass: EC2NodeClass, status: Partial<EC2NodeClassStatus>): EC2NodeClass {
  return { ...nodeClass, status: { ...nodeClass.status, ...status } };
}

function classRef(name: string) {
  return { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name };
}

export function nodeClassOf(name: string, spec: Partial<EC2NodeClassSpec> = {}): EC2NodeClass {
  return ec2NodeClass({
    metadata: { name, uid: `uid-${name}`, generation: 1 },
    spec: {
      amiSelectorTerms: [{ alias: 'al2023@latest' }],
      subnetSelectorTerms: discovered,
      securityGroupSelectorTerms: discovered,
      role: `KarpenterNodeRole-${clusterName}`,
      ...spec,
    },
  });
}

export function claimOf(
  name: string,
  pool: string,
  requirements: readonly RequirementField[] = [],
): NodeClaim {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name, labels: { 'karpenter.sh/nodepool': pool } },
    spec: {
      requirements: [...requirements],
      nodeClassRef: classRef(pool),
      expireAfter: 'Never',
      resources: { requests: { cpu: '1', memory: '1Gi', pods: '5' } },
    },
  };
}

/** The NodeClaim after its launch. */
export function launchedClaim(claim: NodeClaim, instance: CloudInstance): NodeClaim {
  return {
    ...claim,
    metadata: {
      ...claim.metadata,
      labels: { ...claim.metadata.labels, ...instance.labels },
      annotations: { ...claim.metadata.annotations, ...instance.annotations },
    },
    status: { providerID: instance.providerId, imageID: instance.imageId },
  };
}

export const only = (key: string, ...values: string[]): RequirementField => ({ key, operator: 'In', values });
export const onDemand = only('karpenter.sh/capacity-type', 'on-demand');
export const spotOrOnDemand = only('karpenter.sh/capacity-type', 'spot', 'on-demand');
export const ofType = (...types: string[]) => only('node.kubernetes.io/instance-type', ...types);
