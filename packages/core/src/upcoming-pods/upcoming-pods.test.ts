import { claim, pendingPod } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { upcomingCounts, upcomingOwner, upcomingUid } from '../scheduling/index.ts';
import { type ClusterPod, ClusterState } from '../state/index.ts';
import { arrivedPods } from './arrived-pods.ts';
import type { WorkloadView } from './missing-pods.ts';
import { upcomingPods, type WorkloadSource } from './upcoming-pods.ts';

const created = '2026-01-01T00:00:55Z';
const now = Date.parse('2026-01-01T00:01:00Z');
const web = { kind: 'ReplicaSet', namespace: 'default', name: 'web', uid: 'uid-web' };

function podOf(name: string, parts: Parameters<typeof pendingPod>[1] = {}): ClusterPod {
  const pod = pendingPod(name, { created, ...parts });
  const ownerReferences = [{ ...web, apiVersion: 'apps/v1', controller: true }];
  return { ...pod, metadata: { ...pod.metadata, ownerReferences } };
}

function stateOf(...pods: readonly ClusterPod[]): ClusterState {
  const state = new ClusterState({ kinds: [] });
  for (const object of pods) state.apply({ type: 'applied', kind: 'Pod', object });
  return state;
}

function sourceOf(replicas: number, ...pods: readonly ClusterPod[]): WorkloadSource {
  const workload: WorkloadView = { kind: 'ReplicaSet', metadata: {}, spec: { replicas } };
  return {
    workload: ({ uid }) => (uid === web.uid ? workload : undefined),
    podsOf: () => pods,
    newReplicaSets: () => [],
  };
}

const template = { metadata: { labels: { app: 'web' } }, spec: podOf('template').spec };

/** A ReplicaSet that was created five seconds ago. */
function newSource(spec: WorkloadView['spec'], ...pods: readonly ClusterPod[]): WorkloadSource {
  const workload: WorkloadView = { kind: 'ReplicaSet', metadata: { creationTimestamp: created }, spec };
  return { workload: () => workload, podsOf: () => pods, newReplicaSets: () => [web] };
}

const names = (pods: readonly { readonly metadata: { readonly name: string } }[]) =>
  pods.map(({ metadata }) => metadata.name);

