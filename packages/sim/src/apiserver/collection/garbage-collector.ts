import type { JsonObject } from '@karpenter/core/schema';
import { member } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { Change, Entry } from '../store/index.ts';
import { deleteObject } from '../writes/delete.ts';
import type { Propagation } from '../writes/delete-options.ts';
import { updateDirectly } from '../writes/direct-update.ts';
import { isDeleting, listField, textField, withMetadata } from '../writes/object-meta.ts';
import { OwnerGraph, ownersOf } from './owner-graph.ts';
import { isRace, RetriedWork } from './retried-work.ts';
import { serverRequest } from './server-request.ts';

const foreground = 'foregroundDeletion';
const orphan = 'orphan';

/**
 * Deletes what has lost all its owners, waits for dependents before an owner that is deleted in the
 * foreground, and lets them go before one that is deleted as an orphan maker.
 */
export class GarbageCollector {
  readonly #parts: ApiServerParts;
  readonly #graph: OwnerGraph;
  readonly #queue = new Set<string>();
  readonly #retries: RetriedWork;
  readonly #unsubscribe: () => void;
  #working: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
    this.#graph = new OwnerGraph(parts.store);
    this.#retries = new RetriedWork(parts);
    this.#unsubscribe = parts.store.subscribe((change) => this.#accept(change));
    for (const { object } of this.#graph.all()) this.#enqueue(textField(object, 'uid'));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    await this.#working;
    await this.#retries.stop();
  }

  /** Those whose situation a change may have altered: the object, its owners, its dependents. */
  #accept(change: Change): void {
    const { type, entry, previous } = change;
    const uid = textField(entry.object, 'uid');
    const concerned = [uid, ...ownersOf(previous?.object ?? {}).map((owner) => owner.uid)];
    this.#graph.apply(change);
    if (type === 'DELETED' || isDeleting(entry.object)) {
      concerned.push(...this.#graph.dependentsOf(uid).map(({ object }) => textField(object, 'uid')));
    }
    for (const each of concerned) this.#enqueue(each);
  }

  #enqueue(uid: string): void {
    const entry = this.#graph.find(uid);
    if (entry === undefined || !needsAttention(entry.object)) return;
    this.#queue.add(uid);
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    while (this.#queue.size > 0 && !this.#isStopped) {
      // One turn of the event loop for each round, so that clients are served in between.
      await new Promise(setImmediate);
      const batch = [...this.#queue];
      this.#queue.clear();
      for (const uid of batch) await this.#tryOnce(uid);
    }
    this.#working = undefined;
  }

  async #tryOnce(uid: string): Promise<void> {
    try {
      await this.#attend(uid);
    } catch (error) {
      // An object that changed or went in the meantime comes back here with its change.
      if (!isRace(error)) this.#retries.start(uid, () => this.#attend(uid));
    }
  }

  async #attend(uid: string): Promise<void> {
    const entry = this.#graph.find(uid);
    const kind = entry && this.#kindOf(entry);
    if (entry === undefined || kind === undefined) return;
    if (isDeleting(entry.object)) await this.#finishDeletion(entry, kind);
    else await this.#deleteIfAbandoned(entry, kind);
  }

  #kindOf({ collection }: Entry): ServedKind | undefined {
    return this.#parts.registry.versionsOf(collection)[0];
  }

  async #finishDeletion(entry: Entry, kind: ServedKind): Promise<void> {
    const finalizers = listField(entry.object, 'finalizers');
    if (finalizers.includes(orphan)) {
      this.#letDependentsGo(entry);
      this.#removeFinalizer(entry, kind, orphan);
    } else if (finalizers.includes(foreground)) await this.#deleteDependents(entry, kind);
  }

  #letDependentsGo(entry: Entry): void {
    const uid = textField(entry.object, 'uid');
    for (const dependent of this.#graph.dependentsOf(uid)) {
      const kind = this.#kindOf(dependent);
      if (kind !== undefined) this.#update(dependent, kind, (object) => withoutOwner(object, uid));
    }
  }

  async #deleteDependents(entry: Entry, kind: ServedKind): Promise<void> {
    const uid = textField(entry.object, 'uid');
    const dependents = this.#graph.dependentsOf(uid);
    const blocking = dependents.filter(({ object }) =>
      ownersOf(object).some((owner) => owner.uid === uid && owner.blocksDeletion),
    );
    for (const dependent of dependents) {
      if (!isDeleting(dependent.object)) await this.#delete(dependent, 'Foreground');
    }
    if (blocking.length === 0) this.#removeFinalizer(entry, kind, foreground);
  }

  /** With another owner alive it stays, without those that are gone. */
  async #deleteIfAbandoned(entry: Entry, kind: ServedKind): Promise<void> {
    const owners = ownersOf(entry.object);
    const gone = owners.filter((owner) => !this.#exists(entry, owner.uid));
    if (gone.length === 0) return;
    if (gone.length === owners.length) return this.#delete(entry, 'Background');
    this.#update(entry, kind, (object) =>
      gone.reduce((rest, owner) => withoutOwner(rest, owner.uid), object),
    );
  }

  /** An owner in another namespace does not count. */
  #exists(dependent: Entry, uid: string): boolean {
    const owner = this.#graph.find(uid);
    return owner !== undefined && (owner.namespace === '' || owner.namespace === dependent.namespace);
  }

  async #delete(entry: Entry, propagationPolicy: Propagation): Promise<void> {
    const kind = this.#kindOf(entry);
    if (kind === undefined) return;
    const uid = textField(entry.object, 'uid');
    const present = listField(entry.object, 'finalizers');
    const policy = present.includes(orphan) ? 'Orphan' : propagationPolicy;
    await deleteObject(this.#parts, serverRequest(this.#parts, kind, entry), {
      uid,
      propagationPolicy: policy,
      dryRun: false,
    });
  }

  #removeFinalizer(entry: Entry, kind: ServedKind, finalizer: string): void {
    this.#update(entry, kind, (object) => {
      const others = listField(object, 'finalizers').filter((present) => present !== finalizer);
      return withMetadata(object, { finalizers: others.length > 0 ? others : undefined });
    });
  }

  #update(entry: Entry, kind: ServedKind, change: (object: JsonObject) => JsonObject): void {
    updateDirectly(this.#parts, serverRequest(this.#parts, kind, entry), '', change);
  }
}

function needsAttention(object: JsonObject): boolean {
  return isDeleting(object) || listField(object, 'ownerReferences').length > 0;
}

function withoutOwner(object: JsonObject, uid: string): JsonObject {
  const others = listField(object, 'ownerReferences').filter((owner) => member(owner, 'uid') !== uid);
  return withMetadata(object, { ownerReferences: others.length > 0 ? others : undefined });
}
