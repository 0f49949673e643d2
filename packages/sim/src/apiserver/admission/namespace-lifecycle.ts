import { member } from '@karpenter/core/schema';
import { StatusError } from '../status/status-error.ts';
import { forbidden, notFound } from '../status/status-errors.ts';
import type { Store } from '../store/index.ts';
import { isDeleting } from '../writes/object-meta.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';

const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/**
 * The NamespaceLifecycle admission plugin: rejects new objects in a terminating namespace, and the deletion
 * of the namespaces that the cluster itself needs.
 */
export class NamespaceLifecycle implements AdmissionPlugin {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  validate(attributes: AdmissionAttributes): void {
    const { operation, kind, namespace, name } = attributes;
    if (operation === 'DELETE' && kind.kind === 'Namespace' && protectedNamespaces.has(name)) {
      throw forbidden({ group: '', plural: 'namespaces', name }, 'this namespace may not be deleted');
    }
    if (operation === 'CREATE' && kind.namespaced) this.#checkNotTerminating(attributes, namespace);
  }

  #checkNotTerminating({ kind, name }: AdmissionAttributes, namespace: string): void {
    const entry = this.#store.get('namespaces', '', namespace);
    if (entry === undefined) throw notFound({ group: '', plural: 'namespaces', name: namespace });
    if (!isDeleting(entry.object) && member(entry.object['status'], 'phase') !== 'Terminating') return;
    const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
    const reason = `unable to create new content in namespace ${namespace} because it is being terminated`;
    throw new StatusError(403, 'Forbidden', `${resource} "${name}" is forbidden: ${reason}`, {
      name,
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          field: 'metadata.namespace',
          message: `namespace ${namespace} is being terminated`,
        },
      ],
    });
  }
}
