import { disruption, nodeClaims, nodePools } from '@karpenter/controllers';
import { disruptionMetrics, nodeClaimMetrics, nodePoolMetrics } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { runningPods } from '@karpenter/testkit/disruptable-clusters';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../controllers/objects.ts';
import {
  bringUp,
  createLatePod,
  createNode,
  livingClaims,
  patchStatus,
  poolOf,
  taintsOf,
  types,
} from './nodes.ts';

let world: ControllerWorld;

beforeEach(async () => {
  world = await startControllerWorld({ types });
});

afterEach(() => world.stop());

const disrupted = 'karpenter.sh/disrupted';
const run = () => world.run(...disruption(world));
const hasEvent = (part: string) => world.recorder.texts.some((text) => text.includes(part));

/** Lets consolidation find that the pods of `spare` fit on `busy`. */
const searchOnce = async () => {
  await createPool(world, poolOf());
  await createNode(world, 'spare', { pods: runningPods(2, 'spare') });
  await createNode(world, 'busy', { pods: runningPods(6, 'busy') });
  run();
  await world.until(() => world.meters.values(disruptionMetrics.evaluationCoverage).length > 0);
};

/** Advances the clock by seconds in which nothing must happen. */
const pass = async (seconds: number) => {
  const end = world.clock.now() + seconds * 1000;
  await world.until(() => world.clock.now() >= end, 2_500);
};

describe('an empty node', () => {
  it('is deleted after the validation delay of 15 s', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'idle');
    await createNode(world, 'busy', { pods: runningPods(8, 'busy') });
    const started = world.clock.now();
    run();
    await world.until(async () => !(await livingClaims(world)).includes('claim-idle'));
    expect(world.clock.now() - started).toBeGreaterThanOrEqual(15_000);
    expect(await livingClaims(world)).toEqual(['claim-busy']);
    expect(world.log.of('disrupting node(s)')).toMatchObject([
      {
        command: expect.stringMatching(
          /^Empty\/[0-9a-f-]{36}: delete: nodepools=\[default\]: \[idle\] \(savings: \$0\.40\)$/,
        ),
        decision: 'delete',
        'disrupted-node-count': 1,
        'replacement-node-count': 0,
        'pod-count': 0,
        'disrupted-nodes': [
          {
            Node: { name: 'idle' },
            NodeClaim: { name: 'claim-idle' },
            'capacity-type': 'on-demand',
            'instance-type': 'large',
          },
        ],
        'replacement-nodes': [],
      },
    ]);
    const labels = { decision: 'delete', reason: 'empty', consolidation_type: 'empty' };
    expect(world.meters.values(disruptionMetrics.decisions, labels)).toEqual([1]);
    expect(world.meters.values(nodeClaimMetrics.disrupted, { reason: 'empty', nodepool: 'default' })).toEqual(
      [1],
    );
    expect(world.recorder.texts).toEqual(
      expect.arrayContaining([
        'Node/idle DisruptionTerminating: Disrupting Node: Empty',
        'NodeClaim/claim-idle DisruptionTerminating: Disrupting NodeClaim: Empty',
      ]),
    );
  });

  it('stays when a pod is bound to it during the delay', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'idle');
    run();
    await world.until(
      () => world.meters.values(disruptionMetrics.eligibleNodes, { reason: 'empty' })[0] === 1,
    );
    const [pod] = runningPods(1, 'idle', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
    await world.client.create(kinds.pod, {
      metadata: { name: 'late', namespace: 'default', annotations: { ...pod?.metadata.annotations } },
      spec: { nodeName: 'idle', containers: [{ name: 'main', image: 'app' }] },
    });
    await pass(40);
    expect(await livingClaims(world)).toEqual(['claim-idle']);
    expect(
      world.log.of(
        'abandoning empty node consolidation attempt due to pod churn, command is no longer valid',
      ),
    ).not.toEqual([]);
    expect(world.meters.values(disruptionMetrics.failedValidations, { consolidation_type: 'empty' })).toEqual(
      [1],
    );
  });

  it('stays while a budget allows no disruption, with an event on the NodePool', async () => {
    await createPool(world, poolOf('default', { disruption: { budgets: [{ nodes: '0' }] } }));
    await createNode(world, 'idle');
    run();
    await pass(40);
    expect(await livingClaims(world)).toEqual(['claim-idle']);
    expect(world.recorder.texts).toContain(
      'NodePool/default DisruptionBlocked: No allowed disruptions for disruption reason Empty due to blocking budget',
    );
    expect(
      world.meters.values(nodePoolMetrics.allowedDisruptions, { nodepool: 'default', reason: 'Empty' }),
    ).toEqual([0]);
  });
});

