import { plan } from '@karpenter/core/scheduling';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { batches, seeds } from '@karpenter/testkit/rounds';
import {
  instanceType,
  type PodParts,
  planOptions,
  pod,
  pods,
  pool,
  snapshot,
} from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { type Machine, type SmallBatch, smallBatch } from '../exact-optimum/small-batch.ts';

interface Offering {
  readonly zone: string;
  readonly capacityType: string;
  readonly price: number;
}

interface Scenario {
  readonly instanceTypes: readonly object[];
  readonly nodePools: readonly object[];
  readonly pods: readonly { readonly count: number; readonly pod: object }[];
  readonly daemonPods?: readonly object[];
  readonly nodes?: readonly object[];
}

type Rows = {
  readonly hostnameRules?: boolean;
  readonly zoneRules?: boolean;
  readonly wholePods?: boolean;
};

const { priceBound }: { priceBound(scenario: Scenario, rows?: Rows): number | undefined } = await import(
  new URL('../../../bench/scenarios/price-bound.mjs', import.meta.url).href
);

const hostname = 'kubernetes.io/hostname';
const named = (app: string) => ({ labelSelector: { matchLabels: { app } }, topologyKey: hostname });

const apart = (app: string): PodParts => ({
  labels: { app },
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [named(app)] } },
});

const spreadOut = (app: string, maxSkew: number, topologyKey = hostname): PodParts => ({
  labels: { app },
  topologySpreadConstraints: [{ ...named(app), topologyKey, maxSkew, whenUnsatisfiable: 'DoNotSchedule' }],
});

const overZones = (app: string, maxSkew: number) => spreadOut(app, maxSkew, 'topology.kubernetes.io/zone');

function typeOf(name: string, capacity: Readonly<Record<string, string>>, offerings: readonly Offering[]) {
  return { name, labels: { 'kubernetes.io/arch': 'amd64' }, capacity, overhead: {}, offerings };
}

const onDemand = (price: number, zone = 'a'): Offering => ({ zone, capacityType: 'on-demand', price });
const spot = (price: number): Offering => ({ zone: 'a', capacityType: 'spot', price });
const roomy = { memory: '64Gi', pods: '110' };
const fourCpus = typeOf('small', { ...roomy, cpu: '4' }, [onDemand(1)]);

const scenarioOf = (counts: readonly (readonly [number, PodParts])[], parts: Partial<Scenario> = {}) => ({
  instanceTypes: [fourCpus],
  nodePools: [pool('default')],
  pods: counts.map(([count, podParts]) => ({ count, pod: pod('p', podParts) })),
  ...parts,
});

describe('the bound of the price of a plan', () => {
  it('counts a node for each pod of an anti-affinity by host name', () => {
    const scenario = scenarioOf([[3, apart('web')]]);
    expect(priceBound(scenario)).toBeCloseTo(3, 6);
    expect(priceBound(scenario, { hostnameRules: false })).toBeCloseTo(0.75, 6);
  });

  it('counts nodes for pods of different sizes that repel each other', () => {
    const scenario = scenarioOf([
      [2, apart('web')],
      [1, { ...apart('web'), cpu: '2' }],
    ]);
    expect(priceBound(scenario)).toBeCloseTo(3, 6);
  });

  it('allows as many pods of a spread by host name on a node as its maxSkew', () => {
    expect(priceBound(scenarioOf([[6, spreadOut('web', 2)]]))).toBeCloseTo(3, 6);
  });

  it('does not count pods that a spread selects but that do not have it', () => {
    const others = [2, { labels: { app: 'web' } }] as const;
    expect(priceBound(scenarioOf([[1, spreadOut('web', 1)], others]))).toBeCloseTo(1, 6);
  });

  it('pays for the share of the more expensive zones in a spread over zones', () => {
    const offerings = [onDemand(1), onDemand(2, 'b'), onDemand(4, 'c')];
    const instanceTypes = [typeOf('small', { ...roomy, cpu: '4' }, offerings)];
    const scenario = scenarioOf([[13, { ...overZones('web', 1), cpu: '4' }]], { instanceTypes });
    expect(priceBound(scenario)).toBeCloseTo(5 * 1 + 4 * 2 + 4 * 4, 6);
    expect(priceBound(scenario, { zoneRules: false })).toBeCloseTo(13, 6);
    const skewed = scenarioOf([[13, { ...overZones('web', 4), cpu: '4' }]], { instanceTypes });
    expect(priceBound(skewed)).toBeCloseTo(7 * 1 + 4 * 2 + 2 * 4, 6);
  });

  it('assumes no rule on zones for pods that others may follow', () => {
    const offerings = [onDemand(1), onDemand(2, 'b')];
    const instanceTypes = [typeOf('small', { ...roomy, cpu: '4' }, offerings)];
    const own = { ...overZones('web', 1), cpu: '4' };
    const others = [2, { labels: { app: 'web' }, cpu: '4' }] as const;
    expect(priceBound(scenarioOf([[4, own], others], { instanceTypes }))).toBeCloseTo(6, 6);
  });

  it('counts only zones that the pods may use', () => {
    const offerings = [onDemand(1), onDemand(2, 'b'), onDemand(4, 'c')];
    const instanceTypes = [typeOf('small', { ...roomy, cpu: '4' }, offerings)];
    const zones = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] } as const;
    const nodePools = [pool('default', { requirements: [zones] })];
    const scenario = scenarioOf([[4, { ...overZones('web', 1), cpu: '4' }]], { instanceTypes, nodePools });
    expect(priceBound(scenario)).toBeCloseTo(2 * 1 + 2 * 2, 6);
  });

  it('assumes no preferred spread and no rule that does not select the pod itself', () => {
    const [constraint] = spreadOut('web', 1).topologySpreadConstraints ?? [];
    const preferred = [{ ...constraint, whenUnsatisfiable: 'ScheduleAnyway' }];
    const preferring = { ...spreadOut('web', 1), topologySpreadConstraints: preferred } as PodParts;
    const foreign = { ...apart('web'), labels: { app: 'other' } };
    expect(priceBound(scenarioOf([[4, preferring]]))).toBeCloseTo(1, 6);
    expect(priceBound(scenarioOf([[4, foreign]]))).toBeCloseTo(1, 6);
  });

  it('rounds the room of a node down to whole pods', () => {
    const scenario = scenarioOf([[4, { cpu: '1500m' }]]);
    expect(priceBound(scenario)).toBeCloseTo(2, 6);
    expect(priceBound(scenario, { wholePods: false })).toBeCloseTo(1.5, 6);
  });

  it('uses no more of a NodePool than its limits', () => {
    const cheap = pool('cheap', {
      limits: { cpu: '8' },
      requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }],
    });
    const costly = pool('costly', {
      requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
    });
    const instanceTypes = [typeOf('small', { ...roomy, cpu: '4' }, [onDemand(1), spot(0.3)])];
    const scenario = scenarioOf([[12, {}]], { instanceTypes, nodePools: [cheap, costly] });
    expect(priceBound(scenario)).toBeCloseTo(2 * 0.3 + 1, 6);
  });

  it('pays for what node selectors and taints require', () => {
    const tainted = pool('tainted', { taints: [{ key: 'only', effect: 'NoSchedule' }] });
    const instanceTypes = [typeOf('small', { ...roomy, cpu: '4' }, [onDemand(1), spot(0.3)])];
    const selecting: PodParts = { nodeSelector: { 'karpenter.sh/capacity-type': 'on-demand' } };
    const parts = { instanceTypes };
    expect(priceBound(scenarioOf([[4, {}]], parts))).toBeCloseTo(0.3, 6);
    expect(priceBound(scenarioOf([[4, selecting]], parts))).toBeCloseTo(1, 6);
    expect(priceBound(scenarioOf([[4, {}]], { ...parts, nodePools: [tainted] }))).toBeUndefined();
  });

  it('leaves room for the pods of DaemonSets', () => {
    const scenario = scenarioOf([[6, {}]], { daemonPods: [pod('agent', { cpu: '500m' })] });
    expect(priceBound(scenario)).toBeCloseTo(2, 6);
  });

  it('is unknown where nodes exist, and where a pod fits no node', () => {
    expect(priceBound(scenarioOf([[1, {}]], { nodes: [{}] }))).toBeUndefined();
    expect(priceBound(scenarioOf([[1, { cpu: '5' }]]))).toBeUndefined();
  });
});

