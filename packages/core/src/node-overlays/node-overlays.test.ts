import { instanceType, pool } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreLabelPolicy, type NodeOverlay, type NodePool } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import { requirementPolicy } from '../requirements/index.ts';
import { applyOverlays } from './node-overlays.ts';
import { overlayAnnotations } from './overlay-annotations.ts';
import { overlayConditions } from './overlay-verdict.ts';

const policy = requirementPolicy(coreLabelPolicy);
const small = instanceType('small', { price: 1, zones: ['a', 'b'], capacityTypes: ['on-demand', 'spot'] });
const large = instanceType('large', { price: 4, zones: ['a', 'b'], labels: { 'example.com/gpu': 'yes' } });
const types = [small, large];

const typeKey = 'node.kubernetes.io/instance-type';
const is = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values });
const overlay = (name: string, spec: Partial<NodeOverlay['spec']>): NodeOverlay => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name },
  spec: { requirements: [], ...spec },
});

function apply(overlays: readonly NodeOverlay[], nodePools: readonly NodePool[] = [pool('default')]) {
  const instanceTypes = new Map(nodePools.map(({ metadata }) => [metadata.name, types]));
  return applyOverlays({ nodePools, instanceTypes, overlays, policy });
}

const verdictsOf = (overlays: readonly NodeOverlay[], pools?: readonly NodePool[]) =>
  Object.fromEntries(apply(overlays, pools).verdicts.map(({ overlay: name, verdict }) => [name, verdict]));

function typesOf(overlays: readonly NodeOverlay[], pools?: readonly NodePool[], name = 'default') {
  const [first, second] = apply(overlays, pools).instanceTypes.get(name) ?? [];
  if (first === undefined || second === undefined) throw new Error('both types are expected');
  return { small: first, large: second };
}

const prices = ({ offerings }: InstanceType) => offerings.map(({ price }) => price);

describe('the price of an overlay', () => {
  it('applies to every offering of the types it selects', () => {
    const changed = typesOf([overlay('o', { requirements: [is(typeKey, 'small')], price: '0.1' })]);
    expect(prices(changed.small)).toEqual([0.1, 0.1, 0.1, 0.1]);
    expect(changed.large).toBe(large);
  });

  it('applies only to the offerings it selects', () => {
    const requirements = [is('karpenter.sh/capacity-type', 'spot'), is('topology.kubernetes.io/zone', 'b')];
    const changed = typesOf([overlay('o', { requirements, priceAdjustment: '-50%' })]);
    expect(prices(changed.small)).toEqual([1, 0.5, 1, 0.25]);
    expect(changed.large).toBe(large);
  });

  it('annotates NodeClaims with affected types', () => {
    const changed = typesOf([overlay('o', { requirements: [is(typeKey, 'small')], price: '0.1' })]);
    expect(overlayAnnotations([changed.small, changed.large])).toEqual({
      'karpenter.sh/price-overlay-applied': 'true',
    });
    expect(overlayAnnotations([changed.large])).toEqual({});
  });
});

describe('the capacity of an overlay', () => {
  const fuse = { 'smarter-devices/fuse': '2' };

  it('applies to the whole type when one offering is selected', () => {
    const requirements = [is('topology.kubernetes.io/zone', 'a'), is(typeKey, 'large')];
    const changed = typesOf([overlay('o', { requirements, capacity: fuse })]);
    expect(changed.large.capacity).toEqual({ ...large.capacity, ...fuse });
    expect(prices(changed.large)).toEqual(prices(large));
    expect(changed.small).toBe(small);
    expect(overlayAnnotations([changed.large])).toEqual({ 'karpenter.sh/capacity-overlay-applied': 'true' });
  });

  it('drops capacity and overhead of offerings and the device templates of the type', () => {
    const offerings = large.offerings.map((offering) => ({ ...offering, capacity: { cpu: '3' } }));
    const deviceTemplates = [{ driver: 'gpu.example.com', pool: 'node' }];
    const { instanceTypes } = applyOverlays({
      nodePools: [pool('default')],
      instanceTypes: new Map([['default', [{ ...large, offerings, deviceTemplates }]]]),
      overlays: [overlay('o', { capacity: fuse })],
      policy,
    });
    expect(instanceTypes.get('default')?.[0]?.offerings).toEqual(large.offerings);
    expect(instanceTypes.get('default')?.[0]?.deviceTemplates).toBeUndefined();
  });
});

