import fc from 'fast-check';
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';
import { planDeployment, revisionAnnotation } from './plan-deployment.ts';
import { boundsOf } from './rollout.ts';

const start = Date.UTC(2026, 0, 1);

function deploymentOf(replicas: number, image: string, spec: Partial<Deployment['spec']> = {}): Deployment {
  const labels = { app: 'web' };
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'deployment', generation: 1 },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
      ...spec,
    },
  };
}

/** A cluster in which ReplicaSets reach their replicas with a delay. */
class Rollouts {
  sets: ReplicaSet[] = [];
  deployment: Deployment;
  now = start;

  constructor(deployment: Deployment) {
    this.deployment = deployment;
  }

  step(): boolean {
    this.now += 1_000;
    const plan = planDeployment(this.deployment, { sets: this.sets, podsOf: () => [], now: this.now });
    const { create, changes, remove } = plan;
    if (create !== undefined) {
      const creationTimestamp = new Date(this.now).toISOString();
      this.sets.push({
        ...create,
        metadata: { ...create.metadata, creationTimestamp, uid: create.metadata?.name ?? '' },
      });
    }
    for (const { set, replicas, annotations } of changes) {
      const metadata = { ...set.metadata, annotations: { ...set.metadata?.annotations, ...annotations } };
      this.sets = this.sets.map((one) =>
        one === set ? { ...one, metadata, spec: { selector: {}, ...one.spec, replicas } } : one,
      );
    }
    this.sets = this.sets.filter((one) => !remove.includes(one));
    this.deployment = { ...this.deployment, status: plan.status };
    return create !== undefined || changes.length > 0 || remove.length > 0;
  }

  /** Pods change: those beyond the replicas go at once, and some of the new ones become available. */
  settle(mostAvailable: number): void {
    this.sets = this.sets.map((set) => {
      const replicas = set.spec?.replicas ?? 0;
      const before = Math.min(set.status?.availableReplicas ?? 0, replicas);
      const available = Math.min(replicas, before + mostAvailable);
      return { ...set, status: { replicas, readyReplicas: available, availableReplicas: available } };
    });
  }

  finish(mostAvailable = 100): void {
    for (let round = 0; round < 500; round += 1) {
      const hasChanged = this.step();
      this.settle(mostAvailable);
      if (!hasChanged && this.deployment.status?.availableReplicas === this.deployment.spec?.replicas) return;
    }
  }

  total(count: (set: ReplicaSet) => number | undefined): number {
    return this.sets.reduce((sum, set) => sum + (count(set) ?? 0), 0);
  }

  setImage(image: string): void {
    const { spec } = deploymentOf(this.deployment.spec?.replicas ?? 1, image, this.strategy());
    this.deployment = { ...this.deployment, ...(spec && { spec }) };
  }

  strategy(): Partial<Deployment['spec']> {
    const { strategy, revisionHistoryLimit, paused } = this.deployment.spec ?? {};
    return {
      ...(strategy && { strategy }),
      ...(revisionHistoryLimit !== undefined && { revisionHistoryLimit }),
      ...(paused && { paused }),
    };
  }
}

const progressing = ({ deployment }: Rollouts) =>
  deployment.status?.conditions?.find(({ type }) => type === 'Progressing');

