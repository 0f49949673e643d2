import { awsControllerNames } from '@karpenter/aws';
import { minutes, seconds } from '@karpenter/core/api';
import { runnableName } from '@karpenter/kube/runtime';
import { afterEach, expect, it } from 'vitest';
import { ControllerWorld, type WorldOptions } from './controller-world.ts';

let world: ControllerWorld;
afterEach(() => world.stop());

function names(env: WorldOptions['env'] = {}): readonly string[] {
  world = new ControllerWorld({ env });
  return world.runnables.map(runnableName).sort();
}

/**
 * The controller that reports conditions is the same for all kinds and is registered with theirs.
 */
const all = Object.values<string>(awsControllerNames).filter(
  (name) => name !== awsControllerNames.nodeClassStatus,
);
const usual = all.filter((name) => !['interruption', 'interruption.rebalance'].includes(name));

it('contains every AWS controller that needs no setting', () => {
  expect(names()).toEqual([...usual].sort());
});

it('contains all of them if the settings enable them', () => {
  const listed = names({ INTERRUPTION_QUEUE: 'prod', REBALANCE_POLICY: 'Replace' });
  expect(listed).toEqual([...all].sort());
});

it('has no instance profile controller in an isolated VPC', () => {
  expect(names({ ISOLATED_VPC: 'true' })).toEqual(
    usual.filter((name) => name !== 'instanceprofile.garbagecollection').sort(),
  );
});

it('runs without an error or a write on an idle account', async () => {
  world = new ControllerWorld({ env: { INTERRUPTION_QUEUE: 'prod', REBALANCE_POLICY: 'Replace' } });
  await world.learnTypes();
  world.addClass();
  world.addPool();
  await world.start();
  await world.advance(seconds(5));
  expect(world.condition('Ready')).toBe('True Ready: ');
  const writes = [...world.api.writes];
  await world.advance(minutes(15));
  expect(world.api.writes).toEqual(writes);
  expect(world.outcomes.filter(({ result }) => result === 'error')).toEqual([]);
});

it('backs off while AWS does not respond, and recovers once it does', async () => {
  world = new ControllerWorld({ env: { INTERRUPTION_QUEUE: 'prod', ENABLE_ZONAL_SHIFT: 'true' } });
  await world.learnTypes();
  const silence = { call: '*', code: 'TimeoutError', message: 'no answer', status: 500, chance: 1 };
  world.cloud.faults.set({ errors: [{ ...silence, times: Number.POSITIVE_INFINITY }] });
  world.addClass();
  world.addPool();
  await world.start();
  await world.advance(minutes(60));
  const failures = new Map<string, number>();
  for (const { controller, result } of world.outcomes) {
    if (result === 'error') failures.set(controller, (failures.get(controller) ?? 0) + 1);
  }
  expect(failures.get('nodeclass')).toBeGreaterThan(5);
  expect(Math.max(...failures.values())).toBeLessThan(30);
  expect(world.condition('Ready')).toMatch(/^Unknown ReconcilingDependents: /);
  expect(world.api.writes.length).toBeLessThan(5);

  world.cloud.faults.set({ errors: [] });
  await world.advance(minutes(20));
  expect(world.condition('Ready')).toBe('True Ready: ');
});
