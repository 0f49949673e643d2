import { Cluster, nodeClaims, nodePools } from '@karpenter/controllers';
import { disruptionMetrics, nodeClaimMetrics, nodePoolMetrics } from '@karpenter/core/api';
import { stateKinds } from '@karpenter/core/state';
import { durationMs } from '@karpenter/core/values';
import { ApiError, kinds } from '@karpenter/kube/client';
import type { Singleton } from '@karpenter/kube/runtime';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { runningPods } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../controllers/objects.ts';
import { loopOf, runLoop } from './disruption-loop.ts';
import { createNode, livingClaims, patchStatus, poolOf, taintsOf, types } from './nodes.ts';

let world: ControllerWorld;
let loop: Singleton;

beforeEach(async () => {
  world = await startControllerWorld({ types });
  loop = loopOf(world);
});

afterEach(() => world.stop());

const runOnce = () => runLoop(world, loop);

/** Runs a callback when the n-th method has taken its snapshot, before it has decided anything. */
function afterSnapshot(method: number, callback: () => Promise<void>): void {
  const { planning } = world;
  const refresh = planning.refresh.bind(planning);
  let refreshes = 0;
  planning.refresh = async () => {
    const seen = await refresh();
    refreshes += 1;
    if (refreshes === method) await callback();
    return seen;
  };
}

/** Advances the clock by the validation delay. */
const wait = () => world.clock.advance(durationMs(15_000));

const atOnce = { requeueAfter: 0 };
const later = { requeueAfter: 4_000 };
const commands = () => world.log.of('disrupting node(s)').map(({ command }) => String(command));
const never = { disruption: { consolidateAfter: 'Never' } };

