import { awsProvider, awsSettings } from '@karpenter/aws';
import { coreSettings, parseSettings } from '@karpenter/core/api';
import { systemClock } from '@karpenter/kube/runtime';
import { createCloud } from '@karpenter/sim/cloud';

// The provider as controllers see it, on a simulated account with every type of the catalogue: instance types
// for a hundred NodePools on twenty NodeClasses, the cost of launches, and how long these block the event
// loop.

const clusterName = 'bench';
const classCount = 20;
const poolCount = 100;
const launchCount = 1000;
const distinctCount = 180;
const clock = systemClock;
const silent = { debug() {}, info() {}, error() {} };

/** A fast account with unlimited capacity, so that only our side of the calls is measured. */
const account = createCloud({
  clock,
  seed: 1,
  clusterName,
  region: 'us-east-1',
  faults: {
    throttling: 'off',
    latency: 0,
    consistency: { describe: 0, profile: 0 },
    capacity: [{ types: '*', zones: '*', capacityTypes: '*', depth: 1e6 }],
    quotas: { onDemandVcpus: 1e9, spotVcpus: 1e9, fleets: 1e9 },
  },
});

function cache() {
  const objects = new Map();
  return {
    get: ({ name }) => objects.get(name),
    list: () => [...objects.values()],
    set: (object) => objects.set(object.metadata.name, object),
  };
}

const nodeClasses = cache();
const nodePools = cache();

function makeProvider() {
  const { cluster, region } = account.world;
  const [major, minor] = cluster.version.split('.');
  return awsProvider({
    services: account.services,
    region,
    settings: parseSettings({ ...coreSettings, ...awsSettings }, [], { CLUSTER_NAME: clusterName }).settings,
    cluster: () => ({ endpoint: cluster.endpoint, caBundle: 'Y2VydA==', dnsIp: '10.100.0.10' }),
    serverVersion: async () => ({ major, minor }),
    nodeClasses,
    nodePools,
    events: { publish() {} },
    clock,
    log: silent,
    meters: { increment() {}, observe() {}, set() {}, remove() {} },
  });
}

const reference = (name) => ({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name });
const selected = [{ tags: { 'karpenter.sh/discovery': clusterName } }];

/** NodeClasses that differ in kubelet configuration and image family, as in real clusters. */
function classSpec(index) {
  return {
    amiSelectorTerms: [{ alias: index % 4 === 3 ? 'bottlerocket@latest' : 'al2023@latest' }],
    subnetSelectorTerms: selected,
    securityGroupSelectorTerms: selected,
    role: `KarpenterNodeRole-${clusterName}`,
    kubelet: { maxPods: 50 + index, kubeReserved: { cpu: `${100 + index}m` } },
    metadataOptions: { httpEndpoint: 'enabled', httpTokens: 'required' },
  };
}

async function addClass(provider, index) {
  const name = `class-${index}`;
  const nodeClass = { metadata: { name, uid: name, generation: 1 }, spec: classSpec(index) };
  const [subnets, groups, images, instanceProfile] = await Promise.all([
    provider.subnets.resolve(nodeClass),
    provider.securityGroups.resolve(nodeClass),
    provider.images.resolve(nodeClass),
    provider.profiles.resolve(nodeClass),
  ]);
  nodeClasses.set({
    ...nodeClass,
    status: {
      subnets: subnets.found,
      securityGroups: groups.found,
      amis: images.found,
      instanceProfile,
      conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }],
    },
  });
}

function addPool(index) {
  const nodeClassRef = reference(`class-${index % classCount}`);
  const spec = { template: { spec: { requirements: [], nodeClassRef } } };
  nodePools.set({ metadata: { name: `pool-${index}` }, spec });
}

