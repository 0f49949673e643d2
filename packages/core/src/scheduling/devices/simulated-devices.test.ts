import {
  allocatedOn,
  claim,
  claimant,
  deviceAllocationPort,
  devicesView,
  gpus,
  gpuTemplate,
  slice,
} from '@karpenter/testkit/devices';
import { drained } from '@karpenter/testkit/disruptable-clusters';
import { instanceType, node, planOptions, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { type Removal, Simulation, type Snapshot } from '../index.ts';

const types = [
  {
    ...instanceType('gpu', { price: 1, cpu: '16', memory: '64Gi' }),
    deviceTemplates: [gpuTemplate(gpus(2))],
  },
];
const options = { ...planOptions, devices: deviceAllocationPort };

/** Nodes with so many GPUs each, of which the first so many are in use by pods `<node><number>`. */
function cluster(
  nodes: Readonly<Record<string, { readonly gpus: number; readonly used: number }>>,
): Snapshot {
  const users = Object.entries(nodes).flatMap(([name, { used }]) =>
    Array.from({ length: used }, (_, index) => ({ name, pod: `${name}${index}`, device: `gpu-${index}` })),
  );
  return snapshot({
    types,
    nodes: Object.keys(nodes).map((name) => node(name, { podRequests: { cpu: '1' } })),
    boundPods: users.map(({ name, pod }) => ({ ...claimant(pod, [pod]), nodeName: name })),
    devices: devicesView({
      slices: Object.entries(nodes).map(([nodeName, each]) => slice(gpus(each.gpus), { nodeName })),
      claims: users.map(({ name, pod, device }) =>
        claim(pod, { status: allocatedOn(name, [device], [pod]) }),
      ),
    }),
  });
}

const simulationOf = (given: Snapshot) =>
  drained(Simulation.of({ snapshot: given, options, resources: ['cpu', 'memory'], refusing: new Set() }));

function removalOf({ boundPods }: Snapshot, name: string): Removal {
  return { nodes: new Set([name]), pods: boundPods.filter(({ nodeName }) => nodeName === name) };
}

describe('pods of a removed node', () => {
  it('get devices of other nodes', () => {
    const given = cluster({ a: { gpus: 2, used: 1 }, b: { gpus: 2, used: 1 } });
    const found = drained(simulationOf(given).without(removalOf(given, 'a')));
    expect(found.placements).toEqual([{ node: 'b', pods: ['a0'] }]);
    expect(found.newNodes).toEqual([]);
  });

  it('need a new node if other nodes have no devices left', () => {
    const given = cluster({ a: { gpus: 2, used: 1 }, b: { gpus: 1, used: 1 } });
    const found = drained(simulationOf(given).without(removalOf(given, 'a')));
    expect(found.newNodes).toMatchObject([{ pods: ['a0'], instanceTypes: ['gpu'] }]);
  });

  it('do not get devices of pods that were moved before them', () => {
    const given = cluster({ a: { gpus: 1, used: 1 }, b: { gpus: 1, used: 1 }, c: { gpus: 2, used: 1 } });
    const simulation = simulationOf(given);
    const first = removalOf(given, 'a');
    const plan = drained(simulation.without(first));
    expect(plan.placements).toEqual([{ node: 'c', pods: ['a0'] }]);
    drained(simulation.settle(first, plan));
    expect(drained(simulation.without(removalOf(given, 'b'))).newNodes).toMatchObject([{ pods: ['b0'] }]);
  });

  it('do not move a claim that pods of other nodes use', () => {
    const given = cluster({ a: { gpus: 0, used: 0 }, b: { gpus: 2, used: 1 }, c: { gpus: 2, used: 0 } });
    const shared = claim('s', { status: allocatedOn('b', ['gpu-1'], ['a-user', 'b-user']) });
    const users = ['a', 'b'].map((name) => ({ ...claimant(`${name}-user`, ['s']), nodeName: name }));
    const devices = devicesView({ ...given.devices, claims: [...(given.devices?.claims ?? []), shared] });
    const whole = { ...given, boundPods: [...given.boundPods, ...users], devices };
    const found = drained(simulationOf(whole).without(removalOf(whole, 'a')));
    expect(found.placements).toEqual([{ node: 'b', pods: ['a-user'] }]);
  });
});
