import { nodeClaims, stateSources } from '@karpenter/controllers/cluster';
import { describe, expect, it } from 'vitest';
import { ObjectLists } from './object-lists.ts';
import { withoutNodes } from './removed-nodes.ts';

const at = Date.UTC(2026, 0, 1);

function pod(name: string, parts: object = {}, labels: Readonly<Record<string, string>> = {}) {
  const metadata = { name, namespace: 'default', uid: name, labels, ...parts };
  return { metadata, spec: { nodeName: 'a', containers: [] }, status: { phase: 'Running' } };
}

const owned = (kind: string, apiVersion = 'apps/v1') => ({
  ownerReferences: [{ apiVersion, kind, name: 'x', controller: true }],
});

const budget = (name: string, app: string, disruptionsAllowed: number) => ({
  metadata: { name, namespace: 'default' },
  spec: { selector: { matchLabels: { app } } },
  status: { disruptionsAllowed },
});

const lists = new ObjectLists([])
  .with(stateSources.Node, [
    { metadata: { name: 'a' }, spec: { providerID: 'aws:///a' }, status: {} },
    { metadata: { name: 'b' }, spec: { providerID: 'aws:///b' }, status: {} },
  ])
  .with(nodeClaims, [claim('of-a', 'aws:///a'), claim('of-b', 'aws:///b')])
  .with(stateSources.Pod, [
    pod('plain'),
    pod('daemon', owned('DaemonSet')),
    pod('static', owned('Node', 'v1')),
    pod('kept', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
    pod('guarded', {}, { app: 'guarded' }),
    pod('free', {}, { app: 'free' }),
    pod('twice', {}, { app: 'twice' }),
  ])
  .with(stateSources.PodDisruptionBudget, [
    budget('guarded', 'guarded', 0),
    budget('free', 'free', 1),
    budget('first', 'twice', 1),
    budget('second', 'twice', 1),
  ])
  .with(stateSources.CSINode, [{ metadata: { name: 'a' }, spec: { drivers: [] } }]);

function claim(name: string, providerID: string) {
  return {
    apiVersion: 'karpenter.sh/v1' as const,
    kind: 'NodeClaim' as const,
    metadata: { name },
    spec: { requirements: [], nodeClassRef: { group: '', kind: '', name: '' }, expireAfter: 'Never' },
    status: { providerID },
  };
}

describe('a cluster without a node', () => {
  const { lists: rest, blocked } = withoutNodes(lists, ['a', 'a'], at);

  it('has neither its Node, its NodeClaim nor its CSINode', () => {
    expect(rest.of(stateSources.Node).map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(rest.of(nodeClaims).map(({ metadata }) => metadata.name)).toEqual(['of-b']);
    expect(rest.of(stateSources.CSINode)).toEqual([]);
  });

  it('has its pods waiting for a node as if created now, but not its daemons and static pods', () => {
    const pods = rest.of(stateSources.Pod);
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(['plain', 'kept', 'guarded', 'free', 'twice']);
    for (const each of pods) {
      expect(each.spec.nodeName).toBeUndefined();
      expect(each.metadata.creationTimestamp).toBe('2026-01-01T00:00:00Z');
      expect(each.status?.conditions).toMatchObject([{ type: 'PodScheduled', reason: 'Unschedulable' }]);
    }
  });

  it('names the pods that no eviction would move now, in the words of Karpenter', () => {
    expect(blocked).toEqual([
      {
        node: 'a',
        pod: 'default/kept',
        message: 'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/kept)',
      },
      {
        node: 'a',
        pod: 'default/guarded',
        message: 'Pdb prevents pod evictions (PodDisruptionBudget=[default/guarded])',
      },
      {
        node: 'a',
        pod: 'default/twice',
        message:
          'Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[default/first default/second])',
      },
    ]);
  });

  it('leaves the given lists as they are', () => {
    expect(lists.of(stateSources.Node)).toHaveLength(2);
    expect(lists.of(stateSources.Pod)[0]?.spec.nodeName).toBe('a');
  });
});
