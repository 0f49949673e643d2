import {
  allocatedOn,
  claim,
  claimant,
  deviceAllocationPort,
  devicesView,
  gpuDriver,
  gpus,
  gpuTemplate,
  slice,
} from '@karpenter/testkit/devices';
import { instanceType, node, planOptions, pod, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { type PlanOptions, plan, type Snapshot } from '../index.ts';

const plain = instanceType('plain', { price: 1, cpu: '16', memory: '64Gi' });
const small = {
  ...instanceType('gpu-small', { price: 2, cpu: '16', memory: '64Gi' }),
  deviceTemplates: [gpuTemplate(gpus(2))],
};
const large = {
  ...instanceType('gpu-large', { price: 5, cpu: '64', memory: '256Gi' }),
  deviceTemplates: [gpuTemplate(gpus(8))],
};
const types = [plain, small, large];
const options: PlanOptions = { ...planOptions, devices: deviceAllocationPort };

type Parts = Parameters<typeof snapshot>[0];

const planned = (parts: Parts, given = options) => plan(snapshot({ types, ...parts }), given);
const podsOfNewNodes = (parts: Parts) => planned(parts).newNodes.map(({ pods }) => [...pods].sort());
const messages = (parts: Parts) => planned(parts).rejections.map(({ message }) => message);
const claims = (count: number) => Array.from({ length: count }, (_, index) => claim(`c${index}`));
const claimants = (count: number) =>
  Array.from({ length: count }, (_, index) => claimant(`p${index}`, [`c${index}`]));

describe('a pod with a resource claim', () => {
  it('gets a new node of a type with the device, which lists the drivers', () => {
    const { newNodes } = planned({
      pods: [claimant('p', ['c'])],
      devices: devicesView({ claims: [claim('c')] }),
    });
    expect(newNodes).toMatchObject([{ instanceTypes: ['gpu-small', 'gpu-large'], drivers: [gpuDriver] }]);
  });

  it('excludes types with too few devices', () => {
    const { newNodes } = planned({
      pods: [claimant('p', ['c'])],
      devices: devicesView({ claims: [claim('c', { count: 3 })] }),
    });
    expect(newNodes.map(({ instanceTypes }) => instanceTypes)).toEqual([['gpu-large']]);
  });

  it('shares a new node only while it has devices', () => {
    const found = podsOfNewNodes({
      types: [plain, small],
      pods: claimants(5),
      devices: devicesView({ claims: claims(5) }),
    });
    expect(found.map((pods) => pods.length).sort()).toEqual([1, 2, 2]);
  });

  it('lets pods without claims share its node', () => {
    const devices = devicesView({ claims: [claim('c')] });
    expect(podsOfNewNodes({ types: [small], pods: [claimant('p', ['c']), pod('q')], devices })).toEqual([
      ['p', 'q'],
    ]);
  });

  it('goes to an existing node with a free device', () => {
    const found = planned({
      pods: claimants(3),
      nodes: [node('n', { allocatable: { cpu: '16' } })],
      devices: devicesView({ claims: claims(3), slices: [slice(gpus(2), { nodeName: 'n' })] }),
    });
    expect(found.placements).toMatchObject([{ node: 'n', pods: ['p0', 'p1'] }]);
    expect(found.newNodes.map(({ pods }) => pods)).toEqual([['p2']]);
  });

  it('does not get devices of other claims', () => {
    const held = claim('held', { status: allocatedOn('n', ['gpu-0'], ['somebody']) });
    const found = planned({
      pods: claimants(2),
      nodes: [node('n')],
      devices: devicesView({ claims: [...claims(2), held], slices: [slice(gpus(2), { nodeName: 'n' })] }),
    });
    expect(found.placements).toMatchObject([{ pods: ['p0'] }]);
  });

  it('gets devices of claims that no pod uses any more', () => {
    const idle = claim('idle', { status: allocatedOn('n', ['gpu-0'], []) });
    const found = planned({
      pods: claimants(1),
      nodes: [node('n')],
      devices: devicesView({ claims: [...claims(1), idle], slices: [slice(gpus(1), { nodeName: 'n' })] }),
    });
    expect(found.placements).toMatchObject([{ node: 'n', pods: ['p0'] }]);
  });

  it('goes to the node that has the devices of its claim', () => {
    const shared = claim('c', { status: allocatedOn('b', ['gpu-0'], ['somebody']) });
    const devices = devicesView({
      claims: [shared],
      slices: ['a', 'b'].map((nodeName) => slice(gpus(1), { nodeName })),
    });
    const found = planned({ pods: [claimant('p', ['c'])], nodes: [node('a'), node('b')], devices });
    expect(found.placements).toEqual([{ node: 'b', pods: ['p'] }]);
  });

  it('is rejected if the node with the devices of its claim is full', () => {
    const shared = claim('c', { status: allocatedOn('b', ['gpu-0'], ['somebody']) });
    const devices = devicesView({ claims: [shared], slices: [slice(gpus(1), { nodeName: 'b' })] });
    const full = node('b', { podRequests: { cpu: '4' } });
    expect(messages({ pods: [claimant('p', ['c'])], nodes: [full], devices })).toEqual([
      'incompatible dynamic resource requirements, claim default/c has devices of other nodes',
    ]);
  });

  it('shares the node of other pods with the same claim', () => {
    const devices = devicesView({ claims: [claim('c')] });
    const pods = ['p', 'q', 'r'].map((name) => claimant(name, ['c'], { cpu: '1' }));
    expect(podsOfNewNodes({ pods, devices })).toEqual([['p', 'q', 'r']]);
  });

  it('is rejected if the node of other pods with the same claim is full', () => {
    const devices = devicesView({ claims: [claim('c')] });
    const pods = ['p', 'q'].map((name) => claimant(name, ['c'], { cpu: '40' }));
    const found = planned({ pods, devices });
    expect(found.newNodes).toHaveLength(1);
    expect(found.rejections.map(({ message }) => message)).toEqual([
      'incompatible dynamic resource requirements, claim default/c has devices of other nodes',
    ]);
  });

  it('uses the device templates, not the published devices, of a node that is not initialized', () => {
    const labels = { 'node.kubernetes.io/instance-type': 'gpu-small', 'karpenter.sh/nodepool': 'default' };
    const coming = node('n', { labels, initialized: false, allocatable: { cpu: '16' } });
    const found = planned({
      pods: claimants(3),
      nodes: [coming],
      devices: devicesView({ claims: claims(3), slices: [slice(gpus(8), { nodeName: 'n' })] }),
    });
    expect(found.placements).toMatchObject([{ node: 'n', pods: ['p0', 'p1'] }]);
    expect(found.newNodes).toHaveLength(1);
  });

  it('leaves devices to pods that are nominated to the node', () => {
    const labels = { 'node.kubernetes.io/instance-type': 'gpu-small', 'karpenter.sh/nodepool': 'default' };
    const coming = node('n', { labels, initialized: false, allocatable: { cpu: '16' } });
    const [first, ...others] = claimants(3);
    const found = planned({
      pods: others,
      boundPods: first === undefined ? [] : [{ ...first, nodeName: 'n' }],
      nodes: [coming],
      devices: devicesView({ claims: claims(3) }),
    });
    expect(found.placements).toMatchObject([{ node: 'n', pods: ['p1'] }]);
    expect(found.newNodes.map(({ pods }) => pods)).toEqual([['p2']]);
  });

  it('is rejected while the node of another pod with the same claim is launching', () => {
    const launching = node('n', { initialized: false, allocatable: { cpu: '0', pods: '0' } });
    const found = planned({
      pods: [claimant('q', ['c'])],
      boundPods: [{ ...claimant('p', ['c']), nodeName: 'n' }],
      nodes: [launching],
      devices: devicesView({ claims: [claim('c')] }),
    });
    expect(found.newNodes).toEqual([]);
    expect(found.rejections).toMatchObject([{ pod: 'q' }]);
  });

  it('may use network devices, each once', () => {
    const devices = devicesView({ claims: claims(3), slices: [slice(gpus(2), { allNodes: true })] });
    const found = planned({ types: [plain], pods: claimants(3), devices });
    expect(found.newNodes.flatMap(({ pods }) => pods)).toHaveLength(2);
    expect(found.newNodes.every(({ drivers }) => drivers === undefined)).toBe(true);
    expect(found.rejections).toMatchObject([
      {
        message:
          'allocating dynamic resources, claim default/c2, request gpu: not enough devices that meet it are free',
      },
    ]);
  });

  it('goes to the zone that can use the devices', () => {
    const matchExpressions = [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b'] }];
    const nodeSelector = { nodeSelectorTerms: [{ matchExpressions }] };
    const devices = devicesView({ claims: claims(1), slices: [slice(gpus(1), { nodeSelector })] });
    const found = planned({ types: [plain], pods: claimants(1), devices });
    expect(found.newNodes).toMatchObject([
      {
        requirements: expect.arrayContaining([
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b'] },
        ]),
      },
    ]);
  });

  it('goes to a pool with less weight if the first has no such devices', () => {
    const given: Snapshot = {
      ...snapshot({ pods: claimants(1), devices: devicesView({ claims: claims(1) }) }),
      nodePools: [pool('heavy', { weight: 9 }), pool('light')],
      instanceTypes: new Map([
        ['heavy', [plain]],
        ['light', types],
      ]),
    };
    expect(plan(given, options).newNodes).toMatchObject([{ nodePool: 'light' }]);
  });
});

describe('the rejection of a pod with a claim', () => {
  const gpuType = 'node.kubernetes.io/instance-type';

  it.each([
    ['device class x does not exist', { exactly: { deviceClassName: 'x' } }],
    ['asks in a way that is not known', {}],
  ])('says that its request %s', (problem, request) => {
    const written = claim('c', { requests: [{ name: 'r', ...request }] });
    const found = messages({ pods: [claimant('p', ['c'])], devices: devicesView({ claims: [written] }) });
    expect(found).toEqual([`allocating dynamic resources, claim default/c, request r: ${problem}`]);
  });

  it('says that the claim does not exist', () => {
    expect(messages({ pods: [claimant('p', ['c'])], devices: devicesView({}) })).toEqual([
      'allocating dynamic resources, claim default/c does not exist',
    ]);
  });

  it('says that the claim is not created yet', () => {
    const waiting = pod('p', { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }] });
    expect(messages({ pods: [waiting], devices: devicesView({}) })).toEqual([
      'allocating dynamic resources, claim gpu has not been made from its template yet',
    ]);
  });

  it('ends when the claim is created', () => {
    const made = {
      ...pod('p', { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 't' }] }),
      status: { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'p-gpu' }] },
    };
    const found = planned({ pods: [made], devices: devicesView({ claims: [claim('p-gpu')] }) });
    expect(found.newNodes).toMatchObject([{ pods: ['p'], drivers: [gpuDriver] }]);
  });

  it('says that types with the devices do not hold the pod', () => {
    const nodeSelector = { [gpuType]: 'plain' };
    const devices = devicesView({ claims: [claim('c')] });
    expect(messages({ pods: [claimant('p', ['c'], { nodeSelector })], devices })).toEqual([
      'no instance type satisfies both scheduling and dynamic resource requirements',
    ]);
  });

  it('names the failure of a selector', () => {
    const selectors = [{ cel: { expression: 'nonsense' } }];
    const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu', selectors } }];
    const devices = devicesView({ claims: [claim('c', { requests })] });
    expect(messages({ types: [small], pods: [claimant('p', ['c'])], devices })).toEqual([
      `allocating dynamic resources, request r, device ${gpuDriver}/node/gpu-0: cannot read nonsense`,
    ]);
  });

  it('keeps the preferences of the pod, which is not relaxed', () => {
    const affinity = {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            preference: { matchExpressions: [{ key: gpuType, operator: 'In', values: ['plain'] }] },
          },
        ],
      },
    };
    const devices = devicesView({ claims: [claim('c')] });
    expect(messages({ pods: [claimant('p', ['c'], { affinity })], devices })).toEqual([
      'no instance type satisfies both scheduling and dynamic resource requirements',
    ]);
  });

  it('says that the time is over', () => {
    const overdue = { ...options, devices: { ...deviceAllocationPort, startDeadline: () => () => true } };
    const found = planned(
      { pods: [claimant('p', ['c'])], devices: devicesView({ claims: [claim('c')] }) },
      overdue,
    );
    expect(found.rejections).toMatchObject([
      { message: 'allocating dynamic resources, no allocation was found in time' },
    ]);
  });
});
