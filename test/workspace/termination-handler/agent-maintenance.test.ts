import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentWorld, nodeName, startAgentWorld } from './agent-world.ts';

let world: AgentWorld;
beforeEach(async () => {
  world = await startAgentWorld();
});
afterEach(() => world.stop());

const interruptIn = (ms: number) =>
  world.change({ spotAction: { action: 'terminate', at: world.clock.now() + ms } });
const scheduled = (code: string, at: number, state: 'active' | 'completed' | 'canceled' = 'active') =>
  world.change({
    maintenance: [{ id: 'instance-event-1', code, description: 'degraded', state, notBefore: at }],
  });
describe('scheduled maintenance', () => {
  const day = 86_400_000;

  it('drains the node shortly before it begins, not when it is announced', async () => {
    await world.createPod('web');
    await world.startAgent();
    scheduled('system-reboot', world.clock.now() + 600_000);
    await world.pass(470_000);
    expect([await world.isCordoned(), world.evictions]).toEqual([false, []]);
    await world.pass(20_000);
    expect([await world.isCordoned(), world.evictions]).toEqual([true, ['web']]);
  });

  it.each(['instance-stop', 'instance-retirement', 'instance-reboot', 'system-reboot'])(
    '%s marks the node so that it is uncordoned after the reboot',
    async (code) => {
      await world.startAgent(['--taint-node']);
      scheduled(code, world.clock.now());
      await world.pass(5_000);
      expect(await world.labels()).toMatchObject({
        'aws-node-termination-handler/action': 'UncordonAfterReboot',
        'aws-node-termination-handler/action-time': String(Math.floor(world.clock.now() / 1000) - 5 + 2),
        'aws-node-termination-handler/event-id': 'instance-event-1',
      });
      expect(await world.taints()).toMatchObject([
        { key: 'aws-node-termination-handler/scheduled-maintenance', value: 'instance-event-1' },
      ]);
    },
  );

  it('of another kind only drains', async () => {
    await world.startAgent(['--taint-node']);
    scheduled('system-maintenance', world.clock.now());
    await world.pass(5_000);
    expect([await world.isCordoned(), await world.taints()]).toEqual([true, []]);
  });

  it('that is over after a reboot: the node is uncordoned and the event ignored', async () => {
    await world.startAgent(['--taint-node']);
    scheduled('system-reboot', world.clock.now());
    await world.pass(5_000);
    await world.stopAgent();
    await world.pass(60_000);
    await world.startAgent(['--taint-node'], { uptime: async () => 20_000 });
    await world.pass(30_000);
    expect([await world.isCordoned(), await world.taints()]).toEqual([false, []]);
    expect(await world.labels()).toEqual({ 'kubernetes.io/hostname': nodeName });
    await world.stopAgent();
    await world.startAgent([], { uptime: async () => 60_000 });
    await world.pass(30_000);
    expect(await world.isCordoned()).toBe(false);
  });

  it('keeps the node cordoned after a restart of the agent without a reboot', async () => {
    await world.startAgent();
    scheduled('system-reboot', world.clock.now());
    await world.pass(5_000);
    await world.stopAgent();
    await world.startAgent([], { uptime: async () => day });
    await world.pass(30_000);
    expect(await world.isCordoned()).toBe(true);
  });

  it('looks for the reboot four times, two seconds apart', async () => {
    let asked = 0;
    const uptime = async () => {
      asked += 1;
      throw new Error('no uptime');
    };
    const started = world.startAgent([], { uptime });
    await started;
    await world.pass(10_000);
    expect(asked).toBe(4);
    interruptIn(60_000);
    await world.pass(5_000);
    expect(await world.isCordoned()).toBe(true);
  });

  it.each(['completed', 'canceled'] as const)('that is %s is undone', async (state) => {
    await world.startAgent(['--taint-node']);
    scheduled('instance-stop', world.clock.now());
    await world.pass(5_000);
    scheduled('instance-stop', world.clock.now(), state);
    await world.pass(5_000);
    expect([await world.isCordoned(), await world.taints()]).toEqual([false, []]);
  });

  it('in some weeks does not keep a rebalance recommendation from being undone', async () => {
    await world.startAgent(['--enable-rebalance-monitoring', '--rebalance-cooldown=0']);
    scheduled('system-reboot', world.clock.now() + 14 * day);
    world.change({ rebalanceNoticeAt: world.clock.now() });
    await world.pass(5_000);
    expect(await world.isCordoned()).toBe(true);
    world.service.faults.set({ path: 'recommendations/rebalance', status: 404 });
    await world.pass(5_000);
    expect(await world.isCordoned()).toBe(false);
  });
});

describe('the load balancer label', () => {
  const key = 'node.kubernetes.io/exclude-from-external-load-balancers';

  it('is set before the drain and removed with the cordon', async () => {
    await world.startAgent(['--exclude-from-load-balancers']);
    scheduled('system-reboot', world.clock.now());
    await world.pass(5_000);
    expect((await world.labels())[key]).toBe('aws-node-termination-handler');
    scheduled('system-reboot', world.clock.now(), 'canceled');
    await world.pass(5_000);
    expect(await world.labels()).not.toHaveProperty([key]);
  });

  it('of another owner stays', async () => {
    const body = { metadata: { labels: { [key]: 'karpenter' } } };
    await world.client.patch(kinds.node, { name: nodeName }, { type: 'merge', body });
    await world.startAgent(['--exclude-from-load-balancers']);
    scheduled('system-reboot', world.clock.now());
    await world.pass(5_000);
    scheduled('system-reboot', world.clock.now(), 'canceled');
    await world.pass(5_000);
    expect((await world.labels())[key]).toBe('karpenter');
  });
});
