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
describe('a spot interruption', () => {
  it('cordons the node and evicts its pods at once', async () => {
    await world.createPod('web');
    await world.startAgent();
    await world.pass(10_000);
    expect(await world.isCordoned()).toBe(false);
    interruptIn(120_000);
    await world.pass(3_000);
    expect(await world.isCordoned()).toBe(true);
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
    const [taint] = await world.taints();
    expect(taint).toMatchObject({ key: 'aws-node-termination-handler/spot-itn', effect: 'NoExecute' });
    expect(taint?.value).toMatch(/^spot-itn-[0-9a-f]{54}$/);
  });

  it('adds the out-of-service taint only after the drain', async () => {
    await world.createPod('web');
    await world.startAgent(['--enable-out-of-service-taint']);
    interruptIn(60_000);
    await world.pass(5_000);
    expect(await world.taints()).toEqual([]);
    await world.endTerminatingPods();
    await world.pass(5_000);
    expect(await world.taints()).toMatchObject([
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
    expect([await world.isCordoned(), world.evictions]).toEqual([true, []]);
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
    expect(await world.isCordoned()).toBe(false);
  });

  it('stays handled after a restart of the agent alone, even without the document', async () => {
    await world.startAgent();
    interruptIn(60_000);
    await world.pass(5_000);
    await world.stopAgent();
    world.service.faults.set({ path: 'spot/instance-action', status: 404 });
    await world.startAgent();
    await world.pass(10_000);
    expect(await world.isCordoned()).toBe(true);
  });

  it('is not undone when the document disappears', async () => {
    await world.startAgent();
    interruptIn(60_000);
    await world.pass(5_000);
    world.service.faults.set({ path: 'spot/instance-action', status: 404 });
    await world.pass(20_000);
    expect(await world.isCordoned()).toBe(true);
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
  expect((await world.taints()).map(({ key }) => key)).toEqual([
    'team',
    'aws-node-termination-handler/spot-itn',
  ]);
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
