import type { Json, JsonSchema } from '@karpenter/core/schema';
import type { Origin } from '../input/origin.ts';
import {
  amounts,
  anything,
  choice,
  count,
  flag,
  listOf,
  number,
  readShape,
  shape,
  text,
  texts,
} from '../input/shape.ts';
import type { SavedSnapshot } from './saved-snapshot.ts';

const pairs: JsonSchema = listOf(listOf({}));

const pod = shape(
  { name: text, namespace: text, uid: text, labels: count, annotations: count, spec: count, nodeName: text },
  ['name', 'namespace', 'uid', 'spec'],
);

const requirements = listOf(shape({ key: text, operator: text, values: listOf(text) }, ['key', 'operator']));

const instanceType = shape(
  {
    name: text,
    requirements,
    capacity: amounts,
    overhead: anything,
    offerings: listOf(
      shape({ requirements, price: number, available: flag, reservationCapacity: count }, [
        'requirements',
        'price',
        'available',
      ]),
    ),
  },
  ['name', 'requirements', 'capacity', 'overhead', 'offerings'],
);

const node = shape(
  {
    name: text,
    labels: texts,
    taints: listOf(shape({ key: text, effect: text }, ['key', 'effect'])),
    initialized: flag,
    deleting: flag,
    capacity: amounts,
    allocatable: amounts,
    podRequests: amounts,
    daemonRequests: amounts,
  },
  [
    'name',
    'labels',
    'taints',
    'initialized',
    'deleting',
    'capacity',
    'allocatable',
    'podRequests',
    'daemonRequests',
  ],
);

const options = shape(
  {
    preferencePolicy: choice('Respect', 'Ignore'),
    minValuesPolicy: choice('Strict', 'BestEffort'),
    wellKnownLabels: listOf(text),
    labelAliases: listOf(listOf(text)),
    reservedCapacity: shape({ idLabel: text, mode: choice('strict', 'fallback') }, ['idLabel', 'mode']),
  },
  ['preferencePolicy', 'minValuesPolicy', 'wellKnownLabels', 'labelAliases'],
);

const properties = {
  options,
  at: number,
  revision: count,
  nodePools: listOf(
    shape({ metadata: shape({ name: text }, ['name']), spec: anything }, ['metadata', 'spec']),
  ),
  instanceTypeLists: listOf(listOf(instanceType)),
  instanceTypes: pairs,
  nodes: listOf(node),
  parts: listOf(anything),
  pods: listOf(pod),
  boundPods: listOf(pod),
  daemonPods: listOf(pod),
  namespaces: pairs,
};

const storage = shape({ claims: listOf(anything), volumes: listOf(anything), classes: listOf(anything) }, [
  'claims',
  'volumes',
  'classes',
]);

const ignored = shape({ name: text, namespace: text, uid: text, message: text }, [
  'name',
  'namespace',
  'uid',
  'message',
]);

const condition = shape({ status: text, reason: text, message: text }, ['status', 'reason', 'message']);

const findings = shape(
  {
    ignored: listOf(ignored),
    held: listOf(ignored),
    overlays: listOf(shape({ overlay: text, verdict: text, message: text }, ['overlay', 'verdict'])),
    buffers: listOf(
      shape({ name: text, namespace: text, replicas: count, readyForProvisioning: condition }, [
        'name',
        'namespace',
        'readyForProvisioning',
      ]),
    ),
  },
  ['ignored', 'overlays', 'buffers'],
);

/** Requires only the fields that files of every release have; later additions are optional. */
const saved = shape({ ...properties, storage, findings }, Object.keys(properties));

/** Reads a file that this program wrote. The schema catches truncated and edited files. */
export function readSaved(value: Json, origin: Origin): SavedSnapshot {
  return readShape(saved, value, origin, 'the snapshot');
}