/** @param least minimum of vCPUs, which makes each NodeClaim different */
function claimOf(index, least) {
  return {
    metadata: { name: `claim-${index}`, labels: { 'karpenter.sh/nodepool': 'pool-0' } },
    spec: {
      requirements: [
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
        { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: [String(least)] },
      ],
      nodeClassRef: reference('class-0'),
      resources: { requests: { cpu: '1', memory: '1Gi', pods: '5' } },
    },
  };
}

/** The longest CPU time, in milliseconds, between two turns of the event loop. */
async function longestStall(work) {
  const used = () => process.cpuUsage().user / 1000;
  let last = used();
  let longest = 0;
  const beat = setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const result = await work();
  clearInterval(beat);
  return { result, longest };
}

async function launchAll(provider, count, leastOf) {
  const cpuBefore = process.cpuUsage();
  const { result, longest } = await longestStall(() =>
    Promise.all(
      Array.from({ length: count }, (_, index) => provider.cloud.create(claimOf(index, leastOf(index)))),
    ),
  );
  const cpu = process.cpuUsage(cpuBefore).user / 1000 / count;
  return { instances: result, cpu, longest };
}

/** The best of several rounds: other load on the machine can only slow one down. */
async function bestOf(rounds, call) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await call();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function heapUsed() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

export async function run() {
  const empty = heapUsed();
  const provider = makeProvider();
  await provider.start();
  await provider.clusterCidr.resolve();
  const discovered = heapUsed() - empty;
  for (let index = 0; index < classCount; index += 1) await addClass(provider, index);
  for (let index = 0; index < poolCount; index += 1) addPool(index);
  const { cloud } = provider;
  const pools = nodePools.list();
  const listAll = () => Promise.all(pools.map((pool) => cloud.instanceTypes(pool)));
  const before = heapUsed();
  const firstStart = performance.now();
  const lists = await listAll();
  const first = performance.now() - firstStart;
  const bytes = heapUsed() - before;
  const warm = await bestOf(50, listAll);
  await launchAll(provider, 1, () => 1);
  const equal = await launchAll(provider, launchCount, () => 2);
  const distinct = await launchAll(provider, distinctCount, (index) => index + 3);
  const listed = await bestOf(5, () => cloud.list());
  const claims = equal.instances.map(({ providerId, imageId, labels, annotations }, index) => ({
    ...claimOf(index, 1),
    metadata: {
      name: `claim-${index}`,
      labels: { ...labels, 'karpenter.sh/nodepool': 'pool-0' },
      annotations,
    },
    status: { providerID: providerId, imageID: imageId },
  }));
  const drift = await bestOf(5, () => Promise.all(claims.map((claim) => cloud.driftReason(claim))));
  account.stop();
  return {
    exact: {
      'types of a NodePool': lists[0].length,
      'offerings that 100 NodePools see': lists
        .flat()
        .reduce((sum, { offerings }) => sum + offerings.length, 0),
      'instances of 1000 equal claims': new Set(equal.instances.map(({ providerId }) => providerId)).size,
    },
    perSecond: {
      'NodePools resolved': (1000 * poolCount) / warm,
      'equal claims launched, by processor time': 1000 / equal.cpu,
      'different claims launched, by processor time': 1000 / distinct.cpu,
      'instances listed': (1000 * (launchCount + distinctCount)) / listed,
      'claims checked for drift': (1000 * launchCount) / drift,
    },
    bytes: { 'for what EC2 says of all types': discovered, 'for 20 NodeClasses': bytes },
    report: `100 NodePools: ${warm.toFixed(1)} ms, at first ${first.toFixed(0)} ms; 20 NodeClasses take ${(bytes / 2 ** 20).toFixed(1)} MiB beside ${(discovered / 2 ** 20).toFixed(1)} MiB of what EC2 said; a launch takes ${equal.cpu.toFixed(2)} ms, ${distinct.cpu.toFixed(1)} ms if no other claim is like it, and ${launchCount} at once hold up others for ${Math.max(equal.longest, distinct.longest).toFixed(0)} ms at most; drift of ${launchCount}: ${drift.toFixed(0)} ms`,
  };
}
