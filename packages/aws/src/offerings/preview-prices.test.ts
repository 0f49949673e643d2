import { minutes, type NodeOverlay } from '@karpenter/core/api';
import { describe, expect, it } from 'vitest';
import { PreviewPrices, previewPricesOf } from './preview-prices.ts';

const byName = { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['z9.large'] };

function overlay(spec: Partial<NodeOverlay['spec']>, status: 'True' | 'False' = 'True'): NodeOverlay {
  return {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name: 'preview' },
    spec: { requirements: [byName], price: '0.5', ...spec },
    status: {
      conditions: [
        {
          type: 'ValidationSucceeded',
          status,
          reason: 'x',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  };
}

describe('prices of preview types', () => {
  it('come from a valid overlay that selects types by name only', () => {
    expect([...previewPricesOf([overlay({})])]).toEqual([['z9.large', 0.5]]);
  });

  it.each<[string, NodeOverlay]>([
    ['was not validated', overlay({}, 'False')],
    ['has other requirements', overlay({ requirements: [byName, { key: 'a', operator: 'Exists' }] })],
    ['excludes types', overlay({ requirements: [{ ...byName, operator: 'NotIn' }] })],
    ['selects by another label', overlay({ requirements: [{ ...byName, key: 'kubernetes.io/arch' }] })],
  ])('ignore an overlay that %s', (_, each) => {
    expect(previewPricesOf([each]).size).toBe(0);
  });

  it('ignore an overlay that only adjusts prices', () => {
    const { price: _, ...spec } = overlay({}).spec;
    expect(previewPricesOf([{ ...overlay({}), spec: { ...spec, priceAdjustment: '+10%' } }]).size).toBe(0);
  });

  it('are those of the overlay with the highest weight', () => {
    const heavy = overlay({ price: '0.7', weight: 10 });
    expect(previewPricesOf([heavy, overlay({ weight: 5 })]).get('z9.large')).toBe(0.7);
  });

  it('are reread after five minutes', () => {
    let now = 0;
    let overlays = [overlay({})];
    const prices = new PreviewPrices(
      () => overlays,
      () => now,
    );
    expect(prices.price('z9.large')).toBe(0.5);
    const before = prices.version;
    overlays = [overlay({ price: '0.6' })];
    now = minutes(4);
    expect(prices.price('z9.large')).toBe(0.5);
    expect(prices.version).toBe(before);
    now = minutes(5);
    expect(prices.price('z9.large')).toBe(0.6);
    expect(prices.version).toBe(before + 1);
  });
});
