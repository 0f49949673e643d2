import type { JsonObject } from '@karpenter/core/schema';
import { objectAt, objectsAt, textAt, valueAt } from '../kinds/draft.ts';
import type { Store } from '../store/index.ts';
import { generatedName } from '../writes/object-meta.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
// The values that kube-apiserver's plugin writes.
const expirationSeconds = 3607;
const defaultMode = 0o644;
const containerLists = ['containers', 'initContainers'];

/**
 * The ServiceAccount plugin: mounts the token, the root certificate and the namespace into the containers of
 * new pods.
 */
export class ServiceAccountToken implements AdmissionPlugin {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  mutate({ operation, kind, subresource, object, namespace }: AdmissionAttributes & { object: JsonObject }) {
    if (kind.kind !== 'Pod' || kind.group !== '' || operation !== 'CREATE' || subresource !== '')
      return object;
    const spec = objectAt(object, 'spec') ?? {};
    const lists = containerLists.filter((list) => !objectsAt(spec, list).every(hasMount));
    if (lists.length === 0 || !this.#mountsToken(spec, namespace)) return object;
    const name = generatedName('kube-api-access-');
    const mounted = lists.map((list) => [list, objectsAt(spec, list).map((each) => withMount(each, name))]);
    const volumes = [...objectsAt(spec, 'volumes'), accessVolume(name)];
    return { ...object, spec: { ...spec, ...Object.fromEntries(mounted), volumes } };
  }

  /** The pod's automountServiceAccountToken wins over that of its service account. */
  #mountsToken(spec: JsonObject, namespace: string): boolean {
    const account = this.#store.get('serviceaccounts', namespace, textAt(spec, 'serviceAccountName'));
    const { automountServiceAccountToken = valueAt(account?.object, 'automountServiceAccountToken') } = spec;
    return automountServiceAccountToken !== false;
  }
}

function hasMount(container: JsonObject): boolean {
  return objectsAt(container, 'volumeMounts').some((mount) => textAt(mount, 'mountPath') === mountPath);
}

function withMount(container: JsonObject, name: string): JsonObject {
  if (hasMount(container)) return container;
  const mount = { name, readOnly: true, mountPath };
  return { ...container, volumeMounts: [...objectsAt(container, 'volumeMounts'), mount] };
}

/** The projected volume. It is the same for every pod apart from its name, so pods share this object. */
const namespaceField = { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
const projected = {
  sources: [
    { serviceAccountToken: { expirationSeconds, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    { downwardAPI: { items: [{ path: 'namespace', ...namespaceField }] } },
  ],
  defaultMode,
};

function accessVolume(name: string): JsonObject {
  return { name, projected };
}
