import fc from 'fast-check';
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { deletionOrder, planReplicaSet } from './plan-replica-set.ts';

const now = Date.UTC(2026, 0, 1);

function setOf(replicas: number, spec: Partial<ReplicaSet['spec']> = {}): ReplicaSet {
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'set' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } } },
      ...spec,
    },
  };
}

const owner = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'set', controller: true }];

interface PodOptions {
  readonly node?: string;
  readonly phase?: string;
  readonly readySince?: number;
  readonly createdAt?: number;
  readonly cost?: string;
  readonly labels?: Record<string, string>;
  readonly isOrphan?: boolean;
}

function pod(name: string, options: PodOptions = {}): Pod {
  const {
    node,
    phase = 'Pending',
    readySince,
    createdAt = now,
    cost,
    labels = { app: 'web' },
    isOrphan,
  } = options;
  return {
    metadata: {
      name,
      uid: name,
      labels,
      creationTimestamp: new Date(createdAt).toISOString(),
      ...(cost && { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
      ...(!isOrphan && { ownerReferences: owner }),
    },
    spec: { containers: [], ...(node && { nodeName: node }) },
    status: {
      phase,
      ...(readySince !== undefined && {
        conditions: [
          { type: 'Ready', status: 'True', lastTransitionTime: new Date(readySince).toISOString() },
        ],
      }),
    },
  };
}

const name = ({ metadata }: Pod) => metadata?.name;

/** Lets one of the pods fail, vanish or start. */
function disturbed(pods: readonly Pod[], type: string, index: number): readonly Pod[] {
  const target = pods[index % Math.max(1, pods.length)];
  if (target === undefined || type === 'scale') return pods;
  const others = pods.filter((one) => one !== target);
  if (type === 'vanish') return others;
  return [...others, { ...target, status: { phase: type === 'fail' ? 'Failed' : 'Running' } }];
}

describe('a ReplicaSet', () => {
  it('creates the missing pods; finished ones do not count', () => {
    const plan = planReplicaSet(setOf(3), [pod('a'), pod('b', { phase: 'Failed' })], now);

    expect(plan).toMatchObject({ create: 2, remove: [], status: { replicas: 1 } });
  });

  it('creates at most 500 at once', () => {
    expect(planReplicaSet(setOf(2_000), [], now).create).toBe(500);
  });

  it('adopts unowned pods that it selects and releases those it no longer selects', () => {
    const orphan = pod('orphan', { isOrphan: true });
    const stray = pod('stray', { labels: { app: 'other' } });

    const plan = planReplicaSet(setOf(2), [orphan, stray], now);

    expect(plan).toMatchObject({ adopt: [orphan], release: [stray], create: 1 });
  });

  it('counts a pod as available after minReadySeconds and requeues for that time', () => {
    const pods = [pod('old', { readySince: now - 30_000 }), pod('new', { readySince: now - 4_000 })];

    const plan = planReplicaSet(setOf(2, { minReadySeconds: 10 }), pods, now);

    expect(plan).toMatchObject({ status: { readyReplicas: 2, availableReplicas: 1 }, requeueAfterMs: 6_000 });
  });

  it('deletes pods without a node first, then not running, not ready, cheap, crowded and young ones', () => {
    const young = now - 1_000;
    const old = now - 100_000;
    const running = { phase: 'Running', readySince: old, createdAt: old };
    const pods = [
      pod('old', { ...running, node: 'a' }),
      pod('young', { ...running, readySince: young, node: 'b' }),
      pod('crowded-1', { ...running, node: 'c' }),
      pod('crowded-2', { ...running, node: 'c' }),
      pod('cheap', { ...running, node: 'd', cost: '-5' }),
      pod('unready', { node: 'e', phase: 'Running' }),
      pod('pending', { node: 'f' }),
      pod('homeless'),
    ];

    expect(deletionOrder(pods).map(name)).toEqual([
      'homeless',
      'pending',
      'unready',
      'cheap',
      'crowded-1',
      'crowded-2',
      'young',
      'old',
    ]);
  });

  it('converges to its replicas whatever fails, vanishes or is scaled', () => {
    const upset = fc.oneof(
      fc.record({ type: fc.constantFrom('fail', 'vanish', 'run'), index: fc.nat() }),
      fc.record({ type: fc.constant('scale'), index: fc.nat({ max: 20 }) }),
    );
    fc.assert(
      fc.property(fc.array(upset, { maxLength: 40 }), (upsets) => {
        let pods: readonly Pod[] = [];
        let replicas = 5;
        let made = 0;
        const step = () => {
          const plan = planReplicaSet(setOf(replicas), pods, now);
          expect(plan.create === 0 || plan.remove.length === 0).toBe(true);
          const kept = pods.filter((one) => !plan.remove.includes(one));
          pods = [...kept, ...Array.from({ length: plan.create }, () => pod(`p${made++}`))];
        };
        for (const { type, index } of upsets) {
          if (type === 'scale') replicas = index;
          pods = disturbed(pods, type, index);
          step();
        }
        step();
        expect(planReplicaSet(setOf(replicas), pods, now)).toMatchObject({
          create: 0,
          remove: [],
          status: { replicas },
        });
      }),
    );
  });
});
