import {
  DiscoveredMemory,
  InstanceTypeProvider,
  PricingProvider,
  ReservationCounts,
  UnavailableOfferings,
} from '@karpenter/aws';
import { instanceTypes, zones, zonesOf } from '@karpenter/ec2-catalogue';

// Every type of the catalogue in us-east-1 for twenty NodeClasses, and the requests of a hundred NodePools.

const region = 'us-east-1';
const classCount = 20;
const poolCount = 100;

const ec2 = {
  describeInstanceTypes: async () => ({ InstanceTypes: instanceTypes() }),
  describeInstanceTypeOfferings: async () => ({
    InstanceTypeOfferings: instanceTypes().flatMap(({ InstanceType }) =>
      zonesOf(InstanceType, region).map(({ name }) => ({ InstanceType, Location: name })),
    ),
  }),
};

/**
 * NodeClasses that differ as those of real clusters do: all in kubelet configuration, some in zones and image
 * family.
 */
function nodeClass(index) {
  const places = zones(region).slice(0, 3 + (index % 3));
  return {
    spec: {
      amiSelectorTerms: [{ alias: index % 4 === 3 ? 'bottlerocket@latest' : 'al2023@latest' }],
      kubelet: { maxPods: 50 + index, kubeReserved: { cpu: `${100 + index}m` } },
    },
    status: {
      subnets: places.map(({ name, id }) => ({ id: `subnet-${id}`, zone: name, zoneID: id })),
      amis: [{ id: `ami-${index}`, requirements: [] }],
    },
  };
}

const now = () => 0;
const unavailable = new UnavailableOfferings({ now });

async function provider() {
  const made = new InstanceTypeProvider({
    ec2,
    region,
    settings: { vmMemoryOverheadPercent: 0.075, reservedEnis: 0 },
    sources: {
      prices: new PricingProvider({ services: { ec2 }, region, isolatedVpc: true, now }),
      unavailable,
      reservations: new ReservationCounts(now),
    },
    memory: new DiscoveredMemory(now),
    now,
  });
  await made.refresh();
  return made;
}

const classes = Array.from({ length: classCount }, (_, index) => nodeClass(index));
const pools = Array.from({ length: poolCount }, (_, index) => classes[index % classCount]);
const shared = await provider();

function heapUsed() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function listAll() {
  let offerings = 0;
  for (const each of pools) for (const type of shared.list(each)) offerings += type.offerings.length;
  return offerings;
}

/** One offering becomes unavailable between two rounds over all NodePools. */
function listAfterShortage() {
  unavailable.markUnavailable({
    instanceType: 'm5.large',
    zone: 'us-east-1a',
    capacityType: 'spot',
    reason: 'bench',
  });
  return listAll();
}

export function run({ rate }) {
  const before = heapUsed();
  const start = performance.now();
  const offerings = listAll();
  const cold = performance.now() - start;
  const bytes = heapUsed() - before;
  const warm = rate(listAll, poolCount);
  const changed = rate(listAfterShortage, poolCount);
  const text = (perSecond) => ((1000 * poolCount) / perSecond).toFixed(1);
  return {
    exact: { types: shared.list(classes[0]).length, 'offerings that 100 NodePools see': offerings },
    perSecond: { 'NodePools resolved': warm, 'NodePools resolved after a shortage': changed },
    bytes: { 'for 20 NodeClasses': bytes },
    report: `100 NodePools: ${text(warm)} ms, after a shortage ${text(changed)} ms, at first ${cold.toFixed(0)} ms (20 NodeClasses made); they take ${(bytes / 2 ** 20).toFixed(1)} MiB`,
  };
}
