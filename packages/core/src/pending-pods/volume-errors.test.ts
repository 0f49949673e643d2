import { pod } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { coreLabelPolicy } from '../api/index.ts';
import { requirementPolicy } from '../requirements/index.ts';
import type {
  PersistentVolumeClaimView,
  PersistentVolumeView,
  PodVolume,
  StorageClassView,
  StorageView,
} from '../scheduling/index.ts';
import { PodValidator } from './pod-validator.ts';
import type { UnsupportedStorage } from './volume-errors.ts';

const bound = { 'pv.kubernetes.io/bind-completed': 'yes' };
const claim = (
  spec: PersistentVolumeClaimView['spec'],
  rest: Partial<PersistentVolumeClaimView['metadata']> = {},
  phase?: string,
): PersistentVolumeClaimView => ({
  metadata: { name: 'data', namespace: 'default', ...rest },
  spec,
  ...(phase !== undefined && { status: { phase } }),
});
const volume = (rest: object = {}): PersistentVolumeView => ({
  metadata: { name: 'pv-1', ...rest },
  spec: { csi: { driver: 'ebs.csi.aws.com' } },
});
const storageClass = (rest: Partial<StorageClassView> = {}): StorageClassView => ({
  metadata: { name: 'gp3' },
  provisioner: 'ebs.csi.aws.com',
  volumeBindingMode: 'WaitForFirstConsumer',
  ...rest,
});
const dataVolume: PodVolume = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };

function flaw(
  storage: Partial<StorageView>,
  { volumes = [dataVolume], ...unsupportedStorage }: UnsupportedStorage & { volumes?: PodVolume[] } = {},
): string | undefined {
  const view = { claims: [], volumes: [], classes: [], ...storage };
  const validator = new PodValidator({
    policy: requirementPolicy(coreLabelPolicy),
    storage: view,
    unsupportedStorage,
  });
  const verdict = validator.validate(pod('p', { volumes }));
  return verdict.verdict === 'ignored' ? verdict.message : undefined;
}

describe('a pod with volumes is provisionable', () => {
  it('when it has no claim, or only valid claims', () => {
    expect(flaw({}, { volumes: [{ name: 'cache' }] })).toBeUndefined();
    expect(flaw({ claims: [claim({ storageClassName: 'gp3' })], classes: [storageClass()] })).toBeUndefined();
    expect(
      flaw({ claims: [claim({ volumeName: 'pv-1' }, { annotations: bound })], volumes: [volume()] }),
    ).toBeUndefined();
  });

  it('when a bound claim names a class that is gone', () => {
    const claims = [claim({ volumeName: 'pv-1', storageClassName: 'gone' }, { annotations: bound })];
    expect(flaw({ claims, volumes: [volume()] })).toBeUndefined();
  });

  it('when the storage objects are unknown', () => {
    const validator = new PodValidator({ policy: requirementPolicy(coreLabelPolicy) });
    expect(validator.validate(pod('p', { volumes: [dataVolume] })).verdict).toBe('provisionable');
  });
});

describe('a pod is ignored when a claim', () => {
  it('does not exist', () => {
    expect(flaw({})).toBe(
      'getting persistent volume claim, PersistentVolumeClaim "data" not found (PersistentVolumeClaim=default/data)',
    );
  });

  it('of an ephemeral volume does not exist', () => {
    expect(flaw({}, { volumes: [{ name: 'scratch', ephemeral: {} }] })).toContain(
      '(PersistentVolumeClaim=default/p-scratch)',
    );
  });

  it('is being deleted', () => {
    const claims = [claim({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })];
    expect(flaw({ claims })).toBe(
      'persistentvolumeclaim is being deleted (PersistentVolumeClaim=default/data)',
    );
  });

  it('has lost its volume', () => {
    expect(flaw({ claims: [claim({ volumeName: 'pv-1' }, {}, 'Lost')] })).toBe(
      'persistentvolumeclaim bound to non-existent persistentvolume (PersistentVolume=pv-1, PersistentVolumeClaim=default/data)',
    );
  });

  it('is bound to a volume that does not exist', () => {
    expect(flaw({ claims: [claim({ volumeName: 'pv-1', storageClassName: 'gp3' })] })).toBe(
      'failed to validate pvc, PersistentVolume "pv-1" not found (PersistentVolume=pv-1, PersistentVolumeClaim=default/data, StorageClass=gp3)',
    );
  });

  it('is bound to a volume that is being deleted', () => {
    const volumes = [volume({ deletionTimestamp: '2026-01-01T00:00:00Z' })];
    expect(flaw({ claims: [claim({ volumeName: 'pv-1' })], volumes })).toBe(
      'failed to validate pvc, persistentvolume is being deleted (PersistentVolume=pv-1, PersistentVolumeClaim=default/data, StorageClass=)',
    );
  });

  it('names a volume without being bound to it', () => {
    expect(flaw({ claims: [claim({ volumeName: 'pv-1' })], volumes: [volume()] })).toBe(
      'pvc is considered unbound because it does not contain annotation (PersistentVolume=pv-1, PersistentVolumeClaim=data, annotation=pv.kubernetes.io/bind-completed)',
    );
  });

  it('has neither volume nor class', () => {
    expect(flaw({ claims: [claim({})] })).toBe(
      'unbound pvc must define a storage class (PersistentVolumeClaim=default/data, StorageClass=)',
    );
  });

  it('has a class that does not exist', () => {
    expect(flaw({ claims: [claim({ storageClassName: 'gp3' })] })).toBe(
      'failed to validate pvc, failed to get storage class, StorageClass.storage.k8s.io "gp3" not found (PersistentVolumeClaim=default/data, StorageClass=gp3)',
    );
  });

  it('has a class with Immediate binding but is not bound', () => {
    const classes = [storageClass({ volumeBindingMode: 'Immediate' })];
    expect(flaw({ claims: [claim({ storageClassName: 'gp3' })], classes })).toBe(
      'failed to validate pvc, pvc with immediate volume binding mode must be bound (PersistentVolumeClaim=default/data, StorageClass=gp3)',
    );
  });

  it('has a class with an unsupported topology key', () => {
    const matchLabelExpressions = [{ key: 'rack', values: ['1'] }];
    const classes = [storageClass({ allowedTopologies: [{ matchLabelExpressions }] })];
    const claims = [claim({ storageClassName: 'gp3' })];
    expect(flaw({ claims, classes }, { topologyKeys: new Set(['rack']) })).toBe(
      'failed to validate pvc, storage class uses unsupported topology key (PersistentVolumeClaim=default/data, StorageClass=gp3, TopologyKey=rack)',
    );
  });

  it.each([
    ['unbound', claim({ storageClassName: 'gp3' })],
    ['bound', claim({ volumeName: 'pv-1', storageClassName: 'gp3' }, { annotations: bound })],
  ])('is %s with an unsupported driver', (_, each) => {
    const storage = { claims: [each], classes: [storageClass()], volumes: [volume()] };
    expect(flaw(storage, { provisioners: new Set(['ebs.csi.aws.com']) })).toBe(
      'failed to validate pvc, provisioner is not supported (PersistentVolumeClaim=default/data, Provisioner=ebs.csi.aws.com, StorageClass=gp3)',
    );
  });

  it('is the first of several with a problem', () => {
    const volumes = ['a', 'b'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
    expect(flaw({}, { volumes })).toContain('"a" not found');
    expect(flaw({}, { volumes })).not.toContain('"b"');
  });
});