describe('the loop', () => {
  it('retries every second until the state is synced', async () => {
    const { caches, clock } = world;
    loop = loopOf({ ...world, cluster: new Cluster({ caches, clock, kinds: stateKinds }) });
    expect(await runOnce()).toEqual({ requeueAfter: 1_000 });
  });

  it('looks for empty nodes again after four seconds', async () => {
    await createPool(world, poolOf('default', never));
    await createNode(world, 'old', { conditions: ['Drifted'], pods: runningPods(7, 'old') });
    expect(await runOnce()).toEqual(later);
    expect(commands()).toHaveLength(1);
  });

  it('starts a command that is due between two passes without another search', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(1, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(7, 'busy') });
    const searches = () =>
      world.meters.values(disruptionMetrics.evaluationDuration, { reason: 'underutilized' }).length;
    await runOnce();
    await world.clock.advance(durationMs(10_000));
    await runOnce();
    await world.clock.advance(durationMs(5_000));
    await runOnce();
    expect(commands()).toEqual([expect.stringContaining('[spare]')]);
    expect(searches()).toBe(2);
  });

  it('keeps a node with a pod that has moved as often as its NodePool allows', async () => {
    await createPool(world, poolOf('default', { annotations: { 'karpenter-ts/pod-moves-per-hour': '0' } }));
    await createNode(world, 'spare', { pods: runningPods(1, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(7, 'busy') });
    await runOnce();
    await wait();
    await runOnce();
    expect(commands()).toEqual([]);
    expect(world.recorder.texts).toContainEqual(
      expect.stringMatching(
        /^Node\/spare Unconsolidatable: Pod default\/\S+ has moved too often within the last hour$/,
      ),
    );
  });

  it('runs emptiness, static drift, drift and consolidation in order, and only drift starts without delay', async () => {
    await createPool(world, poolOf());
    await createPool(world, poolOf('fixed', { replicas: 1 }));
    await createNode(world, 'spare', { pods: runningPods(1, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(7, 'busy') });
    await createNode(world, 'old', {
      conditions: ['Drifted'],
      pods: runningPods(1, 'old', { cpu: '7500m' }),
    });
    await createNode(world, 'replica', { pool: 'fixed', conditions: ['Drifted'] });
    await createNode(world, 'idle');
    await runOnce();
    await wait();
    await runOnce();
    expect(commands().map((command) => command.replace(/\/[^:]+/, ''))).toEqual([
      expect.stringMatching(/^Drifted: replace: .*\[replica\]/),
      expect.stringMatching(/^Drifted: replace: .*\[old\]/),
      expect.stringMatching(/^Empty: delete: .*\[idle\]/),
      expect.stringMatching(/^Underutilized: delete: .*\[spare\]/),
    ]);
    const { decisions } = disruptionMetrics;
    const counted = world.meters
      .series(decisions)
      .map(({ labels, values }) => [labels['reason'], labels['consolidation_type'], ...values]);
    expect(counted).toEqual([
      ['drifted', '', 2],
      ['empty', 'empty', 1],
      ['underutilized', 'single', 1],
    ]);
  });

  it('takes a new snapshot for every method', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(2, 'spare') });
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    await createNode(world, 'room', { annotations, pods: runningPods(6, 'room') });
    afterSnapshot(1, async () => {
      const body = { metadata: { annotations } };
      await world.client.patch(kinds.node, { name: 'spare' }, { type: 'merge', body });
      await world.until(() =>
        world.cluster
          .snapshot()
          .nodeStates.every(({ node }) => node?.metadata.annotations?.['karpenter.sh/do-not-disrupt']),
      );
    });
    await runOnce();
    expect(world.recorder.texts).toContain(
      'Node/spare DisruptionBlocked: Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
    );
    expect(world.meters.values(disruptionMetrics.failedValidations)).toEqual([0, 0, 0]);
  });

  it('logs runs that are more than 15 minutes apart', async () => {
    /** Runs the loop so many milliseconds after the last run started. */
    const runAfter = async (lastStart: number, gap: number) => {
      await world.clock.advance(durationMs(lastStart + gap - world.clock.now()));
      await runOnce();
      return lastStart + gap;
    };
    const first = world.clock.now();
    await runOnce();
    const second = await runAfter(first, 900_000);
    expect(world.log.of('abnormal time between runs')).toEqual([]);
    await runAfter(second, 900_001);
    expect(world.log.of('abnormal time between runs')).toEqual([
      { name: 'disruption', time_since: '15m0.001s' },
    ]);
  });

  it('runs again at once after a write conflict', async () => {
    await createLeftover();
    refuse(new ApiError('read', { code: 409, reason: 'Conflict', message: 'changed', causes: [] }));
    expect(await runOnce()).toEqual(atOnce);
  });

  it('fails with any other error', async () => {
    await createLeftover();
    refuse(new Error('no answer'));
    await expect(runOnce()).rejects.toThrow('no answer');
  });

  it('keeps the taint on nodes of a queued command', async () => {
    await createPool(world, poolOf('default', never));
    await createNode(world, 'old', { conditions: ['Drifted'], pods: runningPods(7, 'old') });
    await runOnce();
    await world.until(() => world.cluster.snapshot().nodeStates[0]?.node?.spec?.taints?.length === 1);
    await runOnce();
    expect(await taintsOf(world, 'old')).toEqual(['karpenter.sh/disrupted']);
  });

  it('keeps the taint on nodes whose NodeClaim is being deleted', async () => {
    await createLeftover();
    const taints = [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }];
    await world.client.patch(kinds.node, { name: 'left' }, { type: 'merge', body: { spec: { taints } } });
    await world.client.delete(nodeClaims, { name: 'claim-left' });
    await world.until(() => {
      const [state] = world.cluster.snapshot().nodeStates;
      return state?.markedForDeletion && state.node?.spec?.taints?.length === 1;
    });
    await runOnce();
    expect(await taintsOf(world, 'left')).toEqual(['karpenter.sh/disrupted']);
  });

  /** A tainted node that no command disrupts. */
  async function createLeftover(): Promise<void> {
    await createPool(world, poolOf('default', never));
    await createNode(world, 'left', { conditions: ['DisruptionReason'], pods: runningPods(8, 'left') });
  }

  /** Makes all reads fail from now on. */
  function refuse(error: Error): void {
    world.client.get = () => Promise.reject(error);
  }
});

