import { afterEach, describe, it } from 'vitest';
import { firstNode } from '../walkthroughs/first-node.ts';
import { embeddedWorld, type World, type WorldOptions } from '../walkthroughs/world.ts';

let world: World | undefined;

async function start(options?: WorldOptions): Promise<World> {
  world = await embeddedWorld(options);
  return world;
}

afterEach(async () => {
  await world?.stop();
  world = undefined;
});

describe('walkthrough', () => {
  it('1: nodes appear for pods, are consolidated when pods go, and are gone when all are', async () => {
    await firstNode(await start());
  });
});