describe('a consolidatable node', () => {
  it('is deleted when its pods fit elsewhere, and the other nodes are nominated', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(2, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(6, 'busy') });
    run();
    await world.until(async () => !(await livingClaims(world)).includes('claim-spare'));
    expect(await livingClaims(world)).toEqual(['claim-busy']);
    const busy = world.cluster.snapshot().nodeStates.find(({ view }) => view.name === 'busy');
    expect(busy?.nominatedUntil).toBeGreaterThan(world.clock.now());
    const nominations = world.recorder.texts.filter((text) => text.includes('Nominated'));
    expect(nominations.toSorted()).toEqual([
      'Pod/spare-0 Nominated: Pod should schedule on: nodeclaim/claim-busy, node/busy',
      'Pod/spare-1 Nominated: Pod should schedule on: nodeclaim/claim-busy, node/busy',
    ]);
    expect(
      world.meters.values(nodeClaimMetrics.podsDisruptionInitiated, { reason: 'underutilized' }),
    ).toEqual([2]);
    expect(world.recorder.texts.filter((text) => text.includes('ConsolidationCandidate'))).toEqual([]);
  });

  it('is replaced: tainted first, deleted when the replacement is initialized', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'old', { pods: runningPods(3, 'old') });
    run();
    const replacement = await world.until(async () =>
      (await livingClaims(world)).find((name) => name !== 'claim-old'),
    );
    expect(await taintsOf(world, 'old')).toContain(disrupted);
    const { status } = await world.client.get(nodeClaims, { name: 'claim-old' });
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionReason', status: 'True', reason: 'Underutilized' }),
    );
    await pass(20);
    expect(await livingClaims(world)).toContain('claim-old');
    await bringUp(world, replacement, 'medium');
    await world.until(async () => !(await livingClaims(world)).includes('claim-old'));
    expect(world.log.of('command succeeded')).toHaveLength(1);
    expect(world.recorder.texts).toEqual(
      expect.arrayContaining([
        'Node/old ConsolidationCandidate: Consolidation candidate: replace: [old] -> [1 replacement] (savings: $0.20)',
        `NodeClaim/${replacement} DisruptionLaunching: Launching NodeClaim: Underutilized`,
        `NodeClaim/${replacement} DisruptionWaitingReadiness: Waiting on readiness to continue disruption`,
      ]),
    );
    expect(world.meters.values(nodeClaimMetrics.created, { reason: 'underutilized' })).toEqual([1]);
  });

  it('is deleted together with as many others as budgets allow', async () => {
    await createPool(world, poolOf('default', { disruption: { budgets: [{ nodes: '2' }] } }));
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      await createNode(world, name, { pods: runningPods(1, name) });
    run();
    await world.until(async () => (await livingClaims(world)).length === 4);
    await pass(60);
    expect(await livingClaims(world)).toHaveLength(4);
    expect(world.log.of('disrupting node(s)')).toHaveLength(2);
  });

  it('is decided about again when the cluster changes before the validation', async () => {
    await searchOnce();
    await createLatePod(world);
    await world.until(() => hasEvent('replace: [spare] -> [1 replacement]'));
    expect(hasEvent('ConsolidationRejected')).toBe(false);
  });

  it('counts once as eligible while a command waits for it', async () => {
    await searchOnce();
    await pass(12);
    expect(world.meters.values(disruptionMetrics.eligibleNodes, { reason: 'underutilized' })).toEqual([2]);
  });

  it('stays when its pods no longer fit at validation, with an event', async () => {
    await searchOnce();
    // After the last search before the command is due.
    await pass(12);
    await createLatePod(world);
    await world.until(
      () =>
        world.meters.values(disruptionMetrics.failedValidations, { consolidation_type: 'single' })[0] === 1,
    );
    expect(world.recorder.texts).toContain(
      'Node/spare ConsolidationRejected: Consolidation rejected: delete: [spare], reason: scheduling (savings: $0.40)',
    );
  });

  it('is evaluated again only when the cluster has changed', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'busy', { pods: runningPods(8, 'busy') });
    run();
    const evaluations = () =>
      world.recorder.texts.filter((text) => text.startsWith('Node/busy Unconsolidatable')).length;
    await world.until(() => evaluations() === 1);
    await pass(120);
    expect(evaluations()).toBe(1);
    await createNode(world, 'other', { pods: runningPods(8, 'other') });
    await world.until(() => evaluations() === 2);
  });
});

