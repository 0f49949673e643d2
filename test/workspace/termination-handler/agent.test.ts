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
const isCordoned = async () => (await world.node()).spec?.unschedulable === true;
const taints = async () =>
  ((await world.node()).spec?.taints ?? []).filter(({ key }) => key !== 'node.kubernetes.io/unschedulable');
const labels = async () => (await world.node()).metadata?.labels ?? {};

describe('a spot interruption', () => {
  it('cordons the node and evicts its pods at once', async () => {
    await world.createPod('web');
    await world.startAgent();
    await world.pass(10_000);
    expect(await isCordoned()).toBe(false);
    interruptIn(120_000);
    await world.pass(3_000);
    expect(await isCordoned()).toBe(true);
    expect(world.evictions).toEqual(['web']);
    await world.endTerminatingPods();
    await world.pass(60_000);
    expect(world.evictions).toEqual(['web']);
    expect(world.metrics()).toContain(
      'actions_total{node_action="cordon-and-drain",node_status="success"} 1',
    );
  });

  it('taints the node with the ID of the event and the configured effect', async () => {
    await world.startAgent(['--taint-node', '--taint-effect=NoExecute']);
    interruptIn(60_000);
    await world.pass(5_000);
    const [taint] = await taints();
    expect(taint).toMatchObject({ key: 'aws-node-termination-handler/spot-itn', effect: 'NoExecute' });
    expect(taint?.value).toMatch(/^spot-itn-[0-9a-f]{54}$/);
  });

  it('adds the out-of-service taint only after the drain', async () => {
    await world.createPod('web');
    await world.startAgent(['--enable-out-of-service-taint']);
    interruptIn(60_000);
    await world.pass(5_000);
    expect(await taints()).toEqual([]);
    await world.endTerminatingPods();
    await world.pass(5_000);
    expect(await taints()).toMatchObject([
      { key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' },
    ]);
  });

  it('changes nothing in a dry run', async () => {
    await world.createPod('web');
    const before = await world.node();
    await world.startAgent(['--dry-run', '--taint-node', '--exclude-from-load-balancers']);
    interruptIn(60_000);
    await world.pass(10_000);
    expect((await world.node()).metadata?.resourceVersion).toBe(before.metadata?.resourceVersion);
    expect(world.evictions).toEqual([]);
    expect(world.log.map(({ message }) => message)).toContain('would drain the node if this were no dry run');
  });

  it('evicts nothing with cordon-only', async () => {
    await world.createPod('web');
    await world.startAgent(['--cordon-only']);
    interruptIn(60_000);
    await world.pass(10_000);
    expect([await isCordoned(), world.evictions]).toEqual([true, []]);
    expect(world.metrics()).toContain('actions_total{node_action="cordon",node_status="success"} 1');
  });

  it('of an instance that was stopped and started again is undone', async () => {
    await world.startAgent();
    interruptIn(60_000);
    await world.pass(5_000);
    await world.stopAgent();
    await world.pass(600_000);
    world.service.faults.set({ path: 'spot/instance-action', status: 404 });
    await world.startAgent([], { uptime: async () => 30_000 });
    await world.pass(5_000);
    expect(await isCordoned()).toBe(false);
  });

  it('stays handled after a restart of the agent alone, even without the document', async () => {
    await world.startAgent();
    interruptIn(60_000);
    await world.pass(5_000);
    await world.stopAgent();
    world.service.faults.set({ path: 'spot/instance-action', status: 404 });
    await world.startAgent();
    await world.pass(10_000);
    expect(await isCordoned()).toBe(true);
  });

  it('is not undone when the document disappears', async () => {
    await world.startAgent();
    interruptIn(60_000);
    await world.pass(5_000);
    world.service.faults.set({ path: 'spot/instance-action', status: 404 });
    await world.pass(20_000);
    expect(await isCordoned()).toBe(true);
  });
});

describe('the drain', () => {
  const drain = async (flags: readonly string[] = []) => {
    await world.startAgent(flags);
    interruptIn(60_000);
    await world.pass(4_000);
  };
  /** Metadata of a pod of a DaemonSet that exists. */
  const daemonPod = async (name: string) => {
    const { metadata } = await createDaemonSet(name);
    return {
      namespace: 'default',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid: metadata?.uid ?? '', controller: true },
      ],
    };
  };
  const createDaemonSet = (name: string) =>
    world.client.create(kinds.daemonSet, {
      metadata: { namespace: 'default', name },
      spec: {
        selector: { matchLabels: { name } },
        template: { metadata: { labels: { name } }, spec: { containers: [{ name: 'main', image: 'app' }] } },
      },
    });
  const setBudget = (disruptionsAllowed: number) =>
    world.client.patch(
      kinds.podDisruptionBudget,
      { namespace: 'default', name: 'web' },
      {
        type: 'merge',
        body: {
          status: {
            disruptionsAllowed,
            observedGeneration: 1,
            currentHealthy: 1,
            desiredHealthy: 1,
            expectedPods: 1,
          },
        },
      },
      { subresource: 'status' },
    );
  const createBudget = async () => {
    await world.client.create(kinds.podDisruptionBudget, {
      metadata: { namespace: 'default', name: 'web' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    });
    await setBudget(0);
  };

  it('waits for a PodDisruptionBudget and tries every five seconds', async () => {
    await world.createPod('web');
    await world.createPod('free');
    await createBudget();
    await drain();
    expect(world.evictions.toSorted()).toEqual(['free', 'web']);
    await world.pass(10_000);
    expect(world.evictions.filter((name) => name === 'web')).toHaveLength(3);
    expect(world.evictions.filter((name) => name === 'free')).toHaveLength(1);
    await setBudget(1);
    await world.pass(5_000);
    await world.endTerminatingPods();
    await world.pass(5_000);
    expect(await world.podNames()).toEqual([]);
    expect(world.metrics()).toContain(
      'actions_total{node_action="cordon-and-drain",node_status="success"} 1',
    );
  });

  it('gives up at the node grace period, names the pod and the budget, and tries again', async () => {
    await world.createPod('web');
    await createBudget();
    await drain(['--node-termination-grace-period=30']);
    await world.pass(60_000);
    const failed = world.log.find(({ message }) => message === 'cannot handle the event yet');
    expect(failed?.fields['error']).toMatch(
      /cannot drain node node-a in time: .*default\/web .*disruption budget/,
    );
    expect(world.metrics()).toContain('node_action="cordon-and-drain",node_status="error"');
    await setBudget(1);
    await world.pass(40_000);
    await world.endTerminatingPods();
    await world.pass(10_000);
    expect(await world.podNames()).toEqual([]);
  });

  it('leaves mirror pods, finished pods, DaemonSet pods and its own pod', async () => {
    await world.createPod('logs-1', { metadata: await daemonPod('logs') });
    await world.createPod('static', {
      metadata: {
        namespace: 'default',
        annotations: { 'kubernetes.io/config.mirror': 'x' },
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Node',
            name: nodeName,
            uid: (await world.node()).metadata?.uid ?? '',
            controller: true,
          },
        ],
      },
    });
    await world.createPod('done', { status: { phase: 'Succeeded' } });
    await world.createPod('agent', { metadata: { namespace: 'kube-system' } });
    await world.createPod('web');
    await drain();
    expect(world.evictions).toEqual(['web']);
    expect(await world.podNames()).toEqual(['agent', 'done', 'logs-1', 'static', 'web']);
  });

  it('evicts pods of DaemonSets too if they are not ignored', async () => {
    await world.createPod('logs-1', { metadata: await daemonPod('logs') });
    await drain(['--ignore-daemon-sets=false']);
    expect(world.evictions).toEqual(['logs-1']);
  });

  it('refuses to delete local data if that is not allowed, and evicts nothing', async () => {
    await world.createPod('cache', {
      spec: {
        containers: [{ name: 'main', image: 'app' }],
        nodeName,
        volumes: [{ name: 'tmp', emptyDir: {} }],
      },
    });
    await world.createPod('web');
    await drain(['--delete-local-data=false']);
    expect(world.evictions).toEqual([]);
    const failed = world.log.find(({ message }) => message === 'cannot handle the event yet');
    expect(failed?.fields['error']).toMatch(/default\/cache would lose .* set delete-local-data/);
  });

  it.each([
    [[], 30],
    [['--pod-termination-grace-period=7'], 7],
    [['--grace-period=9'], 9],
  ])('with %j gives pods %i seconds', async (flags, seconds) => {
    await world.createPod('web');
    await drain(flags);
    const pod = await world.client.get(kinds.pod, { namespace: 'default', name: 'web' });
    expect(pod.metadata?.deletionGracePeriodSeconds).toBe(seconds);
  });

  it('is one for several events that are due together', async () => {
    await world.createPod('web');
    await world.startAgent(['--enable-asg-lifecycle-draining']);
    interruptIn(60_000);
    world.change({ targetLifecycleState: 'Terminated' });
    await world.pass(30_000);
    expect(world.evictions).toEqual(['web']);
    expect(world.log.filter(({ message }) => message === 'received an event')).toHaveLength(2);
  });

  it('evicts a pod that was bound while the node was being cordoned', async () => {
    await world.createPod('web');
    await drain();
    await world.createPod('late');
    await world.pass(5_000);
    expect(world.evictions).toEqual(['web', 'late']);
  });

  it('goes on after a restart of the agent in the middle of it', async () => {
    await world.createPod('web');
    await createBudget();
    await drain();
    await world.stopAgent();
    await setBudget(1);
    await world.startAgent();
    await world.pass(5_000);
    const pod = await world.client.get(kinds.pod, { namespace: 'default', name: 'web' });
    expect(pod.metadata?.deletionTimestamp).toBeDefined();
  });

  it('ends with the process', async () => {
    await world.createPod('web');
    await drain();
    expect(await world.stopAgent()).toBeUndefined();
  });
});

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
    expect([await isCordoned(), world.evictions]).toEqual([true, []]);
    expect(await taints()).toMatchObject([{ key: 'aws-node-termination-handler/rebalance-recommendation' }]);
    withdraw();
    await world.pass(5_000);
    const node = await world.node();
    expect(node.spec).not.toHaveProperty('unschedulable');
    expect(await taints()).toEqual([]);
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
    expect(await isCordoned()).toBe(false);
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
    expect(await isCordoned()).toBe(false);
  });

  it('that passes while the agent is down is undone after its start', async () => {
    await world.startAgent(monitoring);
    recommend();
    await world.pass(5_000);
    await world.stopAgent();
    withdraw();
    await world.startAgent(monitoring);
    await world.pass(5_000);
    expect(await isCordoned()).toBe(false);
  });

  it('that still holds after a restart of the agent keeps the node cordoned', async () => {
    await world.startAgent(monitoring);
    recommend();
    await world.pass(5_000);
    await world.stopAgent();
    await world.startAgent(monitoring);
    await world.pass(30_000);
    expect(await isCordoned()).toBe(true);
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
    expect(await isCordoned()).toBe(true);
    expect(await taints()).toEqual([]);
  });

  it('that passes after a spot interruption came leaves the node out of use', async () => {
    await world.startAgent(monitoring);
    recommend();
    await world.pass(5_000);
    interruptIn(120_000);
    await world.pass(5_000);
    withdraw();
    await world.pass(10_000);
    expect(await isCordoned()).toBe(true);
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
    expect(await isCordoned()).toBe(true);
    await world.pass(20_000);
    expect(await isCordoned()).toBe(true);
  });

  it('waits until the node is ten minutes old, so that new nodes are not replaced at once', async () => {
    await world.startAgent(['--enable-rebalance-draining', '--node-termination-grace-period=0']);
    recommend();
    await world.pass(590_000);
    expect(await isCordoned()).toBe(false);
    await world.pass(20_000);
    expect(await isCordoned()).toBe(true);
  });

  it('that comes and goes cordons the node once within the cooldown', async () => {
    await world.pass(700_000);
    await world.startAgent(['--enable-rebalance-monitoring', '--node-termination-grace-period=0']);
    recommend();
    await world.pass(5_000);
    withdraw();
    await world.pass(5_000);
    expect(await isCordoned()).toBe(false);
    world.service.faults.set();
    recommend();
    await world.pass(500_000);
    expect(await isCordoned()).toBe(false);
    await world.pass(110_000);
    expect(await isCordoned()).toBe(true);
  });
});