describe('a budget that allows no disruption', () => {
  it('publishes no event for a NodePool without nodes', async () => {
    await createPool(world, poolOf('default', { disruption: { budgets: [{ nodes: '0' }] } }));
    await runOnce();
    expect(world.recorder.texts).toEqual([]);
  });

  it('shows in the gauges until its NodePool is deleted', async () => {
    await createPool(world, poolOf('default', { disruption: { budgets: [{ nodes: '3' }] } }));
    await runOnce();
    const { allowedDisruptions, nodesConsumingBudgets } = nodePoolMetrics;
    const shown = () =>
      [allowedDisruptions, nodesConsumingBudgets].map((gauge) => world.meters.values(gauge));
    expect(shown()).toEqual([
      [3, 3, 3],
      [0, 0, 0],
    ]);
    await world.client.delete(nodePools, { name: 'default' });
    await world.until(() => world.cluster.snapshot().nodePools.length === 0);
    await wait();
    await runOnce();
    expect(shown()).toEqual([[], []]);
  });

  it('is not reported for a NodePool of another cloud provider', async () => {
    const { spec, ...rest } = poolOf('default', { disruption: { budgets: [{ nodes: '0' }] } });
    const nodeClassRef = { group: 'other.sh', kind: 'OtherNodeClass', name: 'default' };
    const template = { ...spec.template, spec: { ...spec.template.spec, nodeClassRef } };
    await createPool(world, { ...rest, spec: { ...spec, template } });
    await createNode(world, 'n', { pods: runningPods(2, 'n') });
    await runOnce();
    expect(world.recorder.texts.filter((text) => text.startsWith('NodePool/'))).toEqual([]);
    expect(world.meters.series(nodePoolMetrics.allowedDisruptions)).toEqual([]);
  });
});

describe('a terminationGracePeriod', () => {
  const held = {
    terminationGracePeriod: '1h',
    pods: runningPods(2, 'n', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
  };

  it('allows drift of nodes with do-not-disrupt pods', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'n', { ...held, conditions: ['Drifted'] });
    await runOnce();
    expect(commands()).toEqual([expect.stringMatching(/^Drifted.*delete.*\[n\]/)]);
  });

  it('does not allow their consolidation', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'n', held);
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    await createNode(world, 'room', { annotations, pods: runningPods(6, 'room') });
    expect(await runOnce()).toEqual(later);
    expect(commands()).toEqual([]);
    expect(world.recorder.texts).toContain(
      'Node/n DisruptionBlocked: Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/n-0)',
    );
  });
});

describe('a drifted node that is deleted during the simulation', () => {
  it.each([
    ['a static pool', { replicas: 1 }, 2],
    ['any other pool', {}, 3],
  ])('is left to that, in %s', async (_, pool, method) => {
    await createPool(world, poolOf('default', { ...never, ...pool }));
    await createNode(world, 'old', { conditions: ['Drifted'], pods: runningPods(7, 'old') });
    afterSnapshot(method, async () => {
      await world.client.delete(nodeClaims, { name: 'claim-old' });
      await world.until(() => world.cluster.snapshot().nodeStates.every((state) => state.markedForDeletion));
    });
    await runOnce();
    expect(commands()).toEqual([]);
    expect((await world.client.list(nodeClaims)).items).toHaveLength(1);
  });
});

describe('a drifted node of a static NodePool', () => {
  it('is replaced by a replica of its NodePool, with the usual events', async () => {
    await createPool(world, poolOf('default', { replicas: 1 }));
    await createNode(world, 'n', { conditions: ['Drifted'] });
    await runOnce();
    const made = (await livingClaims(world)).filter((name) => name !== 'claim-n');
    expect(made).toHaveLength(1);
    expect(world.log.of('created nodeclaim')).toEqual([
      { NodePool: { name: 'default' }, NodeClaim: { name: made[0] } },
    ]);
    const labels = { reason: 'drifted', nodepool: 'default', min_values_relaxed: 'false' };
    expect(world.meters.values(nodeClaimMetrics.created, labels)).toEqual([1]);
  });

  it('counts as pending disruption while its replacement is created, and no longer if that fails', async () => {
    await createPool(world, poolOf('default', { replicas: 1 }));
    await createNode(world, 'n', { conditions: ['Drifted'] });
    const going = () => world.cluster.snapshot().pools.get('default')?.claims.pendingDisruption;
    const create = world.client.create.bind(world.client);
    let duringCreation: readonly string[] | undefined;
    world.client.create = (kind, object, options) => {
      if (kind.kind !== 'NodeClaim') return create(kind, object, options);
      duringCreation = going();
      return Promise.reject(new Error('quota'));
    };
    await expect(runOnce()).rejects.toMatchObject({ code: 'command-not-started' });
    expect(duringCreation).toEqual(['claim-n']);
    expect(going()).toEqual([]);
  });

  it('stays while it is blocked from disruption', async () => {
    await createPool(world, poolOf('default', { replicas: 1 }));
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    await createNode(world, 'n', { conditions: ['Drifted'], annotations });
    expect(await runOnce()).toEqual(later);
    expect(await livingClaims(world)).toEqual(['claim-n']);
  });
});

