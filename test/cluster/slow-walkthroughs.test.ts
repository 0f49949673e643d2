import { it } from 'vitest';
import { scheduledBudget } from '../walkthroughs/budgets.ts';
import { driftToNewImage } from '../walkthroughs/drift.ts';
import { expiry } from '../walkthroughs/expiry.ts';
import { gpuPool } from '../walkthroughs/gpu.ts';
import { brokenPromises } from '../walkthroughs/promises.ts';
import { spotFallback } from '../walkthroughs/spot-fallback.ts';
import { stuckDrain } from '../walkthroughs/stuck-drain.ts';
import { realWorld } from './real-world.ts';

// The walkthroughs that wait for minutes, at the same time. Each has a control plane of its own, since their NodePools
// would take each other's pods.

it.concurrent.for([
  [7, scheduledBudget],
  [2, spotFallback],
  [8, expiry],
  [10, stuckDrain],
  [5, driftToNewImage],
  [3, gpuPool],
] as const)(
  'walkthrough %i: the commands of its page do what the page says',
  { timeout: 1_500_000 },
  async ([number, walk], { expect }) => {
    const world = await realWorld(expect);
    try {
      await walk(world);
      expect(await brokenPromises(world, number)).toEqual([]);
    } finally {
      await world.stop();
    }
  },
);
