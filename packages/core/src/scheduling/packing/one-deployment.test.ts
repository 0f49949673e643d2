import { instanceType, planOptions, pod, pods, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { InstanceType } from '../../ports/index.ts';
import { plan } from '../plan.ts';
import type { PodView } from '../snapshot.ts';
import { nodeOverheadPrice } from './cost.ts';

/**
 * What a deployment costs at least, what nodes cost besides their instances counted but left out of the
 * price.
 */
interface Least {
  readonly price: number;
  readonly nodes: number;
}

/** Whole numbers add up exactly. */
const nano = 1e9;

interface Shape {
  readonly cpu: number;
  readonly memory: number;
}

interface PricedType extends Shape {
  readonly name: string;
  readonly price: number;
  readonly spotPrice: number;
}

const doubling = (name: string, gibPerCpu: number, price: number, spotPrice: number): readonly PricedType[] =>
  [1, 2, 4, 8, 16, 32].map((times) => ({
    name: `${name}.${times}`,
    cpu: 2 * times,
    memory: 2 * times * gibPerCpu,
    price: price * times,
    spotPrice: spotPrice * times,
  }));

/** Twice the type for twice the price, as on demand. */
const proportional = [
  ...doubling('c', 2, 0.085, 0.0337),
  ...doubling('m', 4, 0.096, 0.0381),
  ...doubling('r', 8, 0.126, 0.0419),
];
/** Prices that go up and down from size to size, as on the spot market. */
const uneven = proportional.map((type, index) => ({
  ...type,
  price: type.price * (0.8 + ((index * 7) % 5) / 10),
  spotPrice: type.spotPrice * (0.7 + ((index * 11) % 7) / 10),
}));
/** Every number of CPUs. */
const fine = Array.from({ length: 24 }, (_, index) => ({
  name: `t.${index + 1}`,
  cpu: index + 1,
  memory: 2 * (index + 1),
  price: 0.0314748 * (index + 1),
  spotPrice: 0.0314748 * (index + 1),
}));

const catalogues = { proportional, uneven, fine };
const requests: readonly Shape[] = [
  { cpu: 1, memory: 1.5 },
  { cpu: 0.25, memory: 0.5 },
  { cpu: 3, memory: 2 },
];
const counts = [1, 2, 3, 5, 7, 12, 19, 23, 31, 44, 52, 59];
const agent: Shape = { cpu: 0.5, memory: 0.5 };

const cases = Object.entries(catalogues).flatMap(([name, types]) =>
  ['on-demand', 'spot'].flatMap((capacityType) =>
    [undefined, agent].flatMap((daemon) =>
      [undefined, { cpu: '100000', memory: '1000000Gi' }].map((limits) => ({
        title: `${capacityType} types with ${name} prices${daemon ? ', with a daemon' : ''}${limits ? ', under limits' : ''}`,
        types,
        capacityType,
        daemon,
        limits,
      })),
    ),
  ),
);

type Case = (typeof cases)[number];

/** The least by going through all numbers of pods and, for each, all types that the last few may be on. */
function leastFor(count: number, request: Shape, { types, capacityType, daemon }: Case): Least {
  const choices = types.map(({ cpu, memory, price, spotPrice }) => ({
    units: Math.floor(
      Math.min((cpu - (daemon?.cpu ?? 0)) / request.cpu, (memory - (daemon?.memory ?? 0)) / request.memory),
    ),
    price: Math.round(nano * ((capacityType === 'spot' ? spotPrice : price) + nodeOverheadPrice)),
  }));
  const least: Least[] = [{ price: 0, nodes: 0 }];
  for (let pods = 1; pods <= count; pods++) {
    const options = choices
      .filter(({ units }) => units > 0)
      .map(({ units, price }) => {
        const rest = least[Math.max(0, pods - units)] ?? { price: 0, nodes: 0 };
        return { price: rest.price + price, nodes: rest.nodes + 1 };
      });
    least.push(options.sort((a, b) => a.price - b.price || a.nodes - b.nodes)[0] ?? { price: 0, nodes: 0 });
  }
  const { price, nodes } = least[count] ?? { price: 0, nodes: 0 };
  return { price: price / nano - nodes * nodeOverheadPrice, nodes };
}

const typesOf = (types: readonly PricedType[], capacityType: string): readonly InstanceType[] =>
  types.map(({ name, cpu, memory, price, spotPrice }) =>
    instanceType(name, {
      cpu: `${cpu}`,
      memory: `${memory}Gi`,
      pods: '1000',
      capacityTypes: [capacityType],
      price,
      spotPrice,
    }),
  );

const amounts = ({ cpu, memory }: Shape) => ({ cpu: `${1000 * cpu}m`, memory: `${1024 * memory}Mi` });

function planned(count: number, request: Shape, { types, capacityType, daemon, limits }: Case): Least {
  const { newNodes } = plan(
    snapshot({
      pods: pods(count, 'inflate', amounts(request)),
      pools: [pool('default', limits === undefined ? {} : { limits })],
      types: typesOf(types, capacityType),
      daemonPods: daemon === undefined ? [] : [pod('agent', amounts(daemon))],
    }),
    planOptions,
  );
  return { price: newNodes.reduce((sum, { price }) => sum + price, 0), nodes: newNodes.length };
}

describe('one deployment', () => {
  it.each(cases)('gets the lowest price, and of equal prices the fewest nodes: $title', (each) => {
    const worse = requests.flatMap((request) =>
      counts.flatMap((count) => {
        const least = leastFor(count, request, each);
        const made = planned(count, request, each);
        const isAsGood = Math.abs(made.price - least.price) < 1e-7 && made.nodes === least.nodes;
        return isAsGood ? [] : [{ count, request, made, least }];
      }),
    );
    expect(worse).toEqual([]);
  });
});

describe('one deployment on a few offerings, under limits that it does not reach', () => {
  const large = instanceType('m6a.large', { price: 0.0267, cpu: '1930m', memory: '7Gi' });
  const xlarge = instanceType('c7i-flex.xlarge', { price: 0.0562, cpu: '3920m', memory: '6Gi' });
  const twice = instanceType('c7i-flex.2xlarge', { price: 0.1052, cpu: '7910m', memory: '14Gi' });
  const fourTimes = instanceType('c5.4xlarge', { price: 0.209, cpu: '15890m', memory: '28Gi' });
  const typesFor = (count: number, daemonPods: readonly PodView[] = []) =>
    plan(
      snapshot({
        pods: pods(count, 'inflate', { memory: '0' }),
        pools: [pool('default', { limits: { cpu: '1000' } })],
        types: [large, xlarge, twice, fourTimes],
        daemonPods,
      }),
      planOptions,
    ).newNodes.map(({ instanceTypes }) => instanceTypes[0]);

  it('gets one larger node where several small ones cost more', () => {
    expect(typesFor(5)).toEqual(['c7i-flex.2xlarge']);
    expect(typesFor(12)).toEqual(['c5.4xlarge']);
  });

  it('gets one node where two cost less by no more than what each costs besides its instance', () => {
    expect(typesFor(2, [pod('agent', { cpu: '500m', memory: '0' })])).toEqual(['c7i-flex.xlarge']);
  });
});
