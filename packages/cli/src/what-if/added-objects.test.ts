import { nodePools, stateSources } from '@karpenter/controllers/cluster';
import type { NodePool } from '@karpenter/core/api';
import { pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { withAdded } from './added-objects.ts';
import { ObjectLists } from './object-lists.ts';

const at = Date.UTC(2026, 0, 1);

const notReady = {
  type: 'Ready',
  status: 'False',
  reason: 'x',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

const livePool: NodePool = {
  ...pool('default'),
  metadata: { name: 'default', uid: 'pool-uid' },
  status: { conditions: [notReady], nodes: 3, resources: { cpu: '8' } },
} as NodePool;

const live = new ObjectLists([])
  .with(nodePools, [livePool])
  .with(stateSources.Namespace, [{ metadata: { name: 'default', labels: { tier: 'live' } } }])
  .with(stateSources.StorageClass, [
    {
      metadata: { name: 'gp3', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
    },
  ])
  .with(stateSources.PersistentVolumeClaim, [
    { metadata: { name: 'data-db-0', namespace: 'default' }, spec: { volumeName: 'pv-1' } },
  ])
  .with(stateSources.Pod, [statefulPod('db-0'), statefulPod('db-5')]);

function statefulPod(name: string) {
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u', controller: true },
  ];
  return {
    metadata: { name, namespace: 'default', uid: `live-${name}`, ownerReferences },
    spec: { nodeName: 'a', containers: [] },
  };
}

function added(...objects: readonly object[]) {
  const items = objects.map((object) => ({ apiVersion: 'v1', ...object }));
  return withAdded(live, [{ name: 'file.json', text: JSON.stringify({ kind: 'List', items }) }], { at });
}

const template = { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } };

describe('objects added to a cluster', () => {
  it('replace the spec of what exists and keep its status', () => {
    const { spec } = pool('default', { weight: 7 });
    const { lists } = added({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec,
    });
    const [found] = lists.of(nodePools);
    expect(found).toMatchObject({
      spec: { weight: 7 },
      metadata: { uid: 'pool-uid' },
      status: livePool.status,
    });
  });

  it('are ready where a NodePool is new', () => {
    const { spec } = pool('new');
    const { lists } = added({
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'new' },
      spec,
    });
    expect(lists.of(nodePools)).toHaveLength(2);
    expect(lists.of(nodePools)[1]?.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
  });

  it('leave the labels of a namespace that they only use', () => {
    const { lists } = added({ kind: 'Pod', metadata: { name: 'one' }, spec: template.spec });
    expect(lists.of(stateSources.Namespace)).toEqual([
      { metadata: { name: 'default', labels: { tier: 'live' } } },
    ]);
  });

  it('are pods created now, which no launching NodeClaim can be for', () => {
    const { lists } = added({ kind: 'Pod', metadata: { name: 'one' }, spec: template.spec });
    const one = lists.of(stateSources.Pod).find(({ metadata }) => metadata.name === 'one');
    expect(one?.metadata.creationTimestamp).toBe('2026-01-01T00:00:00Z');
  });

  it('scale a StatefulSet by the names of its pods, and keep claims that exist', () => {
    const { lists, notes } = added({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db' },
      spec: { replicas: 2, template, volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] },
    });
    const uids = lists.of(stateSources.Pod).map(({ metadata }) => metadata.uid);
    expect(uids).toEqual(['live-db-0', 'default/StatefulSet/db-1']);
    expect(notes).toEqual([
      'StatefulSet default/db exists with 2 pods, which keep their spec and node; 1 of them is deleted and 1 is added',
    ]);
    const claims = lists.of(stateSources.PersistentVolumeClaim);
    expect(claims.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
      ['data-db-0', { volumeName: 'pv-1' }],
      ['data-db-1', { storageClassName: 'gp3' }],
    ]);
  });

  it('are reported where they are on a node that does not exist', () => {
    const { notes } = added({
      kind: 'Pod',
      metadata: { name: 'stray' },
      spec: { ...template.spec, nodeName: 'nowhere' },
    });
    expect(notes).toEqual(['one pod is on nodes that do not exist, and left out']);
  });
});