describe('an overlay selects', () => {
  const tuned = (
    requirements: NodeOverlay['spec']['requirements'],
    pools?: readonly NodePool[],
    name?: string,
  ) => typesOf([overlay('o', { requirements, price: '9' })], pools, name).large !== large;

  it('by NodePool', () => {
    const pools = [pool('default'), pool('other')];
    const requirements = [is('karpenter.sh/nodepool', 'other')];
    expect(tuned(requirements, pools)).toBe(false);
    expect(tuned(requirements, pools, 'other')).toBe(true);
  });

  it('by the labels of the NodePool template', () => {
    expect(tuned([is('team', 'a')], [pool('default', { labels: { team: 'a' } })])).toBe(true);
    expect(tuned([is('team', 'a')], [pool('default', { labels: { team: 'b' } })])).toBe(false);
  });

  it('nothing by a label that is not defined, well-known or not', () => {
    expect(tuned([is('team', 'a')])).toBe(false);
    expect(tuned([is('topology.kubernetes.io/region', 'eu')])).toBe(false);
  });

  it('types without a label with DoesNotExist', () => {
    const requirements = [{ key: 'example.com/gpu', operator: 'DoesNotExist' as const }];
    const changed = typesOf([overlay('o', { requirements, price: '9' })]);
    expect(prices(changed.small)).toContain(9);
    expect(changed.large).toBe(large);
  });
});

describe('of several overlays', () => {
  it('the one with the highest weight wins, for prices and for each resource', () => {
    const changed = typesOf([
      overlay('light', { price: '5', capacity: { a: '1', b: '1' } }),
      overlay('heavy', { price: '7', capacity: { a: '2' }, weight: 10 }),
    ]);
    expect(prices(changed.large)).toEqual([7, 7]);
    expect(changed.large.capacity).toMatchObject({ a: '2', b: '1' });
  });

  it('of equal weight the one with the later name is applied, and the other not at all', () => {
    const overlays = [
      overlay('a', { price: '5', capacity: { a: '1' } }),
      overlay('b', { requirements: [is(typeKey, 'small')], price: '7' }),
    ];
    expect(verdictsOf(overlays)).toEqual({ b: 'valid', a: 'conflict' });
    const changed = typesOf(overlays);
    expect(prices(changed.small)).toEqual([7, 7, 7, 7]);
    expect(changed.large).toBe(large);
  });

  it('of equal weight there is no conflict on different offerings, types, resources or fields', () => {
    expect(
      verdictsOf([
        overlay('a', { requirements: [is('karpenter.sh/capacity-type', 'spot')], price: '1' }),
        overlay('b', { requirements: [is('karpenter.sh/capacity-type', 'on-demand')], price: '2' }),
        overlay('c', { capacity: { a: '1' } }),
        overlay('d', { capacity: { b: '1' } }),
      ]),
    ).toEqual({ a: 'valid', b: 'valid', c: 'valid', d: 'valid' });
  });

  it('one with a conflict on any pool is not applied', () => {
    const pools = [pool('default'), pool('other')];
    const overlays = [
      overlay('a', { price: '5' }),
      overlay('b', { requirements: [is('karpenter.sh/nodepool', 'other')], price: '7' }),
    ];
    expect(verdictsOf(overlays, pools)).toEqual({ b: 'valid', a: 'conflict' });
    expect(typesOf(overlays, pools).large).toBe(large);
  });

  it('one that is not applied conflicts with no other', () => {
    const about = (name: string, ...selected: readonly string[]) =>
      overlay(name, { requirements: [is(typeKey, ...selected)], price: '5' });
    const overlays = [about('a', 'small'), about('b', 'large', 'small'), about('c', 'large')];
    expect(verdictsOf(overlays)).toEqual({ c: 'valid', b: 'conflict', a: 'valid' });
  });

  it('those of equal weight conflict even if one of higher weight wins', () => {
    const overlays = [
      overlay('a', { price: '5' }),
      overlay('b', { price: '6' }),
      overlay('heavy', { price: '7', weight: 1 }),
    ];
    expect(verdictsOf(overlays)).toEqual({ heavy: 'valid', b: 'valid', a: 'conflict' });
  });
});

