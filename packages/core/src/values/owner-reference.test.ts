import { describe, expect, it } from 'vitest';
import { controllerReference, isOwnedBy } from './owner-reference.ts';

const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', controller: true };
const other = { apiVersion: 'example.com/v1', kind: 'Tenant', name: 'shop' };

describe('owners of an object', () => {
  it('are matched by kind and version', () => {
    expect(isOwnedBy({ ownerReferences: [other, set] }, 'apps/v1', 'ReplicaSet')).toBe(true);
    expect(isOwnedBy({ ownerReferences: [set] }, 'apps/v1beta1', 'ReplicaSet')).toBe(false);
    expect(isOwnedBy({ ownerReferences: [other] }, 'apps/v1', 'ReplicaSet')).toBe(false);
    expect(isOwnedBy({}, 'apps/v1', 'ReplicaSet')).toBe(false);
  });

  it('match by kind alone without a version', () => {
    const ownerReferences = [{ kind: 'ReplicaSet', name: 'web' }];
    expect(isOwnedBy({ ownerReferences }, 'apps/v1', 'ReplicaSet')).toBe(true);
  });

  it('have at most one controller among them', () => {
    expect(controllerReference({ ownerReferences: [other, set] })).toBe(set);
    expect(controllerReference({ ownerReferences: [other] })).toBeUndefined();
  });
});