describe('the policy Balanced', () => {
  const balanced = () => poolOf('default', { disruption: { consolidationPolicy: 'Balanced' } });

  it('publishes and counts approved moves', async () => {
    await createPool(world, balanced());
    await createNode(world, 'spare', { pods: runningPods(1, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(5, 'busy', { cpu: '1400m' }) });
    run();
    await world.until(() => world.meters.values(disruptionMetrics.consolidationMoves).length > 0);
    expect(world.recorder.texts).toContain(
      'Node/spare ConsolidationApproved: score 2.00 >= threshold 0.50 (k: 2, savings 50.0%, disruption 25.0%)',
    );
    const labels = { decision: 'approved', nodepool: 'default', policy: 'balanced' };
    expect(world.meters.values(disruptionMetrics.consolidationMoves, labels)).toEqual([1]);
    expect(world.meters.values(disruptionMetrics.consolidationScore, labels)[0]).toBeCloseTo(2);
  });

  it('counts rejected moves without an event', async () => {
    await createPool(world, balanced());
    await createNode(world, 'crowd', {
      type: 'medium',
      cpu: '4',
      pods: runningPods(20, 'crowd', { cpu: '50m', memory: '10Mi' }),
    });
    for (const name of ['a', 'b', 'c'])
      await createNode(world, name, { pods: runningPods(1, name, { cpu: '7' }) });
    run();
    await pass(60);
    expect(world.recorder.texts.filter((text) => text.includes('ConsolidationApproved'))).toEqual([]);
    expect(await livingClaims(world)).toContain('claim-crowd');
  });
});

describe('the loop', () => {
  it('logs invalid budgets and disrupts no node of their NodePool', async () => {
    const budgets = [{ nodes: '100%', schedule: '0 9 * * 7', duration: '8h' }];
    await createPool(world, poolOf('default', { disruption: { budgets } }));
    await createNode(world, 'idle');
    run();
    await pass(30);
    expect(world.log.of('detected disruption budget errors')[0]).toMatchObject({
      NodePool: { name: 'default' },
    });
    expect(await livingClaims(world)).toEqual(['claim-idle']);
  });

  it('continues when no NodePool is ready, with a log line', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'busy', { pods: runningPods(2, 'busy') });
    const ready = {
      type: 'Ready',
      status: 'False',
      reason: 'UnhealthyDependents',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    await patchStatus(world, nodePools, 'default', { conditions: [ready] });
    await world.until(() =>
      world.cluster.snapshot().nodePools[0]?.status?.conditions?.some(({ status }) => status === 'False'),
    );
    run();
    await world.until(() => world.log.of('failed computing consolidation').length > 1);
    expect(world.errors).toEqual([]);
  });

  it('keeps the timeout counters at zero, because a search has no timeout', async () => {
    run();
    const timeouts = world.meters.series(disruptionMetrics.consolidationTimeouts);
    expect(timeouts.map(({ labels, values }) => [labels['consolidation_type'], ...values])).toEqual([
      ['multi', 0],
      ['single', 0],
    ]);
  });

  it('runs every ten seconds', async () => {
    await createPool(world, poolOf('default', { disruption: { consolidateAfter: 'Never' } }));
    await createNode(world, 'busy', { pods: runningPods(1, 'busy') });
    run();
    const evaluations = () =>
      world.recorder.texts.filter((text) => text.startsWith('Node/busy Unconsolidatable')).length;
    await world.until(() => evaluations() > 0);
    const [before, at] = [evaluations(), world.clock.now()];
    await world.until(() => evaluations() > before, 250);
    expect(world.clock.now() - at).toBeLessThanOrEqual(10_500);
  });
});

