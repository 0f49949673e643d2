import { Requirements } from '@karpenter/core/requirements';
import { soldType } from '@karpenter/testkit/aws-calls';
import { describe, expect, it } from 'vitest';
import { capacityOf, catalogueOf } from './launchable-type.ts';
import {
  cheapestPrice,
  chosenOfferings,
  isCompatible,
  isCompatibleType,
  openOfferings,
} from './offering-choice.ts';

const type = soldType('m5.large', {
  offerings: [
    { price: 3 },
    { price: 2, zone: 'zone-b' },
    { price: 1, available: false },
    { price: 0.5, as: 'spot', zone: 'zone-b' },
    { as: 'reserved', price: 0, reservation: { id: 'cr-1', free: 4, type: 'capacity-block' } },
  ],
});

describe('compiled instance types', () => {
  const catalogue = catalogueOf([type]);
  const [only] = catalogue.types;
  const wanted = (items: Parameters<typeof Requirements.fromItems>[1]) => ({
    catalogue,
    requirements: Requirements.fromItems(catalogue.vocabulary, items),
  });
  const inZoneB = wanted([{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['zone-b'] }]);

  it('are compiled once per list and share parts with other lists', () => {
    const list = [type];
    expect(catalogueOf(list)).toBe(catalogueOf(list));
    expect(catalogueOf([type]).types[0]).toBe(only);
    expect(catalogueOf([{ ...type }]).types[0]?.requirements).toBe(only?.requirements);
  });

  it('contain zone, capacity type and reservation of each offering', () => {
    expect(only?.offerings.map(({ zone, capacityType }) => `${zone} ${capacityType}`)).toEqual([
      'zone-a on-demand',
      'zone-b on-demand',
      'zone-a on-demand',
      'zone-b spot',
      'zone-a reserved',
    ]);
    expect(only?.offerings[4]?.reservation).toEqual({
      id: 'cr-1',
      type: 'capacity-block',
      interruptible: false,
      capacity: 4,
    });
  });

  it('list available compatible offerings and their lowest price', () => {
    if (only === undefined) throw new Error('the catalogue is empty');
    expect(openOfferings(only, inZoneB).map(({ price }) => price)).toEqual([2, 0.5]);
    expect(chosenOfferings(only, 'on-demand', inZoneB).map(({ price }) => price)).toEqual([2]);
    expect(cheapestPrice(only, inZoneB)).toBe(0.5);
    expect(
      cheapestPrice(only, wanted([{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z'] }])),
    ).toBe(Number.POSITIVE_INFINITY);
    expect([capacityOf(only, 'pods'), capacityOf(only, 'nvidia.com/gpu')]).toEqual([29, 0]);
  });

  it('are compared with few requirements as with all, also if a type has a label of its own', () => {
    const label = { key: 'example.com/own', operator: 'In', values: ['a'] };
    const labelled = { ...type, requirements: [...type.requirements, label] };
    const both = catalogueOf([type, labelled]);
    const asked = [
      [],
      [label],
      [{ ...label, values: ['b'] }],
      [{ key: label.key, operator: 'DoesNotExist' }],
      [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
      [{ key: 'kubernetes.io/arch', operator: 'NotIn', values: ['amd64'] }],
      [{ key: 'example.com/other', operator: 'Exists' }],
    ];
    const verdicts = asked.map((items) => {
      const wantedOfBoth = {
        catalogue: both,
        requirements: Requirements.fromItems(both.vocabulary, items),
      };
      return both.types.map((one) => {
        const verdict = isCompatibleType(one, wantedOfBoth);
        expect(verdict).toBe(isCompatible(one, wantedOfBoth));
        return verdict;
      });
    });
    expect(verdicts).toEqual([
      [true, false],
      [true, true],
      [true, false],
      [true, false],
      [true, false],
      [false, false],
      [true, false],
    ]);
  });
});
