import { pod, pods } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { DefaultSpreadConstraint } from '../api/index.ts';
import type { PodView } from '../scheduling/index.ts';
import type { LabelSelector, Labels, OwnerReference } from '../values/index.ts';
import { withDefaultSpread } from './default-spread.ts';
import type { SpreadSources } from './spread-sources.ts';

const zone: DefaultSpreadConstraint = {
  maxSkew: 2,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'ScheduleAnyway',
  nodeTaintsPolicy: 'Honor',
};
const named = <S>(name: string, selector: S, namespace = 'default') => ({
  metadata: { name, namespace },
  spec: { ...(selector !== undefined && { selector }) },
});
const sources = (parts: Partial<SpreadSources>): SpreadSources => ({
  services: [],
  replicationControllers: [],
  replicaSets: [],
  statefulSets: [],
  ...parts,
});
const owned = (owner: OwnerReference, labels: Labels = { app: 'web' }): PodView => {
  const plain = pod('p', { labels });
  return { ...plain, metadata: { ...plain.metadata, ownerReferences: [{ controller: true, ...owner }] } };
};

function selectorFor(candidate: PodView, parts: Partial<SpreadSources>): LabelSelector | undefined {
  const [spread] = withDefaultSpread([candidate], [zone], sources(parts));
  return spread?.spec.topologySpreadConstraints?.[0]?.labelSelector;
}

describe('default spread constraints', () => {
  const web = pod('web', { labels: { app: 'web', tier: 'front' } });

  it("keep all their fields and get the selector of the pod's Service", () => {
    const services = [named('web', { app: 'web' })];
    const [spread] = withDefaultSpread([web], [zone], sources({ services }));
    expect(spread?.spec.topologySpreadConstraints).toEqual([
      { ...zone, labelSelector: { matchLabels: { app: 'web' }, matchExpressions: [] } },
    ]);
    expect(web.spec.topologySpreadConstraints).toBeUndefined();
  });

  it('leave pods with their own constraints unchanged', () => {
    const own = pod('own', {
      labels: { app: 'web' },
      topologySpreadConstraints: [{ topologyKey: 'x', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
    });
    const [spread] = withDefaultSpread([own], [zone], sources({ services: [named('web', { app: 'web' })] }));
    expect(spread).toBe(own);
  });

  it('leave pods that nothing selects unchanged', () => {
    const services = [
      named('none', undefined),
      named('all', {}),
      named('other', { app: 'db' }),
      named('web', { app: 'web' }, 'elsewhere'),
    ];
    const [spread] = withDefaultSpread([web], [zone], sources({ services }));
    expect(spread).toBe(web);
  });

  it('merge the selectors of several Services', () => {
    const services = [named('b', { tier: 'front' }), named('a', { app: 'web' })];
    expect(selectorFor(web, { services })?.matchLabels).toEqual({ app: 'web', tier: 'front' });
  });

  it('let labels of a ReplicationController override those of Services', () => {
    const candidate = owned({ apiVersion: 'v1', kind: 'ReplicationController', name: 'rc' });
    const services = [named('web', { app: 'web' })];
    const replicationControllers = [named('rc', { app: 'old', rc: 'yes' })];
    expect(selectorFor(candidate, { services, replicationControllers })).toEqual({
      matchLabels: { app: 'old', rc: 'yes' },
      matchExpressions: [],
    });
  });

  it.each([
    ['ReplicaSet', 'replicaSets'],
    ['StatefulSet', 'statefulSets'],
  ])(
    'add the terms of the %s that controls the pod, even if they contradict those of Services',
    (kind, list) => {
      const selector = {
        matchLabels: { app: 'other' },
        matchExpressions: [{ key: 'tier', operator: 'Exists' }],
      };
      const candidate = owned({ apiVersion: 'apps/v1', kind, name: 'set' });
      const services = [named('web', { app: 'web' })];
      expect(selectorFor(candidate, { services, [list]: [named('set', selector)] })).toEqual({
        matchLabels: { app: 'web' },
        matchExpressions: [
          { key: 'app', operator: 'In', values: ['other'] },
          { key: 'tier', operator: 'Exists' },
        ],
      });
    },
  );

  it.each([
    ['is gone', owned({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone' })],
    ['is of another API', owned({ apiVersion: 'example.com/v1', kind: 'ReplicaSet', name: 'set' })],
    ['is of another kind', owned({ apiVersion: 'batch/v1', kind: 'Job', name: 'set' })],
    ['does not control it', owned({ kind: 'ReplicaSet', name: 'set', controller: false })],
  ])('take nothing from an owner that %s', (_, candidate) => {
    const replicaSets = [named('set', { matchLabels: { app: 'web' } })];
    expect(selectorFor(candidate, { replicaSets })).toBeUndefined();
  });

  it('keep a shared spec shared', () => {
    const services = [named('web', { app: 'web' })];
    const [first, second] = withDefaultSpread(
      pods(2, 'web', { labels: { app: 'web' } }),
      [zone],
      sources({ services }),
    );
    expect(first?.spec).toBe(second?.spec);
  });

  it('change nothing where none are configured', () => {
    const list = [web];
    expect(withDefaultSpread(list, [], sources({ services: [named('web', { app: 'web' })] }))).toBe(list);
  });
});
