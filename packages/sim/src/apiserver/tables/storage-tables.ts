import type { JsonObject } from '@karpenter/core/schema';
import { listAt, objectsAt, textAt, textsAt, valueAt } from '../kinds/draft.ts';
import {
  age,
  boolean,
  type Cell,
  column,
  createdAt,
  flag,
  integer,
  name,
  nameText,
  size,
  table,
  text,
  wide,
} from './columns.ts';

const modeNames: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const accessModes = (...path: readonly string[]): Cell => {
  const order = Object.keys(modeNames);
  return (object) => {
    const modes = new Set(listAt(object, ...path).map(String));
    return order
      .filter((mode) => modes.has(mode))
      .map((mode) => modeNames[mode])
      .join(',');
  };
};

const phase: Cell = (object) =>
  textAt(object, 'metadata', 'deletionTimestamp') === '' ? textAt(object, 'status', 'phase') : 'Terminating';

const className: Cell = (object) =>
  textsAt(object, 'metadata', 'annotations')['volume.beta.kubernetes.io/storage-class'] ??
  textAt(object, 'spec', 'storageClassName');

const volumeMode = wide('VolumeMode', text('spec.volumeMode', '<unset>'));
const attributesClass = column('VolumeAttributesClass', text('spec.volumeAttributesClassName', '<unset>'));

function claimText(volume: JsonObject): string {
  const claim = valueAt(volume, 'spec', 'claimRef');
  return claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
}

export const volumeTable = table(
  name,
  column('Capacity', text('spec.capacity.storage', '0')),
  column('Access Modes', accessModes('spec', 'accessModes')),
  column('Reclaim Policy', text('spec.persistentVolumeReclaimPolicy')),
  column('Status', phase),
  column('Claim', claimText),
  column('StorageClass', className),
  attributesClass,
  column('Reason', text('status.reason')),
  age,
  volumeMode,
);

/** Columns of a claim that are known only once it is bound. */
const ofBound =
  (cell: Cell): Cell =>
  (claim, nowMs) =>
    textAt(claim, 'spec', 'volumeName') === '' ? '' : cell(claim, nowMs);

export const claimTable = table(
  name,
  column('Status', phase),
  column('Volume', text('spec.volumeName')),
  column('Capacity', ofBound(text('status.capacity.storage', '0'))),
  column('Access Modes', ofBound(accessModes('status', 'accessModes'))),
  column('StorageClass', className),
  attributesClass,
  age,
  volumeMode,
);

/** Marks the default class after its name. */
export const nameOfClass =
  (...annotations: readonly string[]): Cell =>
  (object, nowMs) => {
    const given = textsAt(object, 'metadata', 'annotations');
    const isDefault = annotations.some((annotation) => given[annotation] === 'true');
    return isDefault ? `${nameText(object, nowMs)} (default)` : nameText(object, nowMs);
  };

const storageClassName = nameOfClass(
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
);

export const storageClassTable = table(
  column('Name', storageClassName, { format: 'name' }),
  column('Provisioner', text('provisioner')),
  column('ReclaimPolicy', text('reclaimPolicy', 'Delete')),
  column('VolumeBindingMode', text('volumeBindingMode', 'Immediate')),
  column('AllowVolumeExpansion', flag('allowVolumeExpansion')),
  age,
);

function tokenAudiences(driver: JsonObject): string {
  if (valueAt(driver, 'spec', 'tokenRequests') === undefined) return '<unset>';
  return objectsAt(driver, 'spec', 'tokenRequests')
    .map((request) => textAt(request, 'audience'))
    .join(',');
}

export const csiDriverTable = table(
  name,
  boolean('AttachRequired', (driver) => valueAt(driver, 'spec', 'attachRequired') !== false),
  boolean('PodInfoOnMount', flag('spec.podInfoOnMount')),
  boolean('StorageCapacity', flag('spec.storageCapacity')),
  column('TokenRequests', tokenAudiences),
  boolean('RequiresRepublish', flag('spec.requiresRepublish')),
  column('Modes', (driver) => listAt(driver, 'spec', 'volumeLifecycleModes').join(',') || '<none>'),
  age,
);

export const csiNodeTable = table(name, integer('Drivers', size('spec.drivers')), age);
export const csiStorageCapacityTable = table(name, createdAt);

export const volumeAttachmentTable = table(
  name,
  column('Attacher', text('spec.attacher'), { format: 'name' }),
  column('PV', text('spec.source.persistentVolumeName')),
  column('Node', text('spec.nodeName')),
  boolean('Attached', flag('status.attached')),
  age,
);

export const volumeAttributesClassTable = table(
  column('Name', nameOfClass('storageclass.kubernetes.io/is-default-class'), { format: 'name' }),
  column('DriverName', text('driverName')),
  age,
);
