import { afterEach, describe, expect, it } from 'vitest';
import { scheduledBudget } from '../walkthroughs/budgets.ts';
import { dedicatedPool } from '../walkthroughs/dedicated.ts';
import { driftToNewImage } from '../walkthroughs/drift.ts';
import { expiry } from '../walkthroughs/expiry.ts';
import { firstNode } from '../walkthroughs/first-node.ts';
import { gpuPool } from '../walkthroughs/gpu.ts';
import { graviton } from '../walkthroughs/graviton.ts';
import { spotInterruption } from '../walkthroughs/interruption.ts';
import { brokenPromises } from '../walkthroughs/promises.ts';
import { spotFallback } from '../walkthroughs/spot-fallback.ts';
import { stuckDrain } from '../walkthroughs/stuck-drain.ts';
import { type CloudWorld, embeddedWorld, type WorldOptions } from '../walkthroughs/world.ts';
import { inSmallRegion } from './crash/small-region.ts';

/** For walkthroughs of minutes and hours in which types play no part: all of them are read every few minutes. */
const fewTypes: WorldOptions = { seenAs: inSmallRegion };

let world: CloudWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

describe('walkthrough', () => {
  it.each([
    ['1: nodes follow pods up, are consolidated, and are deleted with the last pod', firstNode],
    ['2: pods run on spot, fall back to on-demand, and return to spot', spotFallback],
    ['3: pods that request GPUs get them, up to the limit', gpuPool],
    ['4: each pod gets an architecture that it supports', graviton],
    ['5: nodes drift to a new image within the PodDisruptionBudget', driftToNewImage, fewTypes],
    ['6: pods leave an interrupted spot instance', spotInterruption, fewTypes],
    [
      '7: no node is disrupted in the scheduled window, and one at a time after it',
      scheduledBudget,
      fewTypes,
    ],
    ['8: a node expires, and its pods end within the termination grace period', expiry, fewTypes],
    ['9: a team has dedicated nodes', dedicatedPool],
    ['10: a stuck drain reports why, and completes once the cause is gone', stuckDrain, fewTypes],
  ])(
    '%s',
    async (title, walk, options: WorldOptions = {}) => {
      world = await embeddedWorld(options);
      await walk(world);
      expect(await brokenPromises(world, Number.parseInt(title, 10))).toEqual([]);
    },
    120_000,
  );
});
