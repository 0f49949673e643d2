import { boundPod, daemonSet, node, pendingPod } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import type { ClusterPod } from '../cluster-object.ts';
import { ClusterState } from '../cluster-state.ts';

function stateWith(...pods: readonly ClusterPod[]): ClusterState {
  const state = new ClusterState();
  state.apply({ type: 'applied', kind: 'Node', object: node('a') });
  state.apply({ type: 'applied', kind: 'Node', object: node('b') });
  for (const object of pods) state.apply({ type: 'applied', kind: 'Pod', object });
  return state;
}

const put = (state: ClusterState, object: ClusterPod) =>
  state.apply({ type: 'applied', kind: 'Pod', object });
const requestsOn = (state: ClusterState, name: string) =>
  state.snapshot(0).nodes.find((view) => view.name === name)?.podRequests;
const namesOf = (pods: readonly { readonly metadata: { readonly name: string } }[]) =>
  pods.map(({ metadata }) => metadata.name);

describe('bound pods', () => {
  it('use resources of their node, and those of DaemonSets are also counted separately', () => {
    const state = stateWith(boundPod('p', 'a'), boundPod('d', 'a', { owner: 'DaemonSet/d', cpu: '500m' }));
    expect(state.snapshot(0).nodes[0]).toMatchObject({
      podRequests: { cpu: '1500m', memory: '2Gi', pods: '2' },
      daemonRequests: { cpu: '500m', memory: '1Gi', pods: '1' },
    });
  });

  it('count once however often they arrive', () => {
    const state = stateWith(boundPod('p', 'a', { version: 1 }), boundPod('p', 'a', { version: 2 }));
    put(state, boundPod('p', 'a', { version: 2 }));
    expect(requestsOn(state, 'a')).toMatchObject({ pods: '1' });
  });

  it('count with their new requests after an in-place resize', () => {
    const state = stateWith(boundPod('p', 'a', { cpu: '1', version: 1 }));
    put(state, boundPod('p', 'a', { cpu: '3', version: 2 }));
    expect(requestsOn(state, 'a')).toMatchObject({ cpu: '3', pods: '1' });
  });

  it('count what the status holds during a resize, although pods share their requests', () => {
    const resources = Object.freeze({ requests: Object.freeze({ cpu: '1', memory: '1Gi' }) });
    const sharing = (name: string, more: Partial<ClusterPod> = {}): ClusterPod => {
      const pod = boundPod(name, 'a');
      return { ...pod, spec: { ...pod.spec, containers: [{ name: 'main', resources }] }, ...more };
    };
    const held = { name: 'main', resources: { requests: { cpu: '4', memory: '1Gi' } } };
    const state = stateWith(
      sharing('p'),
      sharing('q'),
      sharing('r', { status: { containerStatuses: [held] } }),
    );
    expect(requestsOn(state, 'a')).toMatchObject({ cpu: '6', pods: '3' });
    put(state, sharing('s', { spec: { ...sharing('s').spec, overhead: { cpu: '2' } } }));
    expect(requestsOn(state, 'a')).toMatchObject({ cpu: '9', pods: '4' });
  });

  it('stop counting once when they complete, and nothing changes when they are deleted', () => {
    const state = stateWith(boundPod('p', 'a'), boundPod('q', 'a'));
    const ended = boundPod('p', 'a', { phase: 'Succeeded' });
    put(state, ended);
    expect(requestsOn(state, 'a')).toMatchObject({ cpu: '1', pods: '1' });
    state.apply({ type: 'deleted', kind: 'Pod', object: ended });
    expect(requestsOn(state, 'a')).toMatchObject({ cpu: '1', pods: '1' });
  });

  it('leave the old node when another pod of the same name is bound elsewhere', () => {
    const state = stateWith(boundPod('web-0', 'a', { uid: '1', version: 1 }));
    put(state, boundPod('web-0', 'b', { uid: '2', version: 2 }));
    expect(requestsOn(state, 'a')).toEqual({});
    expect(requestsOn(state, 'b')).toMatchObject({ pods: '1' });
  });

  it('wait for a node that is not known yet', () => {
    const state = stateWith(boundPod('p', 'late'));
    expect(state.snapshot(0).boundPods).toEqual([]);
    state.apply({ type: 'applied', kind: 'Node', object: node('late') });
    expect(requestsOn(state, 'late')).toMatchObject({ pods: '1' });
    expect(namesOf(state.snapshot(0).boundPods)).toEqual(['p']);
  });

  it('stay counted when the Node is updated', () => {
    const state = stateWith(boundPod('p', 'a'));
    state.apply({ type: 'applied', kind: 'Node', object: node('a', { labels: { x: 'y' } }) });
    expect(requestsOn(state, 'a')).toMatchObject({ pods: '1' });
  });

  it('change nothing when a quantity is invalid', () => {
    const state = stateWith(boundPod('p', 'a', { version: 1 }));
    const before = state.snapshot(0);
    expect(() => put(state, boundPod('p', 'b', { cpu: 'much', version: 2 }))).toThrow('much');
    expect(state.snapshot(0)).toEqual(before);
  });
});

describe('pending pods', () => {
  it('are those that the kube-scheduler marked unschedulable, sorted by name', () => {
    const gated: ClusterPod = { ...pendingPod('gated'), status: { phase: 'Pending' } };
    const nominated = pendingPod('nominated');
    const state = stateWith(
      pendingPod('z'),
      pendingPod('a'),
      gated,
      { ...nominated, status: { ...nominated.status, nominatedNodeName: 'a' } },
      pendingPod('daemon', { owner: 'DaemonSet/d' }),
      boundPod('bound', 'a'),
    );
    expect(namesOf(state.snapshot(0).pendingPods)).toEqual(['a', 'z']);
  });

  it('are no longer pending once bound or deleted', () => {
    const state = stateWith(pendingPod('p'), pendingPod('q'));
    put(state, boundPod('p', 'a'));
    state.apply({ type: 'deleted', kind: 'Pod', object: pendingPod('q') });
    expect(state.snapshot(0).pods).toEqual([]);
  });
});

