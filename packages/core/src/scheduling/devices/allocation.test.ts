import type { DeviceTemplate } from '@karpenter/core/ports';
import {
  claim,
  devicesView,
  gpuDriver,
  gpus,
  gpuTemplate,
  readPlainSelector,
} from '@karpenter/testkit/devices';
import { describe, expect, it } from 'vitest';
import {
  allocate,
  claimRequests,
  DeviceSelectors,
  DeviceUsage,
  isFailure,
  type ResourceClaimView,
  templateInventory,
} from './index.ts';

const classes = new Map(devicesView({}).classes.map((each) => [each.metadata.name, each]));

type Requests = NonNullable<ResourceClaimView['spec']['devices']>['requests'];
type Exactly = NonNullable<NonNullable<Requests>[number]['exactly']>;

const asking = (name: string, exactly: Partial<Exactly>) =>
  claim(name, { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', ...exactly } }] });

function search(templates: readonly DeviceTemplate[], wanted: ResourceClaimView, usage: DeviceUsage) {
  const requests = claimRequests(wanted, classes);
  if (typeof requests === 'string') throw new Error(requests);
  return allocate({
    claims: [requests],
    inventory: templateInventory(templates),
    selectors: new DeviceSelectors(readPlainSelector),
    usageOf: () => usage,
    isOverdue: () => false,
  });
}

/** Names of the devices that claims get one after the other; nothing for those that get none. */
function given(templates: readonly DeviceTemplate[], ...claims: readonly ResourceClaimView[]) {
  const usage = new DeviceUsage();
  return claims.map((each) => {
    const found = search(templates, each, usage);
    if (isFailure(found)) return [];
    for (const { device, share, adminAccess } of found) if (!adminAccess) usage.take(device, share);
    return found.map(({ request, device }) => `${request}=${device.view.name}`);
  });
}

function reasonFor(templates: readonly DeviceTemplate[], wanted: ResourceClaimView): string | undefined {
  const found = search(templates, wanted, new DeviceUsage());
  return isFailure(found) ? found.reason : undefined;
}

describe('a request for devices', () => {
  it('gets as many as it asks for, and each goes to one claim', () => {
    const templates = [gpuTemplate(gpus(3))];
    expect(given(templates, asking('a', { count: 2 }), asking('b', { count: 2 }), asking('c', {}))).toEqual([
      ['r=gpu-0', 'r=gpu-1'],
      [],
      ['r=gpu-2'],
    ]);
  });

  it('for all gets all or none', () => {
    const all = { allocationMode: 'All' };
    expect(given([gpuTemplate(gpus(2))], asking('a', all), asking('b', all))).toEqual([
      ['r=gpu-0', 'r=gpu-1'],
      [],
    ]);
    expect(given([gpuTemplate([])], asking('a', all))).toEqual([[]]);
  });

  it('takes the first alternative that can be had', () => {
    const firstAvailable = [
      { name: 'four', deviceClassName: 'gpu', count: 4 },
      { name: 'one', deviceClassName: 'gpu' },
    ];
    const either = claim('c', { requests: [{ name: 'r', firstAvailable }] });
    expect(given([gpuTemplate(gpus(5))], either, either)).toEqual([
      ['r/four=gpu-0', 'r/four=gpu-1', 'r/four=gpu-2', 'r/four=gpu-3'],
      ['r/one=gpu-4'],
    ]);
  });

  it('gets no more devices than a claim can list', () => {
    const templates = [gpuTemplate(gpus(40))];
    expect(
      given(templates, asking('a', { count: 32 }), asking('b', { allocationMode: 'All' }))[0],
    ).toHaveLength(32);
    expect(given(templates, asking('a', { allocationMode: 'All' }))).toEqual([[]]);
  });

  it('with access for administrators takes nothing from others', () => {
    const watching = asking('w', { allocationMode: 'All', adminAccess: true });
    expect(given([gpuTemplate(gpus(1))], asking('a', {}), watching, asking('b', {}))).toEqual([
      ['r=gpu-0'],
      ['r=gpu-0'],
      [],
    ]);
  });

  it('passes over devices with a taint that it does not tolerate', () => {
    const taints = [{ key: 'broken', effect: 'NoSchedule' }];
    const templates = [gpuTemplate(gpus(1, { taints }))];
    const tolerations = [{ key: 'broken', operator: 'Exists' }];
    expect(given(templates, asking('a', {}), asking('b', { tolerations }))).toEqual([[], ['r=gpu-0']]);
    const noted = [gpuTemplate(gpus(1, { taints: [{ key: 'broken', effect: 'None' }] }))];
    expect(given(noted, asking('a', {}))).toEqual([['r=gpu-0']]);
  });

  it('is ended by a selector without an answer, of devices of its class alone', () => {
    const selectors = [{ cel: { expression: 'nonsense' } }];
    expect(reasonFor([gpuTemplate(gpus(1))], asking('a', { selectors }))).toBe(
      `request r, device ${gpuDriver}/node/gpu-0: cannot read nonsense`,
    );
    expect(reasonFor([gpuTemplate(gpus(1), 'other.example.com')], asking('a', { selectors }))).toBe(
      'claim default/a, request r: not enough devices that meet it are free',
    );
  });
});

describe('constraints of a claim', () => {
  const onRoot = (root: string, name: string) => ({ name, attributes: { root: { string: root } } });
  const templates = [gpuTemplate([onRoot('x', 'a'), onRoot('y', 'b'), onRoot('y', 'c')])];
  const requests = [
    { name: 'p', exactly: { deviceClassName: 'gpu' } },
    { name: 'q', exactly: { deviceClassName: 'gpu' } },
  ];

  it('may ask for devices that have an attribute in common', () => {
    const constraints = [{ matchAttribute: `${gpuDriver}/root` }];
    expect(given(templates, claim('c', { requests, constraints }))).toEqual([['p=b', 'q=c']]);
  });

  it('may ask for devices that have it not in common', () => {
    const constraints = [{ distinctAttribute: `${gpuDriver}/root` }];
    expect(given(templates, claim('c', { requests, constraints }))).toEqual([['p=a', 'q=b']]);
  });

  it('concern only the requests that they name', () => {
    const constraints = [{ requests: ['p'], matchAttribute: `${gpuDriver}/root` }];
    expect(given(templates, claim('c', { requests, constraints }))).toEqual([['p=a', 'q=b']]);
  });

  it('rule out devices without the attribute', () => {
    const constraints = [{ matchAttribute: `${gpuDriver}/color` }];
    expect(given(templates, claim('c', { requests, constraints }))).toEqual([[]]);
  });

  it('find what lists of values have in common', () => {
    const linked = (name: string, ...strings: readonly string[]) => ({
      name,
      attributes: { links: { strings } },
    });
    const lists = [gpuTemplate([linked('a', 'x'), linked('b', 'y', 'z'), linked('c', 'z')])];
    const constraints = [{ matchAttribute: `${gpuDriver}/links` }];
    expect(given(lists, claim('c', { requests, constraints }))).toEqual([['p=b', 'q=c']]);
  });
});

describe('devices that are parts of one', () => {
  const part = (name: string, slots: number) => ({
    name,
    consumesCounters: [{ counterSet: 'board', counters: { slots: { value: slots } } }],
  });
  const board = [{ name: 'board', counters: { slots: { value: '4' } } }];
  const template = {
    ...gpuTemplate([part('whole', 4), part('half', 2), part('half-2', 2)]),
    sharedCounters: board,
  };

  it('are given while what they share lasts', () => {
    const one = (name: string) => asking(name, {});
    expect(given([template], one('a'), one('b'))).toEqual([['r=whole'], []]);
    expect(given([template], asking('a', { count: 2 }), one('b'))).toEqual([['r=half', 'r=half-2'], []]);
  });

  it('are not given where nobody says how much there is', () => {
    const { sharedCounters: _, ...unknown } = template;
    expect(given([unknown], asking('a', {}))).toEqual([[]]);
  });
});

describe('devices that several claims share', () => {
  const shared = (capacity: object) => [
    gpuTemplate([
      { name: 'nic', allowMultipleAllocations: true, capacity: { bandwidth: { value: '10', ...capacity } } },
    ]),
  ];
  const wanting = (name: string, bandwidth?: number) =>
    asking(name, bandwidth === undefined ? {} : { capacity: { requests: { bandwidth } } });
  const nic = ['r=nic'];

  it('are given while their capacity lasts', () => {
    expect(given(shared({}), wanting('a', 6), wanting('b', 5), wanting('c', 4))).toEqual([nic, [], nic]);
  });

  it('are taken whole by who does not say how much', () => {
    expect(given(shared({}), wanting('a'), wanting('b', 1))).toEqual([nic, []]);
  });

  it('are given by default in the amount that they say', () => {
    const requestPolicy = { default: '4' };
    expect(given(shared({ requestPolicy }), wanting('a'), wanting('b'), wanting('c'))).toEqual([
      nic,
      nic,
      [],
    ]);
  });

  it.each([
    ['the next valid value', { default: '5', validValues: ['5', '10'] }],
    ['the least of a range', { default: '5', validRange: { min: '5' } }],
    ['the next step of a range', { default: '5', validRange: { min: '1', step: '4' } }],
  ])('are given in %s', (_, requestPolicy) => {
    const found = given(shared({ requestPolicy }), wanting('a', 2), wanting('b', 2), wanting('c', 2));
    expect(found).toEqual([nic, nic, []]);
  });

  it('are not given beyond what one claim may have', () => {
    const requestPolicy = { default: '1', validRange: { min: '1', max: '5' } };
    expect(given(shared({ requestPolicy }), wanting('a', 6), wanting('b', 5))).toEqual([[], nic]);
  });

  it('are given twice to one request if it does not ask for distinct ones', () => {
    const requests = [
      { name: 'r', exactly: { deviceClassName: 'gpu', count: 2, capacity: { requests: { bandwidth: 5 } } } },
    ];
    expect(given(shared({}), claim('c', { requests }))).toEqual([['r=nic', 'r=nic']]);
  });

  it('that nobody shares must be as large as asked', () => {
    const templates = [gpuTemplate(gpus(1, { capacity: { memory: { value: '40Gi' } } }))];
    const memory = (amount: string) => ({ capacity: { requests: { memory: amount } } });
    expect(given(templates, asking('a', memory('80Gi')), asking('b', memory('20Gi')))).toEqual([
      [],
      ['r=gpu-0'],
    ]);
  });
});