describe('an overlay with invalid requirements', () => {
  const { verdicts, instanceTypes } = apply([
    overlay('odd', {
      requirements: [is('karpenter.sh/odd', 'x'), { key: 'cpus', operator: 'Gt', values: ['many'] }],
      price: '5',
    }),
  ]);

  it('is not applied and reports what is wrong', () => {
    expect(verdicts).toEqual([
      {
        overlay: 'odd',
        verdict: 'invalid',
        message: expect.stringMatching(
          /^invalid value: using label karpenter.sh\/odd is not allowed .* in requirements, restricted; invalid value: key cpus with operator Gt must have a single positive integer value in requirements, restricted$/,
        ),
      },
    ]);
    expect(instanceTypes.get('default')).toBe(types);
  });
});

describe('the conditions of an overlay', () => {
  const object = { generation: 1, creationTimestamp: '2026-01-01T00:00:00Z', conditions: [] };
  const now = '2026-01-02T00:00:00Z';
  const summary = (verdict: Parameters<typeof overlayConditions>[1]) =>
    overlayConditions(object, verdict, now).map(({ type, status, reason, message }) => [
      type,
      status,
      reason,
      message,
    ]);

  it('are True when it is applied', () => {
    expect(summary({ overlay: 'o', verdict: 'valid' })).toEqual([
      ['ValidationSucceeded', 'True', 'ValidationSucceeded', ''],
      ['Ready', 'True', 'Ready', ''],
    ]);
  });

  it('give the reason when it is not', () => {
    expect(summary({ overlay: 'o', verdict: 'conflict' })[0]).toEqual([
      'ValidationSucceeded',
      'False',
      'Conflict',
      'conflict with another overlay',
    ]);
    expect(summary({ overlay: 'o', verdict: 'invalid', message: 'odd' })[0]).toEqual([
      'ValidationSucceeded',
      'False',
      'RuntimeValidation',
      'odd',
    ]);
  });
});

describe('applying overlays', () => {
  const spec = fc.record({
    requirements: fc.subarray([is(typeKey, 'small'), is('karpenter.sh/capacity-type', 'spot')]),
    price: fc.constantFrom('1', '2', '3'),
    capacity: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2')),
    weight: fc.integer({ min: 1, max: 3 }),
  });
  const overlays = fc
    .array(spec, { maxLength: 6 })
    .map((specs) => specs.map((each, index) => overlay(`o-${index}`, each)));

  it('does not depend on their order', () => {
    const shuffled = overlays.chain((list) =>
      fc.record({
        list: fc.constant(list),
        other: fc.shuffledSubarray(list, { minLength: list.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ list, other }) => {
        expect(apply(other)).toEqual(apply(list));
      }),
    );
  });

  it('gives the same result without those that are not applied', () => {
    fc.assert(
      fc.property(overlays, (list) => {
        const all = apply(list);
        const valid = new Set(
          all.verdicts.filter(({ verdict }) => verdict === 'valid').map(({ overlay: name }) => name),
        );
        const again = apply(list.filter(({ metadata }) => valid.has(metadata.name)));
        expect(again.instanceTypes).toEqual(all.instanceTypes);
        expect(again.verdicts.every(({ verdict }) => verdict === 'valid')).toBe(true);
      }),
    );
  });

  it('never finds a conflict when all weights differ', () => {
    fc.assert(
      fc.property(overlays, (list) => {
        const apart = list.map((each, index) => ({ ...each, spec: { ...each.spec, weight: index + 1 } }));
        expect(apply(apart).verdicts.every(({ verdict }) => verdict === 'valid')).toBe(true);
      }),
    );
  });
});

describe('pools with the same changes', () => {
  it('share the changed types', () => {
    const pools = [pool('default'), pool('other')];
    const { instanceTypes } = apply([overlay('o', { price: '3' })], pools);
    expect(instanceTypes.get('default')?.[0]).toBe(instanceTypes.get('other')?.[0]);
  });
});
