import { afterEach, describe, it } from 'vitest';
import { scheduledBudget } from '../walkthroughs/budgets.ts';
import { dedicatedPool } from '../walkthroughs/dedicated.ts';
import { driftToNewImage } from '../walkthroughs/drift.ts';
import { expiry } from '../walkthroughs/expiry.ts';
import { firstNode } from '../walkthroughs/first-node.ts';
import { gpuPool } from '../walkthroughs/gpu.ts';
import { graviton } from '../walkthroughs/graviton.ts';
import { spotInterruption } from '../walkthroughs/interruption.ts';
import { spotFallback } from '../walkthroughs/spot-fallback.ts';
import { stuckDrain } from '../walkthroughs/stuck-drain.ts';
import { type CloudWorld, embeddedWorld } from '../walkthroughs/world.ts';

let world: CloudWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

describe('walkthrough', () => {
  it.each([
    ['1: nodes appear for pods, are consolidated when pods go, and are gone when all are', firstNode],
    ['2: pods get spot while there is some, on-demand while there is none, and spot again', spotFallback],
    ['3: GPUs go to those who ask, up to the limit', gpuPool],
    ['4: each pod gets an architecture that it can run on', graviton],
    ['5: nodes drift to a new image within the budget of their pods', driftToNewImage],
    ['6: pods leave a spot instance that is taken back', spotInterruption],
    ['7: nothing is moved while the shop opens, and one node at a time after that', scheduledBudget],
    ['8: a node ends at its age, its pods when their time is over', expiry],
    ['9: a team has nodes for itself', dedicatedPool],
    ['10: a stuck drain says why, and goes on once the cause is gone', stuckDrain],
  ])(
    '%s',
    async (_title, walk) => {
      world = await embeddedWorld();
      await walk(world);
    },
    120_000,
  );
});
