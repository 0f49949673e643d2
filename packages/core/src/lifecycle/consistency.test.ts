import { claim, node } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import { inconsistencies } from './consistency.ts';

const promised = {
  providerID: 'cloud://a',
  conditions: ['Initialized'],
  requests: { cpu: '1', memory: '1Gi' },
  capacity: { cpu: '10', memory: '30Gi', pods: '100' },
};
const has = (capacity: Readonly<Record<string, string>>) => node('a', { capacity });

describe('a node is inconsistent with its claim', () => {
  it('below 90% of a requested resource, with one decimal in the message', () => {
    expect(inconsistencies(claim('a', promised), has({ cpu: '9', memory: '27Gi' }))).toEqual([]);
    expect(inconsistencies(claim('a', promised), has({ cpu: '8', memory: '20Gi' }))).toEqual([
      'expected 10 of resource cpu, but found 8 (80.0% of expected)',
      'expected 30Gi of resource memory, but found 20Gi (66.7% of expected)',
    ]);
  });

  it('but not for a resource that is not requested', () => {
    expect(inconsistencies(claim('a', promised), has({ cpu: '10', memory: '30Gi', pods: '1' }))).toEqual([]);
  });

  it('but is not checked before initialization or while its claim is being deleted', () => {
    expect(inconsistencies(claim('a', { ...promised, conditions: [] }), has({ cpu: '1' }))).toEqual([]);
    const deleted = claim('a', { ...promised, deleted: '2026-01-01T00:00:00Z' });
    expect(inconsistencies(deleted, has({ cpu: '1' }))).toEqual([]);
  });
});
