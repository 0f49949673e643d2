import type { AdmissionAttributes, AdmissionPlugin } from '../admission/admission.ts';
import { collectionOf } from '../registry/kind-registry.ts';
import { forbidden } from '../status/status-errors.ts';
import type { Store } from '../store/index.ts';
import { isDeleting } from '../writes/object-meta.ts';
import { definitionCollection } from './definition.ts';

/** Rejects new objects of a kind whose definition is being deleted: the cleanup would never end. */
export class DefinitionLifecycle implements AdmissionPlugin {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  validate({ operation, kind, name }: AdmissionAttributes): void {
    if (operation !== 'CREATE' || !kind.isCustom) return;
    const definition = this.#store.get(definitionCollection, '', collectionOf(kind));
    if (definition === undefined || !isDeleting(definition.object)) return;
    throw forbidden(
      { group: kind.group, plural: kind.plural, name },
      'create not allowed while custom resource definition is terminating',
    );
  }
}
