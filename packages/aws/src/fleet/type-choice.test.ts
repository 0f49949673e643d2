import type { InstanceType } from '@karpenter/core/ports';
import type { RequirementItem } from '@karpenter/core/requirements';
import { type SoldOffering, soldType } from '@karpenter/testkit/aws-calls';
import { describe, expect, it } from 'vitest';
import { openOfferings } from '../launchable/index.ts';
import { chooseCapacityType, chooseTenancy, chooseTypes, flexibilityWarning } from './type-choice.ts';

const capacityIn = (...values: readonly string[]): RequirementItem => ({
  key: 'karpenter.sh/capacity-type',
  operator: 'In',
  values,
});

function claim(
  requirements: readonly RequirementItem[] = [],
  requests: Readonly<Record<string, string>> = {},
) {
  const nodeClassRef = { group: 'g', kind: 'k', name: 'n' };
  return {
    spec: { requirements: requirements as never, resources: { requests }, nodeClassRef, expireAfter: '720h' },
  };
}

const choose = (types: readonly InstanceType[], ...rest: Parameters<typeof claim>) =>
  chooseTypes(claim(...rest), types, 'Strict');
const names = ({ types }: ReturnType<typeof choose>) => types.map(({ name }) => name);
const reserved = (
  id: string,
  free: number,
  more: Partial<SoldOffering> & { kind?: object } = {},
): SoldOffering => ({
  as: 'reserved',
  price: 0.1,
  ...more,
  reservation: { id, free, ...more.kind },
});

describe('the choice of types', () => {
  it('is among types that are compatible, large enough and available, the cheapest first', () => {
    const types = [
      soldType('m5.large', { offerings: [{ price: 3 }] }),
      soldType('c5.large', { offerings: [{ price: 2 }] }),
      soldType('m6g.large', { architecture: 'arm64', offerings: [{ price: 1 }] }),
      soldType('t3.small', { capacity: { cpu: '1' } }),
      soldType('r5.large', { offerings: [{ available: false }] }),
    ];
    const amd64 = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] };
    expect(names(choose(types, [amd64], { cpu: '1500m' }))).toEqual(['c5.large', 'm5.large']);
  });

  it('counts what a single offering has only if that offering is available', () => {
    const larger = { capacity: { cpu: '8' } };
    const types = [
      soldType('a.large', { offerings: [{}, { zone: 'zone-b', ...larger }] }),
      soldType('b.large', { offerings: [{}, { zone: 'zone-b', ...larger, available: false }] }),
    ];
    expect(names(choose(types, [], { cpu: '4' }))).toEqual(['a.large']);
  });

  it('fails for want of capacity when nothing is left', () => {
    expect(() => choose([soldType('m5.large')], [], { cpu: '64' })).toThrow(
      expect.objectContaining({
        code: 'insufficient-capacity',
        message: 'all requested instance types were unavailable during launch',
      }),
    );
  });

  it('includes suspect offerings only if no others are left', () => {
    const suspect = (type: InstanceType): InstanceType => ({
      ...type,
      offerings: type.offerings.map((offering) => ({ ...offering, available: false, isSuspect: true })),
    });
    const types = [suspect(soldType('a.large')), soldType('b.large', { capacity: { cpu: '4' } })];
    expect(names(choose(types, [], { cpu: '1' }))).toEqual(['b.large']);
    expect(names(choose(types.slice(0, 1), [], { cpu: '1' }))).toEqual(['a.large']);
    expect(() => choose(types, [], { cpu: '64' })).toThrow('all requested instance types were unavailable');
  });

  it('keeps to the cheapest kind of reservation, ordinary ones first', () => {
    const types = [
      soldType('a.large', { offerings: [{}, reserved('cr-1', 1, { kind: { interruptible: true } })] }),
      soldType('b.large', { offerings: [reserved('cr-2', 1)] }),
      soldType('c.large', {
        offerings: [reserved('cr-3', 1, { price: 0.2, kind: { type: 'capacity-block' } })],
      }),
    ];
    expect(names(choose(types, [capacityIn('reserved', 'on-demand')]))).toEqual(['b.large']);
  });

  it('takes a single capacity block', () => {
    const block = (id: string, price: number) => reserved(id, 1, { price, kind: { type: 'capacity-block' } });
    const types = [
      soldType('a.large', { offerings: [block('cr-1', 2), block('cr-2', 1)] }),
      soldType('b.large', { offerings: [block('cr-3', 3)] }),
    ];
    const chosen = choose(types, [capacityIn('reserved')]);
    expect(names(chosen)).toEqual(['a.large']);
    expect(chosen.types[0]?.offerings.map(({ reservation }) => reservation?.id)).toEqual(['cr-2']);
  });

  it('takes the reservation with the most room in each zone', () => {
    const offerings = [reserved('cr-1', 1), reserved('cr-2', 5), reserved('cr-3', 2, { zone: 'zone-b' })];
    const chosen = choose(
      [soldType('a.large', { offerings }), soldType('b.large')],
      [capacityIn('reserved', 'on-demand')],
    );
    expect(names(chosen)).toEqual(['a.large']);
    expect(chosen.types[0]?.offerings.map(({ reservation }) => reservation?.id)).toEqual(['cr-2', 'cr-3']);
  });

  it('leaves reservations alone where they are not allowed', () => {
    const types = [soldType('a.large', { offerings: [{}, reserved('cr-1', 1)] }), soldType('b.large')];
    expect(names(choose(types, [capacityIn('on-demand')]))).toEqual(['a.large', 'b.large']);
  });

  it('leaves out metal and accelerators unless nothing else is there or variety is asked for', () => {
    const exotic = [soldType('m5.metal'), soldType('g4dn.xlarge', { capacity: { 'nvidia.com/gpu': '1' } })];
    expect(names(choose([...exotic, soldType('m5.large')]))).toEqual(['m5.large']);
    expect(names(choose(exotic))).toEqual(['g4dn.xlarge', 'm5.metal']);
    const variety = { key: 'karpenter.k8s.aws/instance-family', operator: 'Exists', minValues: 2 };
    expect(names(choose([...exotic, soldType('m5.large')], [variety]))).toHaveLength(3);
  });

  it('leaves out spot that is more expensive than the cheapest on-demand', () => {
    const types = [
      soldType('a.large', { offerings: [{ price: 2 }, { as: 'spot', price: 1 }] }),
      soldType('b.large', { offerings: [{ as: 'spot', price: 2.5 }] }),
      soldType('c.large', { offerings: [{ price: 3 }, { as: 'spot', price: 2.5 }] }),
    ];
    const chosen = choose(types, [capacityIn('spot', 'on-demand')]);
    expect(names(chosen)).toEqual(['a.large', 'c.large']);
    expect(
      chosen.types[1] && openOfferings(chosen.types[1], chosen.required).map(({ price }) => price),
    ).toEqual([3]);
    expect(names(choose(types, [capacityIn('spot')]))).toEqual(['a.large', 'b.large', 'c.large']);
    expect(chosen.rejected).toEqual([{ filter: 'spot-offering-filter', names: ['b.large'] }]);
  });

  it('keeps sixty, and fails if those lack the variety that was asked for', () => {
    const many = Array.from({ length: 70 }, (_, i) =>
      soldType(`${i < 65 ? 'a' : 'b'}.size${i}`, { offerings: [{ price: i }] }),
    );
    expect(choose(many).types).toHaveLength(60);
    const variety = { key: 'karpenter.k8s.aws/instance-family', operator: 'Exists', minValues: 2 };
    expect(() => choose(many, [variety])).toThrow(
      'truncating instance types based on the passed-in requirements, minValues requirement is not met for label(s) (label(s)=[karpenter.k8s.aws/instance-family])',
    );
    expect(chooseTypes(claim([variety]), many, 'BestEffort').types).toHaveLength(60);
  });
});