interface PodGroup {
  readonly count: number;
  readonly name: string;
  readonly parts: PodParts;
}

/** The pods of a batch, of which some repel each other or are spread over nodes or zones. */
function podGroups({ sizes }: SmallBatch, chance: SeededRandom): readonly PodGroup[] {
  return sizes.map(({ count, cpu, memory }, index) => {
    const app = `app-${chance.integer(0, index)}`;
    const maxSkew = chance.integer(1, 3);
    const rule = chance.pick([
      { labels: { app } },
      apart(app),
      spreadOut(app, maxSkew),
      // Of an app of its own: which pods of one app fit beside each other would depend on their order.
      overZones(`zonal-${index}`, maxSkew),
    ]);
    return { count, name: `size-${index}`, parts: { ...rule, cpu: `${cpu}m`, memory: `${memory}Mi` } };
  });
}

interface ZonalMachine extends Machine {
  readonly zone: string;
}

/** The machines of a batch in three zones, each with prices of its own. */
function zonalMachines({ machines }: SmallBatch, chance: SeededRandom): readonly ZonalMachine[] {
  return ['a', 'b', 'c'].flatMap((zone) => {
    const factor = chance.integer(80, 160) / 100;
    return machines.map(({ name, price, ...amounts }) => ({
      ...amounts,
      zone,
      name: `${name}-${zone}`,
      price: price * factor,
    }));
  });
}

const amountsOf = ({ cpu, memory, pods: most }: Machine) => ({
  cpu: `${cpu}m`,
  memory: `${memory}Mi`,
  pods: `${most}`,
});

function planAndBound(seed: number): readonly [planned: number, bound: number] {
  const batch = smallBatch(seed);
  const chance = new SeededRandom(seed);
  const groups = podGroups(batch, chance);
  const machines = zonalMachines(batch, chance);
  const types = machines.map((machine) =>
    instanceType(machine.name, { ...amountsOf(machine), price: machine.price, zones: [machine.zone] }),
  );
  const pending = groups.flatMap(({ count, name, parts }) => pods(count, name, parts));
  const { newNodes, rejections } = plan(snapshot({ pods: pending, types }), planOptions);
  expect(rejections).toEqual([]);
  const bound = priceBound({
    instanceTypes: machines.map((machine) =>
      typeOf(machine.name, amountsOf(machine), [onDemand(machine.price, machine.zone)]),
    ),
    nodePools: [pool('default')],
    pods: groups.map(({ count, name, parts }) => ({ count, pod: pod(name, parts) })),
  });
  return [newNodes.reduce((sum, { price }) => sum + price, 0), bound ?? Number.NaN];
}

describe('plans for up to 40 pods of which some must be on different nodes or spread over zones', () => {
  it.each(batches(seeds({ quick: 40, full: 200 }), 40))(
    'cost no less than their bound in batches $first to $last',
    ({ seeds: tried }) => {
      const ratios = tried.map(planAndBound).map(([planned, bound]) => planned / bound);
      expect(Math.min(...ratios)).toBeGreaterThan(1 - 1e-6);
    },
    120_000,
  );
});
