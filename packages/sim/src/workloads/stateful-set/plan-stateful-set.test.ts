import type { StatefulSet, StatefulSetSpec } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { planStatefulSet } from './plan-stateful-set.ts';
import { claimsOfPod, revisionLabel, statefulPod } from './stateful-pod.ts';

const now = Date.UTC(2026, 0, 1);

function setOf(replicas: number, spec: Partial<StatefulSetSpec> = {}, image = 'v1'): StatefulSet {
  return {
    metadata: { name: 'db', namespace: 'default', uid: 'set' },
    spec: {
      replicas,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'main', image }] } },
      ...spec,
    },
  };
}

function ready(pod: Pod, isReady = true): Pod {
  return {
    ...pod,
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  };
}

const revisionOf = (set: StatefulSet) => planStatefulSet(set, [], now).status.updateRevision ?? '';
const podsOf = (set: StatefulSet, count: number) =>
  Array.from({ length: count }, (_, ordinal) => ready(statefulPod(set, ordinal, revisionOf(set))));
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata?.name);
const ordinals = ({ create }: ReturnType<typeof planStatefulSet>) => create.map(({ ordinal }) => ordinal);

describe('a StatefulSet', () => {
  it('starts one pod after the other, each once those before it are ready', () => {
    const set = setOf(3);
    const [first] = podsOf(set, 1);
    if (first === undefined) throw new Error('no pod');

    expect(ordinals(planStatefulSet(set, [], now))).toEqual([0]);
    expect(ordinals(planStatefulSet(set, [ready(first, false)], now))).toEqual([]);
    expect(ordinals(planStatefulSet(set, [first], now))).toEqual([1]);
  });

  it('starts all pods at once with Parallel', () => {
    expect(ordinals(planStatefulSet(setOf(3, { podManagementPolicy: 'Parallel' }), [], now))).toEqual([
      0, 1, 2,
    ]);
  });

  it('deletes the highest ordinal first, one at a time', () => {
    const pods = podsOf(setOf(4), 4);

    expect(names(planStatefulSet(setOf(2), pods, now).remove)).toEqual(['db-3']);
    const leaving = pods.map((pod) =>
      pod.metadata?.name === 'db-3'
        ? { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
        : pod,
    );
    expect(planStatefulSet(setOf(2), leaving, now).remove).toEqual([]);
  });

  it('replaces old pods from the highest down to the partition', () => {
    const pods = podsOf(setOf(3), 3);
    const old = setOf(3);
    const status = { replicas: 3, currentRevision: revisionOf(old) };
    const updated = { ...setOf(3, { updateStrategy: { rollingUpdate: { partition: 2 } } }, 'v2'), status };

    expect(names(planStatefulSet(updated, pods, now).remove)).toEqual(['db-2']);
    const last = ready(statefulPod(updated, 2, revisionOf(updated)));
    expect(names(planStatefulSet(updated, [...pods.slice(0, 2), last], now).remove)).toEqual([]);
    const whole = { ...setOf(3, {}, 'v2'), status };
    expect(names(planStatefulSet(whole, [...pods.slice(0, 2), last], now).remove)).toEqual(['db-1']);
  });

  it('sets the new revision as current once every pod has it', () => {
    const set = { ...setOf(2, {}, 'v2'), status: { replicas: 2, currentRevision: 'db-old' } };
    const pods = podsOf(set, 2);

    expect(planStatefulSet(set, pods.slice(0, 1), now).status.currentRevision).toBe('db-old');
    expect(planStatefulSet(set, pods, now).status).toMatchObject({
      currentRevision: revisionOf(set),
      updatedReplicas: 2,
    });
  });

  it('gives each pod its name, ordinal and claims', () => {
    const template = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } };
    const set = setOf(1, { volumeClaimTemplates: [template] });

    expect(statefulPod(set, 0, 'rev')).toMatchObject({
      metadata: { name: 'db-0', labels: { 'apps.kubernetes.io/pod-index': '0', [revisionLabel]: 'rev' } },
      spec: {
        hostname: 'db-0',
        subdomain: 'db',
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }],
      },
    });
    expect(claimsOfPod(set, 'db-0')).toMatchObject([
      { metadata: { name: 'data-db-0', labels: { app: 'db' } } },
    ]);
  });
});