describe('what is bought', () => {
  const types = [
    soldType('a.large', { offerings: [{}, { as: 'spot' }, reserved('cr-1', 1)] }),
    soldType('b.large', { offerings: [{}, { as: 'spot', available: false }] }),
  ];
  const bought = (types: readonly InstanceType[], ...values: readonly string[]) => {
    const chosen = choose(types, [capacityIn(...values)]);
    return chooseCapacityType(chosen.types, chosen.required);
  };

  it('is reserved, then spot, then on-demand, as far as allowed and available', () => {
    expect(bought(types, 'reserved', 'spot', 'on-demand')).toBe('reserved');
    expect(bought(types, 'spot', 'on-demand')).toBe('spot');
    expect(bought(types.slice(1), 'spot', 'on-demand')).toBe('on-demand');
  });

  it('comes with a warning when a fallback from spot has few types', () => {
    const chosen = choose(types.slice(1), [capacityIn('spot', 'on-demand')]);
    expect(flexibilityWarning(chosen.types, 'on-demand', chosen.required)).toBe(
      'at least 5 instance types are recommended when flexible to spot but requesting on-demand, the current provisioning request only has 1 instance type options',
    );
    expect(flexibilityWarning(chosen.types, 'spot', chosen.required)).toBeUndefined();
  });

  it('is of default tenancy unless only dedicated is allowed', () => {
    const tenancy = (values: string[]) => ({
      key: 'karpenter.k8s.aws/instance-tenancy',
      operator: 'In',
      values,
    });
    expect(chooseTenancy(choose(types).required)).toBe('default');
    expect(chooseTenancy(choose(types, [tenancy(['default', 'dedicated'])]).required)).toBe('default');
    expect(chooseTenancy(choose(types, [tenancy(['dedicated'])]).required)).toBe('dedicated');
  });
});