describe('the timestamps of a pending pod', () => {
  const uid = 'default/p';
  const decide = (
    state: ClusterState,
    at: number,
    placement?: { nodeClaim?: string; isPoolHealthy: boolean },
  ) => state.apply({ type: 'podsDecided', at, decisions: [{ uid, ...(placement && { placement }) }] });

  it('keep the first value of each', () => {
    const state = stateWith(pendingPod('p'));
    for (const at of [1, 2]) state.apply({ type: 'podsAcknowledged', pods: [uid], at });
    for (const at of [3, 4]) decide(state, at, { nodeClaim: 'c', isPoolHealthy: true });
    expect(state.podTimes(uid)).toEqual({
      acknowledged: 1,
      decided: 3,
      schedulable: 3,
      healthySchedulable: 3,
      nodeClaim: 'c',
    });
  });

  it('reset the schedulable times when a later pass finds no node', () => {
    const state = stateWith(pendingPod('p'));
    decide(state, 1, { nodeClaim: 'c', isPoolHealthy: true });
    decide(state, 2);
    expect(state.podTimes(uid)).toEqual({ decided: 1 });
    decide(state, 3, { isPoolHealthy: false });
    expect(state.podTimes(uid)).toEqual({ decided: 1, schedulable: 3 });
  });

  it('have no schedulable times for bound pods, and none at all for unknown pods', () => {
    const state = stateWith(boundPod('p', 'a'));
    decide(state, 1, { isPoolHealthy: true });
    expect(state.podTimes(uid)).toEqual({ decided: 1 });
    state.apply({ type: 'podsDecided', at: 1, decisions: [{ uid: 'virtual' }] });
    expect(state.podTimes('virtual')).toBeUndefined();
  });

  it('are not inherited from an earlier pod of the same name', () => {
    const state = stateWith(pendingPod('p', { uid: 'first', version: 1 }));
    state.apply({ type: 'podsAcknowledged', pods: ['first'], at: 1 });
    put(state, pendingPod('p', { uid: 'second', version: 2 }));
    expect([state.podTimes('first'), state.podTimes('second')]).toEqual([undefined, undefined]);
  });

  it('are dropped with the pod', () => {
    const state = stateWith(pendingPod('p'));
    state.apply({ type: 'podsAcknowledged', pods: [uid], at: 1 });
    state.apply({ type: 'deleted', kind: 'Pod', object: pendingPod('p') });
    expect(state.podTimes(uid)).toBeUndefined();
  });
});

describe('the sample pod of a DaemonSet', () => {
  const owner = 'DaemonSet/d';
  const cpuOf = (state: ClusterState) =>
    state.snapshot(0).daemonPods.map(({ spec }) => spec.containers[0]?.resources?.requests?.['cpu']);
  const set = daemonSet('d', { containers: [{ resources: { limits: { cpu: '7' } } }] });

  it('is built from the template, with limits as requests, while there is no pod', () => {
    const state = stateWith();
    state.apply({ type: 'applied', kind: 'DaemonSet', object: set });
    expect(cpuOf(state)).toEqual(['7']);
  });

  it('is the newest pod', () => {
    const old = boundPod('d-1', 'a', { owner, cpu: '1', created: '2026-01-01T00:00:00Z' });
    const young = boundPod('d-2', 'a', { owner, cpu: '2', created: '2026-01-02T00:00:00Z' });
    const state = stateWith(young, old);
    state.apply({ type: 'applied', kind: 'DaemonSet', object: set });
    expect(cpuOf(state)).toEqual(['2']);
    state.apply({ type: 'deleted', kind: 'Pod', object: young });
    expect(cpuOf(state)).toEqual(['1']);
  });

  it('stays the same object while other pods of the DaemonSet come and go', () => {
    const newest = boundPod('d-2', 'a', { owner, created: '2026-01-02T00:00:00Z' });
    const state = stateWith(newest);
    state.apply({
      type: 'applied',
      kind: 'DaemonSet',
      object: daemonSet('d', { affinity: { nodeAffinity: {} } }),
    });
    const [before] = state.snapshot(0).daemonPods;
    put(state, boundPod('d-1', 'b', { owner, created: '2026-01-01T00:00:00Z' }));
    expect(state.snapshot(0).daemonPods[0]).toBe(before);
  });

  it('has the node affinity of the template instead of the pin to its node', () => {
    const required = (key: string) => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }],
        },
      },
    });
    const state = stateWith(boundPod('d-1', 'a', { owner, affinity: required('tied') }));
    state.apply({
      type: 'applied',
      kind: 'DaemonSet',
      object: daemonSet('d', { affinity: required('asked') }),
    });
    expect(state.snapshot(0).daemonPods[0]?.spec.affinity).toEqual(required('asked'));
  });

  it('is dropped with the DaemonSet, and left out if it uses resource claims', () => {
    const state = stateWith(boundPod('d-1', 'a', { owner }));
    state.apply({ type: 'applied', kind: 'DaemonSet', object: set });
    state.apply({
      type: 'applied',
      kind: 'DaemonSet',
      object: daemonSet('gpu', { resourceClaims: [{ name: 'gpu' }] }),
    });
    expect(state.snapshot(0).daemonPods).toHaveLength(1);
    state.apply({ type: 'deleted', kind: 'DaemonSet', object: set });
    expect(state.snapshot(0).daemonPods).toEqual([]);
  });
});
