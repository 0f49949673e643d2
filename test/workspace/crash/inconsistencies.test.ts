import { claim } from '@karpenter/testkit/cluster-objects';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { inconsistenciesOf, type Scene } from './inconsistencies.ts';

const providerID = 'aws:///zone-a/i-1';
const deletionTimestamp = '2026-01-01T00:00:00Z';
const finalizers = ['karpenter.sh/termination'];
const ours = claim('a', { providerID, conditions: ['Launched', 'Registered', 'Initialized'] });
const node: Node = { metadata: { name: 'node-a' }, spec: { providerID } };
const pod: Pod = { metadata: { name: 'web' }, status: { phase: 'Running' } };
const web = (pods: readonly Pod[]) => [{ app: 'web', wanted: 1, pods }];
const whole: Scene = { claims: [ours], nodes: [node], instances: ['i-1'], workloads: web([pod]) };
const inconsistencies = (parts: Partial<Scene>) => inconsistenciesOf({ ...whole, ...parts });

describe('a settled cluster', () => {
  it('has a NodeClaim and a node for every instance, and all pods', () => {
    expect(inconsistencies({})).toEqual([]);
  });

  it('has no orphaned instance', () => {
    expect(inconsistencies({ instances: ['i-1', 'i-2'] })).toEqual([
      'instance i-2 has no nodeclaim',
      'instance i-2 has no node',
    ]);
    expect(inconsistencies({ claims: [] })).toEqual(['instance i-1 has no nodeclaim']);
  });

  it('has no NodeClaim and no node whose instance is gone', () => {
    expect(inconsistencies({ instances: [] })).toEqual([
      'a nodeclaim names instance i-1, which is gone',
      'a node names instance i-1, which is gone',
    ]);
  });

  it('has no stuck finalizer', () => {
    const stuckClaim = { ...ours, metadata: { ...ours.metadata, deletionTimestamp, finalizers } };
    expect(inconsistencies({ claims: [stuckClaim] })).toEqual(['nodeclaim a is not gone yet']);
    const stuckNode = { ...node, metadata: { name: 'node-a', deletionTimestamp, finalizers } };
    expect(inconsistencies({ nodes: [stuckNode] })).toEqual(['node node-a is not gone yet']);
  });

  it('has no mark of an abandoned disruption', () => {
    const marked = claim('a', { providerID, conditions: ['DisruptionReason'] });
    expect(inconsistencies({ claims: [marked] })).toEqual(['nodeclaim a is still marked as disrupted']);
    const taints = [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }];
    expect(inconsistencies({ nodes: [{ ...node, spec: { providerID, taints } }] })).toEqual([
      'node node-a still has the taint karpenter.sh/disrupted',
    ]);
  });

  it('has no missing, no pending and no surplus pod', () => {
    expect(inconsistencies({ workloads: web([]) })).toEqual(['0 of 0 pods of web run, and 1 are wanted']);
    const waiting: Pod = { metadata: { name: 'web' }, status: { phase: 'Pending' } };
    expect(inconsistencies({ workloads: web([waiting]) })).toEqual([
      '0 of 1 pods of web run, and 1 are wanted',
    ]);
    expect(inconsistencies({ workloads: web([pod, pod]) })).toEqual([
      '2 of 2 pods of web run, and 1 are wanted',
    ]);
  });
});
