import type { NodeClaim } from '@karpenter/core/api';
import { expect } from 'vitest';
import type { Write } from '../workspace/crash/findings.ts';
import { followWrites } from '../workspace/crash/follow-writes.ts';
import { PageSteps } from './page-steps.ts';
import { running } from './pods.ts';
import type { PageWorld } from './world.ts';

const minuteMs = 60_000;

/** No node is disrupted during a scheduled budget of zero, and afterwards one at a time. */
export async function scheduledBudget(world: PageWorld): Promise<void> {
  const page = new PageSteps(world, 7);
  await world.apply('01-first-node/nodeclass.yaml');
  await page.next();
  await world.eventually(() => running(world, 'web')).toBe(20);
  const before = (await world.nodeClaims()).length;
  const begin = world.now();
  await page.next();
  await world.pass(2 * minuteMs);
  expect(await world.nodeClaims()).toHaveLength(before);
  const blocked = await world.events('DisruptionBlocked');
  expect(blocked.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('due to blocking budget'),
  );

  await page.next();
  page.end();
  const leaving = new LeavingClaims();
  const ended = new AbortController();
  const following = followWrites(world.client, ended.signal, (write) => leaving.see(write));
  await world.pass(Math.max(0, begin + 5 * minuteMs - world.now()));
  await world.eventually(async () => (await world.nodeClaims()).length).toBeLessThanOrEqual(2);
  await world.eventually(async () => leaving.most).toBeGreaterThan(0);
  ended.abort();
  await following;
  expect(leaving.most).toBe(1);
}

/** Counts from write to write, because a node may leave between two looks at the cluster. */
class LeavingClaims {
  most = 0;
  readonly #names = new Set<string>();

  see(write: Write): void {
    if (write.kind !== 'NodeClaim') return;
    const { name } = write.object.metadata;
    if (!write.isRemoval && isLeaving(write.object)) this.#names.add(name);
    else this.#names.delete(name);
    this.most = Math.max(this.most, this.#names.size);
  }
}

/** An instance that is already terminating does not count against the budget. */
function isLeaving({ metadata, status }: NodeClaim): boolean {
  const isOff = status?.conditions?.some(({ type }) => type === 'InstanceTerminating');
  return metadata.deletionTimestamp !== undefined && isOff !== true;
}