describe('a consolidation', () => {
  const joinable = ['a', 'b', 'c'];

  /** Three nodes whose pods fit on one larger and cheaper node. */
  async function createJoinable(): Promise<void> {
    world.cloud.types = types.slice(1);
    await createPool(world, poolOf());
    for (const name of joinable)
      await createNode(world, name, {
        type: 'medium',
        cpu: '4',
        pods: runningPods(1, name, { cpu: '2500m' }),
      });
  }

  it('starts fifteen seconds after it was found', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(2, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(6, 'busy') });
    await runOnce();
    await world.clock.advance(durationMs(14_000));
    await runOnce();
    expect(commands()).toEqual([]);
    await wait();
    await runOnce();
    expect(commands()).toHaveLength(1);
  });

  it('of several nodes is counted as multi-node', async () => {
    await createJoinable();
    await runOnce();
    await wait();
    await runOnce();
    expect(commands()).toEqual([expect.stringContaining('[a, b, c] -> [1 replacement]')]);
    const labels = { decision: 'replace', reason: 'underutilized', consolidation_type: 'multi' };
    expect(world.meters.values(disruptionMetrics.decisions, labels)).toEqual([1]);
  });

  it('of several nodes that fails validation counts each node and publishes no event', async () => {
    await createJoinable();
    await runOnce();
    const body = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } };
    await world.client.patch(kinds.node, { name: 'b' }, { type: 'merge', body });
    await world.until(() =>
      world.cluster
        .snapshot()
        .nodeStates.some(({ node }) => node?.metadata.annotations?.['karpenter.sh/do-not-disrupt']),
    );
    await wait();
    await runOnce();
    expect(commands()).toEqual([]);
    const labels = { consolidation_type: 'multi' };
    expect(world.meters.values(disruptionMetrics.failedValidations, labels)).toEqual([3]);
    expect(world.recorder.texts.filter((text) => text.includes('ConsolidationRejected'))).toEqual([]);
  });

  it('is rejected when its node changes during the validation', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(2, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(6, 'busy') });
    const body = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } };
    // The last of the four methods, in the second run.
    afterSnapshot(8, async () => {
      await world.client.patch(kinds.node, { name: 'spare' }, { type: 'merge', body });
      await world.until(() =>
        world.cluster.snapshot().nodeStates.some(({ node }) => node?.metadata.annotations !== undefined),
      );
    });
    await runOnce();
    await wait();
    await runOnce();
    expect(commands()).toEqual([]);
    expect(world.recorder.texts).toContain(
      'Node/spare ConsolidationRejected: Consolidation rejected: delete: [spare], reason: churn (savings: $0.40)',
    );
  });

  it('whose validation throws is rejected with reason unknown, and the loop fails with the error', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(2, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(6, 'busy') });
    await runOnce();
    await wait();
    await setReady(false);
    await expect(runOnce()).rejects.toMatchObject({ code: 'no-usable-node-pool' });
    expect(commands()).toEqual([]);
    expect(world.recorder.texts).toContain(
      'Node/spare ConsolidationRejected: Consolidation rejected: delete: [spare], reason: unknown (savings: $0.40)',
    );
    const labels = { consolidation_type: 'single' };
    expect(world.meters.values(disruptionMetrics.failedValidations, labels)).toEqual([1]);
    await setReady(true);
    await runOnce();
    await wait();
    await runOnce();
    expect(commands()).toEqual([expect.stringContaining('[spare]')]);
  });

  async function setReady(isReady: boolean): Promise<void> {
    const status = isReady ? 'True' : 'False';
    const conditions = [
      { type: 'Ready', status, reason: 'Ready', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ];
    await patchStatus(world, nodePools, 'default', { conditions });
    await world.until(() =>
      world.cluster
        .snapshot()
        .nodePools.some(({ status: now }) => now?.conditions?.some((each) => each.status === status)),
    );
  }

  it('is counted under every policy, and scored only under policy Balanced', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(2, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(6, 'busy') });
    await runOnce();
    const labels = { decision: 'approved', nodepool: 'default', policy: 'when_empty_or_underutilized' };
    expect(world.meters.values(disruptionMetrics.consolidationMoves, labels)).toEqual([1]);
    expect(world.meters.series(disruptionMetrics.consolidationScore)).toEqual([]);
  });

  it('that policy Balanced rejects is counted and scored without an event', async () => {
    world.cloud.types = [...types.slice(2), instanceType('alike', { cpu: '8', memory: '64Gi', price: 0.39 })];
    await createPool(world, poolOf('default', { disruption: { consolidationPolicy: 'Balanced' } }));
    await createNode(world, 'n', { pods: runningPods(6, 'n') });
    await runOnce();
    expect(commands()).toEqual([]);
    const labels = { decision: 'rejected', nodepool: 'default', policy: 'balanced' };
    expect(world.meters.values(disruptionMetrics.consolidationMoves, labels)).toEqual([1]);
    expect(world.meters.values(disruptionMetrics.consolidationScore, labels)[0]).toBeCloseTo(0.025);
    expect(world.recorder.texts).toEqual([]);
  });
});