describe('scheduled maintenance', () => {
  const day = 86_400_000;

  it('drains the node shortly before it begins, not when it is announced', async () => {
    await world.createPod('web');
    await world.startAgent();
    scheduled('system-reboot', world.clock.now() + 600_000);
    await world.pass(470_000);
    expect([await isCordoned(), world.evictions]).toEqual([false, []]);
    await world.pass(20_000);
    expect([await isCordoned(), world.evictions]).toEqual([true, ['web']]);
  });

  it.each(['instance-stop', 'instance-retirement', 'instance-reboot', 'system-reboot'])(
    '%s marks the node so that it is uncordoned after the reboot',
    async (code) => {
      await world.startAgent(['--taint-node']);
      scheduled(code, world.clock.now());
      await world.pass(5_000);
      expect(await labels()).toMatchObject({
        'aws-node-termination-handler/action': 'UncordonAfterReboot',
        'aws-node-termination-handler/action-time': String(Math.floor(world.clock.now() / 1000) - 5 + 2),
        'aws-node-termination-handler/event-id': 'instance-event-1',
      });
      expect(await taints()).toMatchObject([
        { key: 'aws-node-termination-handler/scheduled-maintenance', value: 'instance-event-1' },
      ]);
    },
  );

  it('of another kind only drains', async () => {
    await world.startAgent(['--taint-node']);
    scheduled('system-maintenance', world.clock.now());
    await world.pass(5_000);
    expect([await isCordoned(), await taints()]).toEqual([true, []]);
  });

  it('that is over after a reboot: the node is uncordoned and the event ignored', async () => {
    await world.startAgent(['--taint-node']);
    scheduled('system-reboot', world.clock.now());
    await world.pass(5_000);
    await world.stopAgent();
    await world.pass(60_000);
    await world.startAgent(['--taint-node'], { uptime: async () => 20_000 });
    await world.pass(30_000);
    expect([await isCordoned(), await taints()]).toEqual([false, []]);
    expect(await labels()).toEqual({ 'kubernetes.io/hostname': nodeName });
    await world.stopAgent();
    await world.startAgent([], { uptime: async () => 60_000 });
    await world.pass(30_000);
    expect(await isCordoned()).toBe(false);
  });

  it('keeps the node cordoned after a restart of the agent without a reboot', async () => {
    await world.startAgent();
    scheduled('system-reboot', world.clock.now());
    await world.pass(5_000);
    await world.stopAgent();
    await world.startAgent([], { uptime: async () => day });
    await world.pass(30_000);
    expect(await isCordoned()).toBe(true);
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
    expect(await isCordoned()).toBe(true);
  });

  it.each(['completed', 'canceled'] as const)('that is %s is undone', async (state) => {
    await world.startAgent(['--taint-node']);
    scheduled('instance-stop', world.clock.now());
    await world.pass(5_000);
    scheduled('instance-stop', world.clock.now(), state);
    await world.pass(5_000);
    expect([await isCordoned(), await taints()]).toEqual([false, []]);
  });

  it('in some weeks does not keep a rebalance recommendation from being undone', async () => {
    await world.startAgent(['--enable-rebalance-monitoring', '--rebalance-cooldown=0']);
    scheduled('system-reboot', world.clock.now() + 14 * day);
    world.change({ rebalanceNoticeAt: world.clock.now() });
    await world.pass(5_000);
    expect(await isCordoned()).toBe(true);
    world.service.faults.set({ path: 'recommendations/rebalance', status: 404 });
    await world.pass(5_000);
    expect(await isCordoned()).toBe(false);
  });
});