describe('a node that is blocked from disruption', () => {
  it('has an event with the reason on the Node and on the NodeClaim', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'kept', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
    run();
    await world.until(() => world.recorder.texts.length > 1);
    const message =
      'DisruptionBlocked: Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation';
    expect(world.recorder.texts.slice(0, 2)).toEqual([
      `Node/kept ${message}`,
      `NodeClaim/claim-kept ${message}`,
    ]);
  });
});

describe('a node that an earlier process tainted', () => {
  it('loses the taint and the condition', async () => {
    await createPool(world, poolOf('default', { disruption: { consolidateAfter: 'Never' } }));
    await createNode(world, 'left', { conditions: ['DisruptionReason'], pods: runningPods(8, 'left') });
    const body = { spec: { taints: [{ key: disrupted, effect: 'NoSchedule' }] } };
    await world.client.patch(kinds.node, { name: 'left' }, { type: 'merge', body });
    await world.until(() => world.cluster.snapshot().nodeStates[0]?.node?.spec?.taints?.length === 1);
    run();
    await world.until(async () => (await taintsOf(world, 'left')).length === 0);
    const released = await world.until(async () => {
      const { status } = await world.client.get(nodeClaims, { name: 'claim-left' });
      return status?.conditions?.every(({ type }) => type !== 'DisruptionReason');
    });
    expect(released).toBe(true);
  });
});

describe('a drifted node', () => {
  it('is replaced without delay, whatever it costs', async () => {
    await createPool(world, poolOf('default', { disruption: { consolidateAfter: 'Never' } }));
    await createNode(world, 'old', { conditions: ['Drifted'], pods: runningPods(7, 'old') });
    const started = world.clock.now();
    run();
    await world.until(async () => (await livingClaims(world)).length === 2);
    expect(world.clock.now() - started).toBeLessThan(15_000);
    expect(world.log.of('disrupting node(s)')[0]?.['command']).toMatch(
      /^Drifted\/.*replace: nodepools=\[default\]: \[old\] -> \[1 replacement\]/,
    );
    expect(world.meters.values(nodeClaimMetrics.created, { reason: 'drifted' })).toEqual([1]);
  });

  it('whose pods would not schedule elsewhere stays, with an event', async () => {
    await createPool(world, poolOf());
    const pods = runningPods(1, 'old', { nodeSelector: { never: 'here' } });
    await createNode(world, 'old', { conditions: ['Drifted'], pods });
    run();
    await world.until(() =>
      world.recorder.texts.some((text) => text.includes('Not all pods would schedule')),
    );
    expect(world.recorder.texts.find((text) => text.includes('Not all pods'))).toMatch(
      /^Node\/old DisruptionBlocked: Not all pods would schedule, default\/old-0 => /,
    );
    expect(await livingClaims(world)).toEqual(['claim-old']);
  });

  it('of a static NodePool is replaced one for one', async () => {
    await createPool(world, poolOf('default', { replicas: 1 }));
    await createNode(world, 'old', { conditions: ['Drifted'] });
    run();
    await world.until(async () => (await livingClaims(world)).length === 2);
    expect(world.cluster.snapshot().pools.get('default')?.claims).toMatchObject({ deleting: ['claim-old'] });
  });
});
