import { boundPod, claim, node, pendingPod } from '@karpenter/testkit/cluster-objects';
import { instanceType, planOptions, pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import type { NodeClaim } from '../../api/index.ts';
import { plan } from '../../scheduling/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import { ClusterState } from '../cluster-state.ts';
import { launchingPods } from './launching-claim.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const early = '2026-01-01T00:00:00Z';
const late = '2026-01-01T00:00:10Z';
const inZoneA = { key: zone, operator: 'In', values: ['a'] } as const;
const app = (name: string) => ({ matchLabels: { app: name } });

function stateWith(...pods: readonly ClusterPod[]): ClusterState {
  const state = new ClusterState();
  state.apply({ type: 'applied', kind: 'NodePool', object: pool('default') });
  state.apply({
    type: 'instanceTypesKnown',
    nodePool: 'default',
    types: [instanceType('small', { price: 1 })],
  });
  for (const object of pods) state.apply({ type: 'applied', kind: 'Pod', object });
  return state;
}

const see = (state: ClusterState, object: NodeClaim) =>
  state.apply({ type: 'applied', kind: 'NodeClaim', object });
const record = (state: ClusterState, nodeClaim: NodeClaim, ...names: readonly string[]) =>
  state.apply({ type: 'launchRecorded', nodeClaim, pods: names.map((name) => `default/${name}`) });
const toPlan = (state: ClusterState) => state.snapshot(0).pods.map(({ metadata }) => metadata.name);
const held = (state: ClusterState) =>
  state.snapshot(0).heldPods.map(({ pod, cause, nodeClaim }) => `${pod.metadata.name} ${cause} ${nodeClaim}`);

describe('a launch in flight', () => {
  it('keeps its own pods out of plans and no others', () => {
    const state = stateWith(pendingPod('mine'), pendingPod('other'));
    record(state, claim('c'), 'mine');
    expect(toPlan(state)).toEqual(['other']);
    expect(held(state)).toEqual(['mine launching c']);
  });

  it('never leads to two nodes for one pod, from the creation of the claim until the pod runs', () => {
    const state = stateWith(pendingPod('p'));
    const newNodes = () => plan(state.snapshot(0), planOptions).newNodes.length;
    expect(newNodes()).toBe(1);
    record(state, claim('c'), 'p');
    expect(newNodes()).toBe(0);
    see(state, claim('c', { version: 1 }));
    expect(newNodes()).toBe(0);
    see(state, claim('c', { version: 2, providerID: 'cloud://c' }));
    expect(newNodes()).toBe(0);
    expect(held(state)).toEqual(['p expected c']);
  });

  it('releases its pods when the claim is deleted or deleting', () => {
    const state = stateWith(pendingPod('p'));
    record(state, claim('c', { version: 1 }), 'p');
    see(state, claim('c', { version: 2, deleted: late }));
    expect(toPlan(state)).toEqual(['p']);
    record(state, claim('d', { version: 3 }), 'p');
    state.apply({ type: 'deleted', kind: 'NodeClaim', object: claim('d', { version: 4 }) });
    expect(toPlan(state)).toEqual(['p']);
  });

  it('releases its pods when creating the claim failed', () => {
    const state = stateWith(pendingPod('p'));
    record(state, claim('c'), 'p');
    state.apply({ type: 'launchForgotten', nodeClaim: 'c' });
    expect(toPlan(state)).toEqual(['p']);
    expect(state.snapshot(0).launching).toEqual([]);
  });

  it('is not restored by a record that arrives after the claim was deleted', () => {
    const state = stateWith(pendingPod('p'));
    see(state, claim('c', { version: 1 }));
    state.apply({ type: 'deleted', kind: 'NodeClaim', object: claim('c', { version: 3 }) });
    record(state, claim('c', { version: 1 }), 'p');
    expect(state.snapshot(0).launching).toEqual([]);
    expect(toPlan(state)).toEqual(['p']);
  });

  it('leaves nothing behind for a later claim of the same name', () => {
    const state = stateWith(pendingPod('p', { created: late }));
    state.apply({ type: 'deleted', kind: 'NodeClaim', object: claim('c', { version: 3 }) });
    record(state, claim('c', { version: 1 }), 'p');
    see(state, claim('c', { version: 5, uid: 'another', created: early }));
    expect(toPlan(state)).toEqual(['p']);
  });

  it('is not undone by a list taken before it', () => {
    const state = stateWith(pendingPod('p'));
    record(state, claim('c', { version: 7 }), 'p');
    state.apply({ type: 'listed', kind: 'NodeClaim', objects: [], resourceVersion: '6' });
    expect(toPlan(state)).toEqual([]);
    state.apply({ type: 'listed', kind: 'NodeClaim', objects: [], resourceVersion: '8' });
    expect(toPlan(state)).toEqual(['p']);
  });

  it('lists virtual pods too, which only their creator knows', () => {
    const state = stateWith();
    state.apply({ type: 'launchRecorded', nodeClaim: claim('c'), pods: ['virtual-1'] });
    expect(launchingPods(state.snapshot(0).launching).get('virtual-1')).toBe('c');
  });

  it('holds moving pods too', () => {
    const state = stateWith(boundPod('p', 'a'), boundPod('q', 'a'));
    state.apply({ type: 'applied', kind: 'Node', object: node('a') });
    state.apply({ type: 'markedForDeletion', nodes: ['cloud://a'] });
    record(state, claim('c'), 'p');
    expect(toPlan(state)).toEqual(['q']);
    const places = state
      .snapshot(0)
      .boundPods.map(({ metadata, nodeName }) => `${metadata.name} on ${nodeName}`);
    expect(places).toEqual(['p on c']);
  });
});

describe('a launch whose pods are unknown', () => {
  it('holds the pods it may be for, which are those not younger than the claim', () => {
    const state = stateWith(
      pendingPod('old', { created: early }),
      pendingPod('tie', { created: late }),
      pendingPod('young', { created: '2026-01-01T00:00:11Z' }),
    );
    see(state, claim('c', { created: late }));
    expect(toPlan(state)).toEqual(['young']);
    expect(held(state)).toEqual(['old possibly-launching c', 'tie possibly-launching c']);
  });

  it('holds no pods when it requests no resources', () => {
    const state = stateWith(pendingPod('old', { created: early }));
    see(state, claim('static', { created: late, requests: {} }));
    expect(toPlan(state)).toEqual(['old']);
  });

  it('holds no pods once it is launched', () => {
    const state = stateWith(pendingPod('old', { created: early }));
    see(state, claim('c', { created: late, version: 1 }));
    see(state, claim('c', { created: late, version: 2, providerID: 'cloud://c' }));
    expect(toPlan(state)).toEqual(['old']);
  });
});

describe('pods with topology rules that concern a launch in flight', () => {
  const spread = (topologyKey: string, whenUnsatisfiable = 'DoNotSchedule') => ({
    labels: { app: 'web' },
    topologySpreadConstraints: [{ topologyKey, maxSkew: 1, whenUnsatisfiable, labelSelector: app('web') }],
  });
  const repelling = (topologyKey: string) => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: app('web') }],
      },
    },
  });
  const attracted = (topologyKey: string) => ({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: app('web') }],
      },
    },
  });
  const web = { labels: { app: 'web' } };
  const heldBeside = (
    first: Parameters<typeof pendingPod>[1],
    second: Parameters<typeof pendingPod>[1],
    launched: NodeClaim = claim('c'),
  ) => {
    const state = stateWith(pendingPod('first', first), pendingPod('second', second));
    record(state, launched, 'first');
    return held(state).slice(1);
  };
  const waits = ['second topology c'];

  it('wait while the zone of the pods they spread over is undecided', () => {
    expect(heldBeside(web, spread(zone))).toEqual(waits);
    expect(heldBeside(web, spread(zone), claim('c', { requirements: [inZoneA] }))).toEqual([]);
    expect(heldBeside(web, spread(hostname))).toEqual([]);
  });

  it('wait for pods that they have anti-affinity to, and for pods with anti-affinity to them', () => {
    expect(heldBeside(web, repelling(zone))).toEqual(waits);
    expect(heldBeside(repelling(zone), web)).toEqual(waits);
    expect(heldBeside(repelling(hostname), web)).toEqual([]);
  });

  it('wait for pods that they have affinity to, even if the domain is decided', () => {
    expect(heldBeside(web, attracted(zone))).toEqual(waits);
    expect(heldBeside(web, attracted(hostname))).toEqual(waits);
  });

  it('do not wait for preferences, unselected pods or other namespaces', () => {
    expect(heldBeside(web, spread(zone, 'ScheduleAnyway'))).toEqual([]);
    expect(heldBeside({ labels: { app: 'api' } }, spread(zone))).toEqual([]);
    const state = stateWith(
      pendingPod('first', web),
      pendingPod('second', { ...spread(zone), namespace: 'x' }),
    );
    record(state, claim('c'), 'first');
    expect(toPlan(state)).toEqual(['second']);
  });

  it('wait across namespaces that the selector matches', () => {
    const namespaceSelector = { matchLabels: { team: 'a' } };
    const term = { topologyKey: zone, labelSelector: app('web'), namespaceSelector };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const second = pendingPod('second', { namespace: 'x', affinity: { podAntiAffinity } });
    const state = stateWith(pendingPod('first', web), second);
    record(state, claim('c'), 'first');
    expect(toPlan(state)).toEqual(['second']);
    state.apply({
      type: 'applied',
      kind: 'Namespace',
      object: { metadata: { name: 'default', labels: { team: 'a' } } },
    });
    expect(held(state)).toContain('second topology c');
  });
});

