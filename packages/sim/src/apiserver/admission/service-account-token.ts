import type { JsonObject } from '@karpenter/core/schema';
import { type Draft, ensureObject, objectsAt, textAt, valueAt } from '../kinds/draft.ts';
import type { Store } from '../store/index.ts';
import { generatedName } from '../writes/object-meta.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const expirationSeconds = 3607;
const defaultMode = 0o644;

/** Mounts into new pods what their containers need to speak to the API server. */
export class ServiceAccountToken implements AdmissionPlugin {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  mutate({ operation, kind, subresource, object, namespace }: AdmissionAttributes & { object: JsonObject }) {
    if (kind.kind !== 'Pod' || kind.group !== '' || operation !== 'CREATE' || subresource !== '')
      return object;
    const pod: Draft = structuredClone(object);
    const spec = ensureObject(pod, 'spec');
    const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
    const without = containers.filter((container) => !hasMount(container));
    if (without.length === 0 || !this.#isWanted(spec, namespace)) return object;
    const name = generatedName('kube-api-access-');
    for (const container of without) {
      const mount = { name, readOnly: true, mountPath };
      container['volumeMounts'] = [...objectsAt(container, 'volumeMounts'), mount];
    }
    spec['volumes'] = [...objectsAt(spec, 'volumes'), accessVolume(name)];
    return pod;
  }

  /** The pod has the last word, then its account. */
  #isWanted(spec: Draft, namespace: string): boolean {
    const account = this.#store.get('serviceaccounts', namespace, textAt(spec, 'serviceAccountName'));
    const { automountServiceAccountToken = valueAt(account?.object, 'automountServiceAccountToken') } = spec;
    return automountServiceAccountToken !== false;
  }
}

function hasMount(container: Draft): boolean {
  return objectsAt(container, 'volumeMounts').some((mount) => textAt(mount, 'mountPath') === mountPath);
}

function accessVolume(name: string): Draft {
  const namespaceField = { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } };
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', ...namespaceField }] } },
      ],
      defaultMode,
    },
  };
}
