import { it } from 'vitest';
import { scheduledBudget } from '../walkthroughs/budgets.ts';
import { driftToNewImage } from '../walkthroughs/drift.ts';
import { expiry } from '../walkthroughs/expiry.ts';
import { spotFallback } from '../walkthroughs/spot-fallback.ts';
import { type PageWalk, walkPage } from './page-walk.ts';
import { realWorld } from './real-world.ts';

// The walkthroughs that wait for minutes. Their NodePools would take each other's pods, so those that run at the same
// time have a control plane each.

type Walks = readonly (readonly [number: number, walk: PageWalk])[];

const budgetAndDrift: Walks = [
  [7, scheduledBudget],
  [5, driftToNewImage],
];
const expiryAndFallback: Walks = [
  [8, expiry],
  [2, spotFallback],
];

it.concurrent.for([
  ['7 and 5', budgetAndDrift],
  ['8 and 2', expiryAndFallback],
] as const)(
  'walkthroughs %s: the commands of their pages do what the pages say',
  { timeout: 2_400_000 },
  async ([, walks], { expect }) => {
    const world = await realWorld(expect);
    try {
      for (const [number, walk] of walks)
        expect(await walkPage(world, number, walk), `walkthrough ${number}`).toEqual([]);
    } finally {
      await world.stop();
    }
  },
);
