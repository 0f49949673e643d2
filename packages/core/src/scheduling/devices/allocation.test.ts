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
  it('gets the requested number, each for one claim', () => {
    const templates = [gpuTemplate(gpus(3))];
    expect(given(templates, asking('a', { count: 2 }), asking('b', { count: 2 }), asking('c', {}))).toEqual([
      ['r=gpu-0', 'r=gpu-1'],
      [],
      ['r=gpu-2'],
    ]);
  });

  it('for all devices gets all or none', () => {
    const all = { allocationMode: 'All' };
    expect(given([gpuTemplate(gpus(2))], asking('a', all), asking('b', all))).toEqual([
      ['r=gpu-0', 'r=gpu-1'],
      [],
    ]);
    expect(given([gpuTemplate([])], asking('a', all))).toEqual([[]]);
  });

  it('takes the first alternative with free devices', () => {
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

  it('gets no more devices than the API allows for a claim', () => {
    const templates = [gpuTemplate(gpus(40))];
    expect(
      given(templates, asking('a', { count: 32 }), asking('b', { allocationMode: 'All' }))[0],
    ).toHaveLength(32);
    expect(given(templates, asking('a', { allocationMode: 'All' }))).toEqual([[]]);
  });

  it('with admin access does not use up devices', () => {
    const watching = asking('w', { allocationMode: 'All', adminAccess: true });
    expect(given([gpuTemplate(gpus(1))], asking('a', {}), watching, asking('b', {}))).toEqual([
      ['r=gpu-0'],
      ['r=gpu-0'],
      [],
    ]);
  });

  it('skips devices with a taint that it does not tolerate', () => {
    const taints = [{ key: 'broken', effect: 'NoSchedule' }];
    const templates = [gpuTemplate(gpus(1, { taints }))];
    const tolerations = [{ key: 'broken', operator: 'Exists' }];
    expect(given(templates, asking('a', {}), asking('b', { tolerations }))).toEqual([[], ['r=gpu-0']]);
    const noted = [gpuTemplate(gpus(1, { taints: [{ key: 'broken', effect: 'None' }] }))];
    expect(given(noted, asking('a', {}))).toEqual([['r=gpu-0']]);
  });

  it('fails if a selector fails, but only for devices of its class', () => {
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

  it('allow only devices that share an attribute', () => {
    const constraints = [{ matchAttribute: `${gpuDriver}/root` }];
    expect(given(templates, claim('c', { requests, constraints }))).toEqual([['p=b', 'q=c']]);
  });

  it('allow only devices that do not share an attribute', () => {
    const constraints = [{ distinctAttribute: `${gpuDriver}/root` }];
    expect(given(templates, claim('c', { requests, constraints }))).toEqual([['p=a', 'q=b']]);
  });

  it('apply only to the requests that they name', () => {
    const constraints = [{ requests: ['p'], matchAttribute: `${gpuDriver}/root` }];
    expect(given(templates, claim('c', { requests, constraints }))).toEqual([['p=a', 'q=b']]);
  });

  it('exclude devices without the attribute', () => {
    const constraints = [{ matchAttribute: `${gpuDriver}/color` }];
    expect(given(templates, claim('c', { requests, constraints }))).toEqual([[]]);
  });

  it('compare the common values of lists', () => {
    const linked = (name: string, ...strings: readonly string[]) => ({
      name,
      attributes: { links: { strings } },
    });
    const lists = [gpuTemplate([linked('a', 'x'), linked('b', 'y', 'z'), linked('c', 'z')])];
    const constraints = [{ matchAttribute: `${gpuDriver}/links` }];
    expect(given(lists, claim('c', { requests, constraints }))).toEqual([['p=b', 'q=c']]);
  });
});

describe('devices with shared counters', () => {
  const part = (name: string, slots: number) => ({
    name,
    consumesCounters: [{ counterSet: 'board', counters: { slots: { value: slots } } }],
  });
  const board = [{ name: 'board', counters: { slots: { value: '4' } } }];
  const template = {
    ...gpuTemplate([part('whole', 4), part('half', 2), part('half-2', 2)]),
    sharedCounters: board,
  };

  it('are allocated while counters last', () => {
    const one = (name: string) => asking(name, {});
    expect(given([template], one('a'), one('b'))).toEqual([['r=whole'], []]);
    expect(given([template], asking('a', { count: 2 }), one('b'))).toEqual([['r=half', 'r=half-2'], []]);
  });

  it('are not allocated if the counter is not defined', () => {
    const { sharedCounters: _, ...unknown } = template;
    expect(given([unknown], asking('a', {}))).toEqual([[]]);
  });
});

describe('devices with consumable capacity', () => {
  const shared = (capacity: object) => [
    gpuTemplate([
      { name: 'nic', allowMultipleAllocations: true, capacity: { bandwidth: { value: '10', ...capacity } } },
    ]),
  ];
  const wanting = (name: string, bandwidth?: number) =>
    asking(name, bandwidth === undefined ? {} : { capacity: { requests: { bandwidth } } });
  const nic = ['r=nic'];

  it('are allocated while their capacity lasts', () => {
    expect(given(shared({}), wanting('a', 6), wanting('b', 5), wanting('c', 4))).toEqual([nic, [], nic]);
  });

  it('are allocated whole to a request without an amount', () => {
    expect(given(shared({}), wanting('a'), wanting('b', 1))).toEqual([nic, []]);
  });

  it('are allocated with the default amount of their policy', () => {
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
  ])('are allocated in %s', (_, requestPolicy) => {
    const found = given(shared({ requestPolicy }), wanting('a', 2), wanting('b', 2), wanting('c', 2));
    expect(found).toEqual([nic, nic, []]);
  });

  it('are not allocated beyond the maximum of their policy', () => {
    const requestPolicy = { default: '1', validRange: { min: '1', max: '5' } };
    expect(given(shared({ requestPolicy }), wanting('a', 6), wanting('b', 5))).toEqual([[], nic]);
  });

  it('are allocated twice to one request without a distinctAttribute constraint', () => {
    const requests = [
      { name: 'r', exactly: { deviceClassName: 'gpu', count: 2, capacity: { requests: { bandwidth: 5 } } } },
    ];
    expect(given(shared({}), claim('c', { requests }))).toEqual([['r=nic', 'r=nic']]);
  });

  it('that cannot be shared must be as large as requested', () => {
    const templates = [gpuTemplate(gpus(1, { capacity: { memory: { value: '40Gi' } } }))];
    const memory = (amount: string) => ({ capacity: { requests: { memory: amount } } });
    expect(given(templates, asking('a', memory('80Gi')), asking('b', memory('20Gi')))).toEqual([
      [],
      ['r=gpu-0'],
    ]);
  });
});
