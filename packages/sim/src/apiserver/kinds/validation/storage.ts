import { equalJson, type FieldError, itemPath, type JsonObject } from '@karpenter/core/schema';
import { type Draft, listAt, objectAt, objectsAt, textAt, textsAt, valueAt } from '../draft.ts';
import { isPositiveQuantity } from './amounts.ts';
import {
  forbidden,
  invalid,
  notSupported,
  oneOf,
  presentMembers,
  repeated,
  required,
  unchanged,
  wrongStruct,
} from './field-errors.ts';
import { subdomain } from './names.ts';
import { labelSelector, nodeSelector } from './selectors.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes = ['Block', 'Filesystem'];

function unknownModes(spec: JsonObject): readonly FieldError[] {
  return listAt(spec, 'accessModes').flatMap((mode) => oneOf('spec.accessModes', mode, accessModes));
}

export function claim(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const size = textsAt(spec, 'resources', 'requests')['storage'];
  const field = 'spec.resources[storage]';
  return [
    ...labelSelector('spec.selector', valueAt(spec, 'selector')),
    ...(listAt(spec, 'accessModes').length === 0
      ? [required('spec.accessModes', 'at least 1 access mode is required')]
      : []),
    ...unknownModes(spec),
    ...(size === undefined ? [required(field)] : []),
    ...(size !== undefined && !isPositiveQuantity(size)
      ? [invalid(field, size, 'must be greater than zero')]
      : []),
    ...oneOf('spec.volumeMode', valueAt(spec, 'volumeMode'), volumeModes),
  ];
}

const fixedClaim =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/**
 * A claim is fixed once it exists, except for what a bound volume can do later: grow, change its performance class. The
 * volume name may be set once, which is how a claim is bound.
 */
export function claimUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const fixed = (entry: JsonObject): JsonObject => {
    const { resources: _, volumeAttributesClassName: __, ...rest }: Draft = { ...objectAt(entry, 'spec') };
    return rest;
  };
  const isBinding = textAt(old, 'spec', 'volumeName') === '' && textAt(object, 'spec', 'volumeName') !== '';
  const withVolume = isBinding
    ? { ...fixed(old), volumeName: textAt(object, 'spec', 'volumeName') }
    : fixed(old);
  return equalJson(fixed(object), withVolume) ? [] : [forbidden('spec', fixedClaim)];
}

/** The fields of a volume's spec that are not a volume source. */
const ordinaryFields = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
]);

const sourceOf = (spec: JsonObject | undefined) =>
  Object.fromEntries(Object.entries(spec ?? {}).filter(([name]) => !ordinaryFields.has(name)));

export function volume(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const [first, ...others] = Object.keys(sourceOf(spec));
  const affinity = objectAt(spec, 'nodeAffinity', 'required');
  return [
    ...capacityErrors(textsAt(spec, 'capacity')),
    ...(listAt(spec, 'accessModes').length === 0 ? [required('spec.accessModes')] : []),
    ...unknownModes(spec),
    ...(first === undefined ? [required('spec', 'must specify a volume type')] : []),
    ...others.map((name) => forbidden(`spec.${name}`, 'may not specify more than 1 volume type')),
    ...oneOf('spec.persistentVolumeReclaimPolicy', valueAt(spec, 'persistentVolumeReclaimPolicy'), [
      'Delete',
      'Recycle',
      'Retain',
    ]),
    ...(affinity ? nodeSelector('spec.nodeAffinity.required', affinity) : []),
    ...oneOf('spec.volumeMode', valueAt(spec, 'volumeMode'), volumeModes),
  ];
}

function capacityErrors(capacity: Readonly<Record<string, string>>): readonly FieldError[] {
  const size = capacity['storage'];
  const isOdd = size === undefined || Object.keys(capacity).length > 1;
  return [
    ...(Object.keys(capacity).length === 0 ? [required('spec.capacity')] : []),
    ...(isOdd ? [notSupported('spec.capacity', capacity, ['storage'])] : []),
    ...(size !== undefined && !isPositiveQuantity(size)
      ? [invalid('spec.capacity[storage]', size, 'must be greater than zero')]
      : []),
  ];
}

/** The source says where the data is; a changed one would attach another disk under the same claim. */
export function volumeUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [before, after] = [objectAt(old, 'spec'), objectAt(object, 'spec')];
  const detail = 'spec.persistentvolumesource is immutable after creation';
  return [
    ...(equalJson(sourceOf(after), sourceOf(before))
      ? []
      : [forbidden('spec.persistentvolumesource', detail)]),
    ...unchanged('spec.volumeMode', valueAt(after, 'volumeMode'), valueAt(before, 'volumeMode')),
  ];
}

export function storageClass(object: JsonObject): readonly FieldError[] {
  return [
    ...(textAt(object, 'provisioner') === '' ? [required('provisioner')] : []),
    ...oneOf('reclaimPolicy', valueAt(object, 'reclaimPolicy'), ['Delete', 'Retain']),
    ...oneOf('volumeBindingMode', valueAt(object, 'volumeBindingMode'), [
      'Immediate',
      'WaitForFirstConsumer',
    ]),
  ];
}

/** Volumes refer to their class for life, so its meaning cannot change under them; labels and annotations may. */
export function storageClassUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((name) =>
    unchanged(name, valueAt(object, name), valueAt(old, name)),
  );
}

export function csiNode(object: JsonObject): readonly FieldError[] {
  const drivers = objectsAt(object, 'spec', 'drivers');
  return [
    ...drivers.flatMap((driver, index) => {
      const field = itemPath('spec.drivers', index);
      return ['name', 'nodeID']
        .filter((name) => textAt(driver, name) === '')
        .map((name) => required(`${field}.${name}`));
    }),
    ...repeated(
      'spec.drivers',
      drivers.map((driver) => textAt(driver, 'name')),
    ),
  ];
}

const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

export function volumeAttachment(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const sources = presentMembers(valueAt(spec, 'source'), ['inlineVolumeSpec', 'persistentVolumeName']);
  return [
    ...(textAt(spec, 'attacher') === '' ? [required('spec.attacher')] : []),
    ...(sources.length === 1 ? [] : [required('spec.source', oneSource)]),
    ...subdomain('spec.nodeName', textAt(spec, 'nodeName')),
  ];
}

export function volumeAttachmentUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [before, after] = [objectAt(old, 'spec'), objectAt(object, 'spec')];
  if (equalJson(before, after)) return [];
  const struct = {
    Attacher: textAt(after, 'attacher'),
    Source: valueAt(after, 'source') ?? null,
    NodeName: textAt(after, 'nodeName'),
  };
  return [wrongStruct({ type: 'Invalid', field: 'spec', struct, detail: 'field is immutable' })];
}
