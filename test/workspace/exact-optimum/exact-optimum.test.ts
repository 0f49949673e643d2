import { plan } from '@karpenter/core/scheduling';
import { batches, seeds } from '@karpenter/testkit/rounds';
import { planOptions, pods, pool, snapshot } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { lowestCost } from './integer-programme.ts';
import { type SmallBatch, smallBatch } from './small-batch.ts';

const overheadPrices = [0.01, 0];

function plannedCost({ sizes, types }: SmallBatch, nodeOverheadPrice: number): number {
  const { newNodes, rejections } = plan(
    snapshot({
      pods: sizes.flatMap(({ count, cpu, memory }, index) =>
        pods(count, `size-${index}`, { cpu: `${cpu}m`, memory: `${memory}Mi` }),
      ),
      pools: [pool('default')],
      types,
    }),
    { ...planOptions, nodeOverheadPrice },
  );
  expect(rejections).toEqual([]);
  return newNodes.reduce((sum, { price }) => sum + price + nodeOverheadPrice, 0);
}

/** How far above the lowest cost the plans of the batches are, as factors. */
function factors(all: readonly number[]): readonly number[] {
  return all.map((seed) => {
    const batch = smallBatch(seed);
    const besides = overheadPrices[seed % overheadPrices.length] ?? 0;
    const known = plannedCost(batch, besides);
    return known / lowestCost(batch, { besides, known });
  });
}

describe('plans for 3 to 40 pods of up to five sizes', () => {
  const seen: number[] = [];

  it.each(batches(seeds({ quick: 5, full: 15 }), 5))(
    'cost no more than 5 % above the lowest cost in batches $first to $last',
    ({ seeds: tried }) => {
      const above = factors(tried);
      seen.push(...above);
      expect(Math.max(...above)).toBeLessThan(1.05);
      // The integer programme ends within 0.05 % of the lowest cost.
      expect(Math.min(...above)).toBeGreaterThan(1 - 1e-3);
    },
    // Some integer programmes take a minute where other tests run beside them.
    900_000,
  );

  it('cost no more than 0.5 % above the lowest cost in 98 % of all batches', () => {
    expect(seen.filter((factor) => factor > 1.005).length).toBeLessThanOrEqual(0.02 * seen.length);
  });
});
