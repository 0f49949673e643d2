import type { JsonObject } from '@karpenter/core/schema';
import { cases, type KindCase, pod, podWith, resource, workload } from './kind-case.ts';

const deployment = (spec: JsonObject[string]) => resource('apps/v1', 'Deployment', { spec });
const withMetadata = (metadata: JsonObject[string]) => ({ ...workload('Deployment'), metadata });
const lease = (renewTime: string) => resource('coordination.k8s.io/v1', 'Lease', { spec: { renewTime } });
const request = (cpu: JsonObject[string]) => podWith({ resources: { requests: { cpu } } });
const probePort = (port: JsonObject[string]) => podWith({ livenessProbe: { httpGet: { port } } });

/** JSON that does not fit the types of the kind: the server rejects it before any validation. */
export const decodingCases: readonly KindCase[] = cases('decoding', {
  'a text for a number': deployment({ replicas: 'x' }),
  'a fraction for a whole number': deployment({ replicas: 1.5 }),
  'a number that is too large': deployment({ replicas: 99_999_999_999 }),
  'a text for a struct': deployment('x'),
  'a list for a struct': deployment([]),
  'a number for a label': withMetadata({ name: 'a', labels: { a: 1 } }),
  'a list for metadata': withMetadata([]),
  'a list for labels': withMetadata({ name: 'a', labels: [] }),
  'a text that is no time': withMetadata({ name: 'a', creationTimestamp: 'x' }),
  'a time without a zone': withMetadata({ name: 'a', creationTimestamp: '2026-01-01T00:00:00' }),
  'a number for a time': withMetadata({ name: 'a', creationTimestamp: 5 }),
  'a number for a finalizer': withMetadata({ name: 'a', finalizers: [1] }),
  'a number in an owner reference': withMetadata({ name: 'a', ownerReferences: [{ name: 1 }] }),
  'a number for an owner reference': withMetadata({ name: 'a', ownerReferences: [5] }),
  'a text for containers': pod({ containers: 'x' }),
  'a text for a container': pod({ containers: ['x'] }),
  'a number for a text': podWith({ name: 1 }),
  'a number for a text with a type of its own': podWith({ imagePullPolicy: 1 }),
  'a number in a list of texts': podWith({ command: [1] }),
  'a text for a map with a type of its own': podWith({ resources: { requests: 'x' } }),
  'a quantity that is none': request('x'),
  'a quantity with an odd suffix': request('1KM'),
  'an empty quantity': request(''),
  'a flag for a quantity': request(true),
  'a fraction for a port': probePort(1.5),
  'a flag for a port': probePort(true),
  'a number for an embedded struct': podWith({ livenessProbe: { httpGet: 5 } }),
  'a text for a flag': pod({ hostNetwork: 'x' }),
  'a flag for an entry of a map': pod({ nodeSelector: { a: true } }),
  'a text for a source of a volume': pod({ volumes: [{ name: 'v', hostPath: 'x' }] }),
  'an unknown field and a wrong type': pod({ bogus: 1, hostNetwork: 5 }),
  'unknown fields': {
    ...resource('v1', 'Pod', { zed: 1, spec: { bogus: 1, containers: [{ name: 'a', image: 'b', foo: 1 }] } }),
    metadata: { name: 'x', foo: 1 },
  },
  'data that is not base64': resource('v1', 'Secret', { data: { a: '!!' } }),
  'data that is cut short': resource('v1', 'Secret', { data: { a: 'YWJ' } }),
  'a number for data': resource('v1', 'Secret', { data: { a: 1 } }),
  'a micro time that is none': lease('x'),
  'a micro time that is too fine': lease('2026-01-01T00:00:00.123456789+02:00'),
  'a micro time without a fraction': lease('2026-01-01T00:00:00Z'),
  'a micro time in another zone': lease('2026-01-01T00:00:00.000001+02:00'),
  'a day that does not exist': lease('2026-02-31T00:00:00.000000Z'),
  'a flag for a share': resource('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: true } }),
  'nulls and empty values': resource('v1', 'ConfigMap', {
    data: { a: null, b: '' },
    binaryData: {},
    immutable: false,
  }),
});
