import type { Node, PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { type ClaimContext, planClaim, selectedNode } from './plan-claim.ts';

const node = (name: string, zone: string): Node => ({
  metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } },
});
const claim = (annotations = {}): PersistentVolumeClaim => ({
  metadata: { name: 'data', namespace: 'default', uid: '1-2-3', annotations },
  spec: {
    storageClassName: 'ebs',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '10Gi' } },
  },
});
const volume = (name: string, storage: string, phase = 'Available'): PersistentVolume => ({
  metadata: { name },
  spec: { storageClassName: 'ebs', accessModes: ['ReadWriteOnce'], capacity: { storage } },
  status: { phase },
});

function world(volumeBindingMode: string, rest: Partial<ClaimContext> = {}): ClaimContext {
  const storageClass = { metadata: { name: 'ebs' }, provisioner: 'ebs.csi.aws.com', volumeBindingMode };
  return { storageClass, volumes: [], node: undefined, nodes: [node('a', 'z2'), node('b', 'z1')], ...rest };
}

const zoneOf = (plan: ReturnType<typeof planClaim>) =>
  plan.type === 'provision'
    ? plan.volume.spec?.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values
    : plan.type;

describe('a claim', () => {
  it('waits for its first pod, and then gets a volume in the zone of the pod’s node', () => {
    const chosen = { [selectedNode]: 'a' };

    expect(planClaim(claim(), world('WaitForFirstConsumer'))).toEqual({ type: 'wait' });
    expect(
      zoneOf(planClaim(claim(chosen), world('WaitForFirstConsumer', { node: node('a', 'z2') }))),
    ).toEqual(['z2']);
  });

  it('gets a volume at once with Immediate binding, in a zone with nodes', () => {
    expect(zoneOf(planClaim(claim(), world('Immediate')))).toEqual(['z1']);
  });

  it('binds the smallest free volume that is large enough before provisioning one', () => {
    const volumes = [
      volume('large', '50Gi'),
      volume('fitting', '12Gi'),
      volume('small', '5Gi'),
      volume('taken', '11Gi', 'Bound'),
    ];

    expect(planClaim(claim(), world('Immediate', { volumes }))).toMatchObject({
      type: 'bind',
      volume: { metadata: { name: 'fitting' } },
    });
  });

  it('continues with the volume provisioned for it', () => {
    const own = { ...volume('pvc-1-2-3', '10Gi'), spec: { claimRef: { uid: '1-2-3' } } };

    expect(planClaim(claim(), world('WaitForFirstConsumer', { volumes: [own] }))).toEqual({
      type: 'bind',
      volume: own,
    });
  });

  it('waits with a class that does not provision', () => {
    const storageClass = { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'Immediate' };

    expect(planClaim(claim(), world('Immediate', { storageClass }))).toEqual({ type: 'wait' });
  });
});
