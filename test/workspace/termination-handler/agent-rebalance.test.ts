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
describe('a rebalance recommendation', () => {
  const recommend = () => world.change({ rebalanceNoticeAt: world.clock.now() });
  const withdraw = () => world.service.faults.set({ path: 'recommendations/rebalance', status: 404 });
  const monitoring = [
    '--enable-rebalance-monitoring',
    '--rebalance-cooldown=0',
    '--taint-node',
    '--exclude-from-load-balancers',
  ];

  it('cordons the node, and uncordons it when the recommendation has passed', async () => {
    await world.createPod('web');
    await world.startAgent(monitoring);
    recommend();
    await world.pass(5_000);
    expect([await world.isCordoned(), world.evictions]).toEqual([true, []]);
    expect(await world.taints()).toMatchObject([
      { key: 'aws-node-termination-handler/rebalance-recommendation' },
    ]);
    withdraw();
    await world.pass(5_000);
    const node = await world.node();
    expect(node.spec).not.toHaveProperty('unschedulable');
    expect(await world.taints()).toEqual([]);
    expect(node.metadata?.labels).toEqual({ 'kubernetes.io/hostname': nodeName });
    expect(node.metadata?.annotations).toBeUndefined();
    expect(world.metrics()).toContain('actions_total{node_action="uncordon",node_status="success"} 1');
  });

  it('drains with rebalance draining, and the node comes back when it has passed', async () => {
    await world.createPod('web');
    await world.startAgent([...monitoring, '--enable-rebalance-draining']);
    recommend();
    await world.pass(5_000);
    expect(world.evictions).toEqual(['web']);
    await world.endTerminatingPods();
    withdraw();
    await world.pass(5_000);
    expect(await world.isCordoned()).toBe(false);
  });

  it('that passes while its drain fails is undone too', async () => {
    await world.createPod('web');
    await world.startAgent([
      ...monitoring,
      '--enable-rebalance-draining',
      '--node-termination-grace-period=10',
    ]);
    recommend();
    await world.pass(5_000);
    withdraw();
    await world.pass(20_000);
    expect(await world.isCordoned()).toBe(false);
  });

  it('that passes while the agent is down is undone after its start', async () => {
    await world.startAgent(monitoring);
    recommend();
    await world.pass(5_000);
    await world.stopAgent();
    withdraw();
    await world.startAgent(monitoring);
    await world.pass(5_000);
    expect(await world.isCordoned()).toBe(false);
  });

  it('that still holds after a restart of the agent keeps the node cordoned', async () => {
    await world.startAgent(monitoring);
    recommend();
    await world.pass(5_000);
    await world.stopAgent();
    await world.startAgent(monitoring);
    await world.pass(30_000);
    expect(await world.isCordoned()).toBe(true);
  });

  it('leaves a node cordoned that a person had cordoned', async () => {
    await world.client.patch(
      kinds.node,
      { name: nodeName },
      { type: 'merge', body: { spec: { unschedulable: true } } },
    );
    await world.startAgent(monitoring);
    recommend();
    await world.pass(5_000);
    withdraw();
    await world.pass(5_000);
    expect(await world.isCordoned()).toBe(true);
    expect(await world.taints()).toEqual([]);
  });

  it('that passes after a spot interruption came leaves the node out of use', async () => {
    await world.startAgent(monitoring);
    recommend();
    await world.pass(5_000);
    interruptIn(120_000);
    await world.pass(5_000);
    withdraw();
    await world.pass(10_000);
    expect(await world.isCordoned()).toBe(true);
  });

  it('is not undone while another monitor cannot be read', async () => {
    await world.startAgent(monitoring);
    recommend();
    await world.pass(5_000);
    await world.stopAgent();
    interruptIn(120_000);
    world.service.faults.set(
      { path: 'recommendations/rebalance', status: 404 },
      { path: 'spot/instance-action', status: 503, times: 2 },
    );
    await world.startAgent(monitoring);
    await world.pass(3_000);
    expect(await world.isCordoned()).toBe(true);
    await world.pass(20_000);
    expect(await world.isCordoned()).toBe(true);
  });

  it('waits until the node is ten minutes old, so that new nodes are not replaced at once', async () => {
    await world.startAgent(['--enable-rebalance-draining', '--node-termination-grace-period=0']);
    recommend();
    await world.pass(590_000);
    expect(await world.isCordoned()).toBe(false);
    await world.pass(20_000);
    expect(await world.isCordoned()).toBe(true);
  });

  it('that comes and goes cordons the node once within the cooldown', async () => {
    await world.pass(700_000);
    await world.startAgent(['--enable-rebalance-monitoring', '--node-termination-grace-period=0']);
    recommend();
    await world.pass(5_000);
    withdraw();
    await world.pass(5_000);
    expect(await world.isCordoned()).toBe(false);
    world.service.faults.set();
    recommend();
    await world.pass(500_000);
    expect(await world.isCordoned()).toBe(false);
    await world.pass(110_000);
    expect(await world.isCordoned()).toBe(true);
  });
});
