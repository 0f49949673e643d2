import { clusterTime, disruptedPool, managedNode } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import {
  gracefulExpiryReason,
  isInstanceTypeGone,
  isOldEnoughForTypeCheck,
  nodePoolDriftReason,
  poolOptions,
} from './index.ts';

const reservationId = 'karpenter.k8s.aws/capacity-reservation-id';
const options = {
  wellKnownLabels: new Set(['topology.kubernetes.io/zone', 'karpenter.sh/capacity-type', reservationId]),
  labelAliases: new Map<string, string>(),
  reservationLabels: new Set([reservationId]),
};
const hashes = (hash: string, version = 'v3') => ({
  'karpenter.sh/nodepool-hash': hash,
  'karpenter.sh/nodepool-hash-version': version,
});

describe('a NodeClaim has drifted from its NodePool', () => {
  const reason = (claim: Record<string, string>, pool: Record<string, string>) =>
    nodePoolDriftReason(
      managedNode('n', { claimAnnotations: claim }).nodeClaim,
      disruptedPool('default', { annotations: pool }),
      options,
    );

  it('when the hashes differ', () => {
    expect(reason(hashes('1'), hashes('2'))).toBe('NodePoolDrifted');
    expect(reason(hashes('1'), hashes('1'))).toBeUndefined();
  });

  it('but not when the hashes are of different versions, or one is missing', () => {
    expect(reason(hashes('1', 'v2'), hashes('2'))).toBeUndefined();
    expect(reason({}, hashes('2'))).toBeUndefined();
    expect(reason(hashes('1'), {})).toBeUndefined();
    const hashOnly = (hash: string) => ({ 'karpenter.sh/nodepool-hash': hash });
    expect(reason(hashOnly('1'), hashOnly('2'))).toBeUndefined();
    expect(reason(hashOnly('1'), hashes('2'))).toBeUndefined();
  });

  it('when its labels do not satisfy the requirements, all of which must be defined', () => {
    const judged = (key: string, operator: 'In' | 'NotIn' | 'Exists', values?: readonly string[]) =>
      nodePoolDriftReason(
        managedNode('n', { zone: 'a' }).nodeClaim,
        disruptedPool('default', {
          requirements: [{ key, operator, ...(values !== undefined && { values }) }],
        }),
        options,
      );
    expect(judged('topology.kubernetes.io/zone', 'In', ['a', 'b'])).toBeUndefined();
    expect(judged('topology.kubernetes.io/zone', 'In', ['b'])).toBe('RequirementsDrifted');
    expect(judged('example.com/team', 'Exists')).toBe('RequirementsDrifted');
    expect(judged('example.com/team', 'NotIn', ['x'])).toBeUndefined();
  });

  it('because of its template rather than its requirements when both differ', () => {
    const requirements = [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['b'] }];
    const nodePool = disruptedPool('default', { annotations: hashes('2'), requirements });
    const { nodeClaim } = managedNode('n', { claimAnnotations: hashes('1') });
    expect(nodePoolDriftReason(nodeClaim, nodePool, options)).toBe('NodePoolDrifted');
  });
});

describe('the instance type of a NodeClaim is gone', () => {
  const types = [instanceType('large', { price: 1, unavailable: ['a/on-demand'] })];
  const isGone = (parts: Parameters<typeof managedNode>[1], known = types) =>
    isInstanceTypeGone(managedNode('n', parts).nodeClaim, known, options);

  it('when its type or offering is not listed, available or not', () => {
    expect(isGone({ type: 'large', zone: 'a' })).toBe(false);
    expect(isGone({ type: 'other' })).toBe(true);
    expect(isGone({ type: 'large', zone: 'z' })).toBe(true);
  });

  it('but not when its reservation has ended and on-demand is listed', () => {
    expect(isGone({ capacityType: 'reserved', labels: { [reservationId]: 'r-1' } })).toBe(false);
  });

  it('which is checked only for claims older than an hour', () => {
    const { nodeClaim } = managedNode('n');
    const created = Date.UTC(2026, 0, 1);
    expect(isOldEnoughForTypeCheck(nodeClaim, created + 3_600_000)).toBe(false);
    expect(isOldEnoughForTypeCheck(nodeClaim, created + 3_600_001)).toBe(true);
  });
});

describe('a node that is about to expire', () => {
  const created = Date.UTC(2026, 0, 1);
  const expiry = created + 720 * 3_600_000;
  const { nodeClaim } = managedNode('n');

  it('counts as drifted from the graceful-expiry time of its NodePool on', () => {
    const nodePool = disruptedPool('default', { annotations: { [poolOptions.gracefulExpiry]: '24h' } });
    expect(gracefulExpiryReason(nodeClaim, nodePool, expiry - 25 * 3_600_000)).toBeUndefined();
    expect(gracefulExpiryReason(nodeClaim, nodePool, expiry - 24 * 3_600_000)).toBe('Expiring');
  });

  it('does not by default, nor with an option that cannot be parsed', () => {
    expect(gracefulExpiryReason(nodeClaim, disruptedPool('default'), expiry)).toBeUndefined();
    const odd = disruptedPool('default', { annotations: { [poolOptions.gracefulExpiry]: 'soon' } });
    expect(gracefulExpiryReason(nodeClaim, odd, expiry)).toBeUndefined();
    expect(clusterTime).toBeLessThan(expiry);
  });
});