describe('upcoming pods', () => {
  it('are copies of the newest waiting pod of their owner', () => {
    const pods = [podOf('a'), podOf('b', { created: '2026-01-01T00:00:57Z', cpu: '2' })];
    const expected = upcomingPods(stateOf(...pods).snapshot(now), sourceOf(4, ...pods));
    expect(names(expected)).toEqual(['web-upcoming-1', 'web-upcoming-2']);
    expect(expected.every(({ spec }) => spec === pods[1]?.spec)).toBe(true);
    expect(upcomingCounts(expected.map(({ metadata }) => metadata.uid))).toEqual([
      { owner: 'ReplicaSet default/web', pods: 2 },
    ]);
  });

  it('are none of a workload that is gone, or of pods without one', () => {
    const cluster = stateOf(podOf('a'), pendingPod('alone', { created })).snapshot(now);
    expect(upcomingPods(cluster, { ...sourceOf(4, podOf('a')), workload: () => undefined })).toEqual([]);
  });

  it('are none of pods whose volumes are made for each of them', () => {
    const pod = podOf('a', { volumes: [{ name: 'scratch', ephemeral: {} }] });
    expect(upcomingPods(stateOf(pod).snapshot(now), sourceOf(4, pod))).toEqual([]);
  });

  it('are all pods of a new ReplicaSet without any, by its template, while another pod waits', () => {
    const cluster = stateOf(pendingPod('alone', { created })).snapshot(now);
    const [first, ...others] = upcomingPods(cluster, newSource({ replicas: 3, template }));
    expect(first?.metadata).toMatchObject({ name: 'web-upcoming-1', labels: { app: 'web' } });
    expect(first?.spec).toBe(template.spec);
    expect(others).toHaveLength(2);
  });

  it('are copies of a pod of a new ReplicaSet that kube-scheduler has not tried', () => {
    const untried = { ...podOf('a', { cpu: '2' }), status: { phase: 'Pending' } };
    const cluster = stateOf(pendingPod('alone', { created }), untried).snapshot(now);
    const expected = upcomingPods(cluster, newSource({ replicas: 3, template }, untried));
    expect(expected.map(({ spec }) => spec)).toEqual([untried.spec, untried.spec, untried.spec]);
  });

  it('are none of new ReplicaSets while no pod waits, or without a template to copy', () => {
    const alone = stateOf(pendingPod('alone', { created })).snapshot(now);
    expect(upcomingPods(stateOf().snapshot(now), newSource({ replicas: 3, template }))).toEqual([]);
    expect(upcomingPods(alone, newSource({ replicas: 3 }))).toEqual([]);
  });

  it.each([
    ['resource claims', { resourceClaims: [{ name: 'gpu' }] }],
    ['scheduling gates', { schedulingGates: [{ name: 'quota' }] }],
    ['a node', { nodeName: 'n' }],
  ])('are none of a template with %s', (_, fields) => {
    const alone = stateOf(pendingPod('alone', { created })).snapshot(now);
    const other = { ...template, spec: { ...template.spec, ...fields } };
    expect(upcomingPods(alone, newSource({ replicas: 3, template: other }))).toEqual([]);
  });

  it('are at most a thousand of one owner', () => {
    const pod = podOf('a');
    expect(upcomingPods(stateOf(pod).snapshot(now), sourceOf(1_000_000, pod))).toHaveLength(1_000);
  });

  it('leave out as many as NodeClaims are launching for, whatever their numbers', () => {
    const state = stateOf(podOf('a'), podOf('b'));
    const slots = [7, 9].map((number) => upcomingUid(web, number));
    state.apply({ type: 'launchRecorded', nodeClaim: claim('c'), pods: ['default/a', ...slots] });
    const expected = upcomingPods(state.snapshot(now), sourceOf(6, podOf('a'), podOf('b')));
    expect(names(expected)).toEqual(['web-upcoming-1', 'web-upcoming-2']);
  });

  it('name their owner in the uid, which no other pod does', () => {
    const owner = { ...web, uid: 'a/b' };
    expect(upcomingOwner(upcomingUid(owner, 12))).toEqual(owner);
    expect(upcomingOwner('1f0c-web')).toBeUndefined();
  });
});

describe('pods that arrive', () => {
  const slots = [1, 2].map((number) => upcomingUid(web, number));

  it('take the places of upcoming pods of their owner on a launching NodeClaim', () => {
    const state = stateOf(podOf('a'), podOf('b'), podOf('c'), podOf('d'), pendingPod('other', { created }));
    state.apply({ type: 'launchRecorded', nodeClaim: claim('n'), pods: ['default/a', ...slots] });
    const [arrived] = arrivedPods(state.snapshot(now));
    expect(arrived).toEqual({
      nodeClaim: 'n',
      nodePool: 'default',
      pods: ['default/b', 'default/c'],
      insteadOf: slots,
    });
  });

  it('are held by that NodeClaim, whose places they use up', () => {
    const state = stateOf(podOf('a'), podOf('b'), podOf('c'));
    state.apply({ type: 'launchRecorded', nodeClaim: claim('n'), pods: ['default/a', ...slots] });
    for (const { nodeClaim, pods, insteadOf } of arrivedPods(state.snapshot(now))) {
      state.apply({ type: 'podsExpected', nodeClaim, pods, insteadOf });
    }
    const { pendingPods, heldPods, launching } = state.snapshot(now);
    expect(names(pendingPods)).toEqual([]);
    expect(heldPods.map(({ cause }) => cause)).toEqual(['launching', 'launching', 'launching']);
    expect([...(launching[0]?.pods ?? [])]).toEqual(['default/a', 'default/b', 'default/c']);
  });

  it('are planned for once the NodeClaim is launched, when a plan can use its room', () => {
    const state = stateOf(podOf('a'), podOf('b'));
    const launched = claim('n', { providerID: 'cloud://n' });
    state.apply({ type: 'launchRecorded', nodeClaim: launched, pods: ['default/a', ...slots] });
    expect(arrivedPods(state.snapshot(now))).toEqual([]);
    expect(names(state.snapshot(now).pendingPods)).toEqual(['b']);
  });
});