describe('a launching claim', () => {
  const big = instanceType('big', { price: 2, cpu: '16', memory: '8Gi' });
  const small = instanceType('small', { price: 1, cpu: '4', memory: '16Gi' });
  const types = {
    key: 'node.kubernetes.io/instance-type',
    operator: 'In',
    values: ['small', 'big'],
  } as const;

  function launching(parts: Parameters<typeof claim>[1]) {
    const state = stateWith(pendingPod('p'));
    const other = instanceType('other', { price: 9, cpu: '99' });
    state.apply({ type: 'instanceTypesKnown', nodePool: 'default', types: [big, small, other] });
    record(state, claim('c', parts), 'p');
    return state;
  }

  it('counts as the largest possible instance type against the limits of its pool', () => {
    expect(launching({ requirements: [types] }).snapshot(0).launching[0]?.view.capacity).toMatchObject({
      cpu: '16',
      memory: '16Gi',
    });
    const state = launching({ requirements: [types] });
    state.apply({ type: 'applied', kind: 'NodePool', object: pool('default', { limits: { cpu: '17' } }) });
    state.apply({ type: 'applied', kind: 'Pod', object: pendingPod('q') });
    expect(plan(state.snapshot(0), planOptions).rejections[0]?.message).toContain('exceed limits');
  });

  it('takes no other pods, however small', () => {
    const state = launching({ requirements: [types] });
    state.apply({ type: 'applied', kind: 'Pod', object: pendingPod('q', { cpu: '0', memory: '0' }) });
    expect(plan(state.snapshot(0), planOptions)).toMatchObject({ placements: [], newNodes: [{}] });
  });

  it('counts as a domain for its pods where the domain is decided', () => {
    const state = launching({ requirements: [types, inZoneA] });
    expect(state.snapshot(0).nodes[0]?.labels).toMatchObject({ [zone]: 'a' });
    expect(state.snapshot(0).boundPods.map(({ nodeName }) => nodeName)).toEqual(['c']);
  });

  it('adds nothing to the totals of its pool, where it is an active claim', () => {
    expect(launching({}).snapshot(0).pools.get('default')).toMatchObject({
      resources: {},
      claims: { active: ['c'], deleting: [], pendingDisruption: [] },
    });
  });
});