describe('the load balancer label', () => {
  const key = 'node.kubernetes.io/exclude-from-external-load-balancers';

  it('is set before the drain and removed with the cordon', async () => {
    await world.startAgent(['--exclude-from-load-balancers']);
    scheduled('system-reboot', world.clock.now());
    await world.pass(5_000);
    expect((await labels())[key]).toBe('aws-node-termination-handler');
    scheduled('system-reboot', world.clock.now(), 'canceled');
    await world.pass(5_000);
    expect(await labels()).not.toHaveProperty([key]);
  });

  it('of another owner stays', async () => {
    const body = { metadata: { labels: { [key]: 'karpenter' } } };
    await world.client.patch(kinds.node, { name: nodeName }, { type: 'merge', body });
    await world.startAgent(['--exclude-from-load-balancers']);
    scheduled('system-reboot', world.clock.now());
    await world.pass(5_000);
    scheduled('system-reboot', world.clock.now(), 'canceled');
    await world.pass(5_000);
    expect((await labels())[key]).toBe('karpenter');
  });
});

it('ends when a monitor fails four times in a row', async () => {
  world.service.faults.set({ path: 'spot/instance-action', status: 500 });
  await world.startAgent();
  await world.pass(20_000);
  expect(await world.ended).toMatchObject({ code: 'monitor-failed' });
  expect(world.metrics()).toContain('events_error_total{event_error_where="SPOT_ITN_MONITOR"} 4');
});