describe('a Deployment', () => {
  it('creates a ReplicaSet named after its template hash with all replicas', () => {
    const { create } = planDeployment(deploymentOf(3, 'v1'), { sets: [], podsOf: () => [], now: start });

    expect(create).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^web-[bcdfghjklmnpqrstvwxz2456789]{10}$/),
        annotations: { [revisionAnnotation]: '1' },
      },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web', 'pod-template-hash': expect.any(String) } },
      },
    });
  });

  it('stays within maxSurge and maxUnavailable during a rollout', () => {
    const share = fc.oneof(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 100 }).map((n) => `${n}%`),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        share,
        share,
        fc.integer({ min: 1, max: 4 }),
        (replicas, maxSurge, maxUnavailable, pace) => {
          const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
          const rollouts = new Rollouts(deploymentOf(replicas, 'v1', { strategy }));
          rollouts.finish();
          const { surge, unavailable } = boundsOf(rollouts.deployment);
          rollouts.setImage('v2');
          for (let round = 0; round < 200; round += 1) {
            rollouts.step();
            rollouts.settle(0);
            expect(rollouts.total(({ spec }) => spec?.replicas)).toBeLessThanOrEqual(replicas + surge);
            expect(rollouts.total(({ status }) => status?.availableReplicas)).toBeGreaterThanOrEqual(
              replicas - unavailable,
            );
            rollouts.settle(pace);
          }
          expect(rollouts.sets.map(({ spec }) => spec?.replicas)).toEqual([0, replicas]);
          expect(progressing(rollouts)?.reason).toBe('NewReplicaSetAvailable');
        },
      ),
    );
  });

  it('rolls back to an old ReplicaSet under a new revision', () => {
    const rollouts = new Rollouts(deploymentOf(2, 'v1'));
    rollouts.finish();
    rollouts.setImage('v2');
    rollouts.finish();
    rollouts.setImage('v1');
    rollouts.finish();

    expect(
      rollouts.sets.map(({ spec, metadata }) => [
        spec?.replicas,
        metadata?.annotations?.[revisionAnnotation],
      ]),
    ).toEqual([
      [2, '3'],
      [0, '2'],
    ]);
  });

  it('keeps as many old ReplicaSets as revisionHistoryLimit', () => {
    const rollouts = new Rollouts(deploymentOf(1, 'v0', { revisionHistoryLimit: 2 }));
    for (const image of ['v1', 'v2', 'v3', 'v4']) {
      rollouts.finish();
      rollouts.setImage(image);
    }
    rollouts.finish();
    rollouts.step();

    expect(rollouts.sets.map(({ metadata }) => metadata?.annotations?.[revisionAnnotation])).toEqual([
      '3',
      '4',
      '5',
    ]);
  });

  it('starts no new pod before every old one is gone with Recreate', () => {
    const rollouts = new Rollouts(deploymentOf(3, 'v1', { strategy: { type: 'Recreate' } }));
    rollouts.finish();
    rollouts.setImage('v2');
    rollouts.step();
    rollouts.step();
    const [oldSet, newSet] = rollouts.sets;
    const leaving = {
      metadata: {
        name: 'p',
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            name: '',
            uid: oldSet?.metadata?.uid ?? '',
            controller: true,
          },
        ],
      },
    };

    const waiting = planDeployment(rollouts.deployment, {
      sets: rollouts.sets,
      podsOf: (set) => (set === oldSet ? [leaving] : []),
      now: start,
    });
    expect([oldSet?.spec?.replicas, newSet?.spec?.replicas]).toEqual([0, 0]);
    expect(waiting.changes.filter(({ replicas }) => replicas > 0)).toEqual([]);

    rollouts.finish();
    expect(rollouts.sets.map(({ spec }) => spec?.replicas)).toEqual([0, 3]);
  });

  it('scales old and new ReplicaSets in proportion while paused during a rollout', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '50%' } };
    const rollouts = new Rollouts(deploymentOf(10, 'v1', { strategy }));
    rollouts.finish();
    rollouts.setImage('v2');
    for (let round = 0; round < 3; round += 1) {
      rollouts.step();
      rollouts.settle(0);
    }
    const before = rollouts.sets.map(({ spec }) => spec?.replicas ?? 0);
    expect(before).toEqual([5, 5]);

    const { spec } = rollouts.deployment;
    rollouts.deployment = {
      ...rollouts.deployment,
      ...(spec && { spec: { ...spec, replicas: 20, paused: true } }),
    };
    rollouts.step();

    expect(rollouts.sets.map((set) => set.spec?.replicas)).toEqual([10, 10]);
  });

  it('reports ProgressDeadlineExceeded when nothing progresses until the deadline', () => {
    const rollouts = new Rollouts(deploymentOf(1, 'v1', { progressDeadlineSeconds: 60 }));
    for (let second = 0; second < 58; second += 1) {
      rollouts.step();
      rollouts.settle(0);
    }
    expect(progressing(rollouts)).toMatchObject({ status: 'True' });
    for (let second = 0; second < 6; second += 1) rollouts.step();

    expect(progressing(rollouts)).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' });
  });
});
