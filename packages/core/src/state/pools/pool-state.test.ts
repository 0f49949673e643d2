import { claim, node } from '@karpenter/testkit/cluster-objects';
import { pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { ClusterState } from '../cluster-state.ts';
import { grantedNodes } from './pool-state.ts';

const totals = (state: ClusterState, name = 'p') => state.snapshot(0).pools.get(name)?.resources;
const claims = (state: ClusterState, name = 'p') => state.snapshot(0).pools.get(name)?.claims;
const id = 'cloud://a';

function stateWithNodes(...names: readonly string[]): ClusterState {
  const state = new ClusterState();
  for (const name of names) {
    state.apply({ type: 'applied', kind: 'Node', object: node(name, { pool: 'p' }) });
    const object = claim(`p-${name}`, { pool: 'p', providerID: `cloud://${name}` });
    state.apply({ type: 'applied', kind: 'NodeClaim', object });
  }
  return state;
}

describe('the totals of a NodePool', () => {
  it('are the capacity and number of its nodes', () => {
    expect(totals(stateWithNodes('a', 'b'))).toEqual({ cpu: '8', memory: '32Gi', nodes: '2', pods: '220' });
  });

  it('include a launched claim before its node joins', () => {
    const state = new ClusterState();
    const object = claim('p-1', { pool: 'p', providerID: id, capacity: { cpu: '2' } });
    state.apply({ type: 'applied', kind: 'NodeClaim', object });
    expect(totals(state)).toEqual({ cpu: '2', nodes: '1' });
  });

  it('exclude marked nodes, and never subtract one twice', () => {
    const state = stateWithNodes('a', 'b');
    state.apply({ type: 'markedForDeletion', nodes: [id] });
    state.apply({ type: 'markedForDeletion', nodes: [id] });
    expect(totals(state)).toMatchObject({ cpu: '4', nodes: '1' });
    const deleting = claim('p-a', { pool: 'p', providerID: id, deleted: '2026-01-01T00:00:00Z' });
    state.apply({ type: 'applied', kind: 'NodeClaim', object: deleting });
    expect(totals(state)).toMatchObject({ cpu: '4', nodes: '1' });
    state.apply({ type: 'unmarkedForDeletion', nodes: [id] });
    expect(totals(state)).toMatchObject({ cpu: '4', nodes: '1' });
  });

  it('include a node again when it is unmarked', () => {
    const state = stateWithNodes('a');
    state.apply({ type: 'markedForDeletion', nodes: [id] });
    expect(totals(state)).toEqual({});
    state.apply({ type: 'unmarkedForDeletion', nodes: [id] });
    expect(totals(state)).toMatchObject({ nodes: '1' });
  });

  it('follow a node to another pool', () => {
    const state = stateWithNodes('a');
    state.apply({ type: 'applied', kind: 'Node', object: node('a', { pool: 'q' }) });
    expect([totals(state), totals(state, 'q')?.['nodes']]).toEqual([{}, '1']);
  });

  it('are empty for a pool without nodes, and dropped with its last object', () => {
    const state = new ClusterState();
    state.apply({ type: 'applied', kind: 'NodePool', object: pool('p') });
    expect(totals(state)).toEqual({});
    state.apply({ type: 'deleted', kind: 'NodePool', object: pool('p') });
    expect(state.snapshot(0).pools.size).toBe(0);
  });
});

describe('the claims of a NodePool', () => {
  it('are grouped by the marks of their nodes, even if a node carries the label of another pool', () => {
    const state = stateWithNodes('a');
    const registered = { pool: 'q', labels: { 'karpenter.sh/registered': 'true' } };
    state.apply({ type: 'applied', kind: 'Node', object: node('a', registered) });
    expect(claims(state)).toMatchObject({ active: ['p-a'] });
    state.apply({ type: 'markedForDeletion', nodes: [id] });
    expect(claims(state)).toMatchObject({ active: [], deleting: ['p-a'] });
    state.apply({ type: 'unmarkedForDeletion', nodes: [id] });
    expect(claims(state)).toMatchObject({ active: ['p-a'], deleting: [] });
  });

  it('are active from creation, deleting while marked, and active again when unmarked', () => {
    const state = stateWithNodes('a');
    state.apply({ type: 'applied', kind: 'NodeClaim', object: claim('p-new', { pool: 'p' }) });
    expect(claims(state)).toEqual({ active: ['p-a', 'p-new'], deleting: [], pendingDisruption: [] });
    state.apply({ type: 'markedForDeletion', nodes: [id] });
    expect(claims(state)).toEqual({ active: ['p-new'], deleting: ['p-a'], pendingDisruption: [] });
    state.apply({ type: 'unmarkedForDeletion', nodes: [id] });
    expect(claims(state)?.active).toEqual(['p-a', 'p-new']);
  });

  it('stay deleting after unmarking while they are being deleted', () => {
    const state = stateWithNodes('a');
    const object = claim('p-a', { pool: 'p', providerID: id, deleted: '2026-01-01T00:00:00Z' });
    state.apply({ type: 'applied', kind: 'NodeClaim', object });
    state.apply({ type: 'unmarkedForDeletion', nodes: [id] });
    expect(claims(state)?.deleting).toEqual(['p-a']);
  });

  it('are pending disruption between being chosen by a command and being marked', () => {
    const state = stateWithNodes('a');
    state.apply({ type: 'pendingDisruption', nodeClaims: ['p-a'] });
    expect(claims(state)).toEqual({ active: [], deleting: [], pendingDisruption: ['p-a'] });
    state.apply({ type: 'markedForDeletion', nodes: [id] });
    state.apply({ type: 'unmarkedForDeletion', nodes: [id] });
    expect(claims(state)?.active).toEqual(['p-a']);
    state.apply({ type: 'pendingDisruption', nodeClaims: ['p-a'] });
    state.apply({ type: 'disruptionDropped', nodeClaims: ['p-a'] });
    expect(claims(state)?.active).toEqual(['p-a']);
  });

  it('belong to no pool without a NodePool label', () => {
    const state = new ClusterState();
    state.apply({ type: 'applied', kind: 'NodeClaim', object: claim('x', { pool: '' }) });
    expect(state.snapshot(0).pools.size).toBe(0);
  });
});

describe('reservations of nodes', () => {
  const granted = (state: ClusterState, limit: number, wanted: number) => {
    const found = state.snapshot(0).pools.get('p');
    return found === undefined ? undefined : grantedNodes(found, limit, wanted);
  };

  it('are granted within the limit, less claims and earlier reservations', () => {
    const state = stateWithNodes('a', 'b', 'c');
    state.apply({ type: 'markedForDeletion', nodes: [id] });
    state.apply({ type: 'pendingDisruption', nodeClaims: ['p-b'] });
    expect(granted(state, 10, 5)).toBe(5);
    expect(granted(state, 5, 5)).toBe(2);
    state.apply({ type: 'nodesReserved', nodePool: 'p', count: 1 });
    expect(granted(state, 5, 5)).toBe(1);
    expect(granted(state, 2, 5)).toBe(0);
  });

  it('never become negative', () => {
    const state = stateWithNodes('a');
    state.apply({ type: 'nodesReserved', nodePool: 'p', count: 1 });
    state.apply({ type: 'nodesReleased', nodePool: 'p', count: 3 });
    state.apply({ type: 'nodesReserved', nodePool: 'p', count: 2 });
    expect(state.snapshot(0).pools.get('p')?.reserved).toBe(2);
  });
});
