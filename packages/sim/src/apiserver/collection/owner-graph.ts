import { type Json, type JsonObject, member } from '@karpenter/core/schema';
import type { Entry, Store, StoreChange } from '../store/index.ts';
import { listField, textField } from '../writes/object-meta.ts';

interface OwnerEntry {
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly blocksDeletion: boolean;
}

export function ownersOf(object: JsonObject): readonly OwnerEntry[] {
  return listField(object, 'ownerReferences').map((owner) => ({
    uid: text(owner, 'uid'),
    apiVersion: text(owner, 'apiVersion'),
    kind: text(owner, 'kind'),
    name: text(owner, 'name'),
    blocksDeletion: member(owner, 'blockOwnerDeletion') === true,
  }));
}

function text(value: Json, field: string): string {
  return String(member(value, field) ?? '');
}

/**
 * Index of all objects and their dependents by uid, so that finding dependents needs no scan of the store.
 */
export class OwnerGraph {
  readonly #byUid = new Map<string, Entry>();
  readonly #dependents = new Map<string, Set<string>>();

  constructor(store: Store) {
    for (const collection of store.collections()) {
      for (const entry of store.list(collection)) this.#add(entry);
    }
  }

  /** Updates the index; call it for every change, in order. */
  apply({ type, entry, previous }: StoreChange): void {
    if (previous) this.#remove(previous);
    if (type !== 'DELETED') this.#add(entry);
  }

  find(uid: string): Entry | undefined {
    return this.#byUid.get(uid);
  }

  dependentsOf(uid: string): readonly Entry[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#byUid.get(dependent) ?? []);
  }

  all(): readonly Entry[] {
    return [...this.#byUid.values()];
  }

  #add(entry: Entry): void {
    const uid = textField(entry.object, 'uid');
    this.#byUid.set(uid, entry);
    for (const owner of ownersOf(entry.object)) {
      const dependents = this.#dependents.get(owner.uid) ?? new Set();
      this.#dependents.set(owner.uid, dependents.add(uid));
    }
  }

  #remove(entry: Entry): void {
    const uid = textField(entry.object, 'uid');
    this.#byUid.delete(uid);
    for (const owner of ownersOf(entry.object)) {
      const dependents = this.#dependents.get(owner.uid);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}