describe('a process that has lost the lease', () => {
  it('starts no further commands', async () => {
    await createPool(world, poolOf('default', never));
    const names = Array.from({ length: 12 }, (_, index) => `old-${index}`);
    for (const name of names)
      await createNode(world, name, { conditions: ['Drifted'], pods: runningPods(8, name) });
    const lead = new AbortController();
    const create = world.client.create.bind(world.client);
    world.client.create = (kind, object, options) => {
      if (kind.kind === 'NodeClaim') lead.abort();
      return create(kind, object, options);
    };
    await runLoop(world, loop, lead);
    const started = commands().length;
    expect(started).toBeGreaterThan(0);
    expect(started).toBeLessThan(names.length);
    expect((await world.client.list(nodeClaims)).items).toHaveLength(names.length + started);
  });
});

describe('a command whose replacement cannot be created', () => {
  it('is dropped with an error, and the next run removes the taint of its node', async () => {
    await createPool(world, poolOf('default', never));
    await createNode(world, 'old', { conditions: ['Drifted'], pods: runningPods(7, 'old') });
    const create = world.client.create.bind(world.client);
    world.client.create = (kind, object, options) =>
      kind.kind === 'NodeClaim' ? Promise.reject(new Error('quota')) : create(kind, object, options);
    await expect(runOnce()).rejects.toMatchObject({ code: 'command-not-started' });
    expect(await taintsOf(world, 'old')).toEqual(['karpenter.sh/disrupted']);
    await world.until(() => world.cluster.snapshot().nodeStates[0]?.node?.spec?.taints?.length === 1);
    const patches: string[] = [];
    const patch = world.client.patch.bind(world.client);
    world.client.patch = async (kind, key, change, options) => {
      const written = await patch(kind, key, change, options);
      if (kind.kind === 'Node') patches.push((await taintsOf(world, key.name)).join());
      return written;
    };
    await expect(runOnce()).rejects.toMatchObject({ code: 'command-not-started' });
    expect(patches).toEqual(['', 'karpenter.sh/disrupted']);
    expect(world.meters.series(disruptionMetrics.decisions)).toEqual([]);
    expect(world.meters.series(disruptionMetrics.decisionsByNodePool)).toEqual([]);
  });
});