it('says which node it does not find', async () => {
  await world.client.delete(kinds.node, { name: nodeName });
  await world.startAgent();
  expect(await world.ended).toMatchObject({ code: 'unknown-object' });
});

it('keeps taints that others add at the same time', async () => {
  await world.startAgent(['--taint-node']);
  const other = { key: 'team', value: 'a', effect: 'NoSchedule' };
  await world.client.patch(
    kinds.node,
    { name: nodeName },
    { type: 'merge', body: { spec: { taints: [other] } } },
  );
  interruptIn(60_000);
  await world.pass(5_000);
  expect((await taints()).map(({ key }) => key)).toEqual(['team', 'aws-node-termination-handler/spot-itn']);
});

it('notifies once per event, with the pods and labels of the node', async () => {
  await world.createPod('web');
  await world.startAgent(['--node-termination-grace-period=5']);
  interruptIn(4_000);
  await world.pass(30_000);
  expect(world.notifications).toMatchObject([
    {
      event: { monitor: 'SPOT_ITN_MONITOR' },
      pods: ['web'],
      identity: { instanceType: 'm5.large' },
      node: { metadata: { name: nodeName } },
    },
  ]);
});

it('publishes events on the node and on evicted pods', async () => {
  await world.createPod('web');
  await world.startAgent(['--taint-node']);
  interruptIn(60_000);
  await world.pass(3_000);
  await world.endTerminatingPods();
  await world.pass(5_000);
  expect(world.recorder.texts.map((text) => text.split(':')[0])).toEqual([
    'Node/node-a SpotInterruption',
    'Node/node-a PreDrain',
    'Pod/web PodEviction',
    'Node/node-a CordonAndDrain',
  ]);
});
