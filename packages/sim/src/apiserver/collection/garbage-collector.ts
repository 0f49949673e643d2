import type { JsonObject } from '@karpenter/core/schema';
import { member } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { Entry, StoreChange } from '../store/index.ts';
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
 * The garbage collector of kube-controller-manager: deletes objects whose owners are all gone, deletes
 * dependents before an owner with foreground deletion, and removes owner references before an owner that
 * orphans its dependents.
 */
export class GarbageCollector {
  readonly #parts: ApiServerParts;
  readonly #graph: OwnerGraph;
  readonly #queue = new Set<string>();
  readonly #retries: RetriedWork;
  #unsubscribe: () => void = () => undefined;
  #working: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
    this.#graph = new OwnerGraph(parts.store);
    this.#retries = new RetriedWork(parts);
  }

  start(): void {
    this.#retries.followStore();
    this.#unsubscribe = this.#parts.store.subscribe((change) => this.#accept(change));
    // After a restart, owners may have been deleted without their dependents.
    for (const { object } of this.#graph.all()) this.#enqueue(textField(object, 'uid'));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    await this.#working;
    await this.#retries.stop();
  }

  /** Queues the objects that a change may affect: the object itself, its owners and its dependents. */
  #accept(change: StoreChange): void {
    const { type, entry, previous } = change;
    const uid = textField(entry.object, 'uid');
    const affected = [uid, ...ownersOf(previous?.object ?? {}).map((owner) => owner.uid)];
    this.#graph.apply(change);
    if (type === 'DELETED' || isDeleting(entry.object)) {
      affected.push(...this.#graph.dependentsOf(uid).map(({ object }) => textField(object, 'uid')));
    }
    for (const each of affected) this.#enqueue(each);
  }

  #enqueue(uid: string): void {
    const entry = this.#graph.find(uid);
    if (entry === undefined || !isGarbageCandidate(entry.object)) return;
    this.#queue.add(uid);
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    while (this.#queue.size > 0 && !this.#isStopped) {
      // Yield to the event loop before each batch, so that requests are served in between.
      await new Promise(setImmediate);
      const batch = [...this.#queue];
      this.#queue.clear();
      for (const uid of batch) await this.#processOnce(uid);
    }
    this.#working = undefined;
  }

  async #processOnce(uid: string): Promise<void> {
    try {
      await this.#process(uid);
    } catch (error) {
      // An object that changed or disappeared meanwhile is queued again by its change event.
      if (!isRace(error)) this.#retries.start(uid, () => this.#process(uid));
    }
  }

  async #process(uid: string): Promise<void> {
    const entry = this.#graph.find(uid);
    const kind = entry && this.#kindOf(entry);
    if (entry === undefined || kind === undefined) return;
    if (isDeleting(entry.object)) await this.#finishDeletion(entry, kind);
    else await this.#deleteIfOwnerless(entry, kind);
  }

  #kindOf({ collection }: Entry): ServedKind | undefined {
    return this.#parts.registry.versionsOf(collection)[0];
  }

  async #finishDeletion(entry: Entry, kind: ServedKind): Promise<void> {
    const finalizers = listField(entry.object, 'finalizers');
    if (finalizers.includes(orphan)) {
      this.#orphanDependents(entry);
      this.#removeFinalizer(entry, kind, orphan);
    } else if (finalizers.includes(foreground)) await this.#deleteDependents(entry, kind);
  }

  #orphanDependents(entry: Entry): void {
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

  /**
   * Deletes an object without living owners. With at least one left, it only drops the references to the
   * others.
   */
  async #deleteIfOwnerless(entry: Entry, kind: ServedKind): Promise<void> {
    const owners = ownersOf(entry.object);
    const gone = owners.filter((owner) => !this.#ownerExists(entry, owner.uid));
    if (gone.length === 0) return;
    if (gone.length === owners.length) return this.#delete(entry, 'Background');
    this.#update(entry, kind, (object) =>
      gone.reduce((rest, owner) => withoutOwner(rest, owner.uid), object),
    );
  }

  /** An owner must be cluster-scoped or in the same namespace; others count as missing, as in Kubernetes. */
  #ownerExists(dependent: Entry, uid: string): boolean {
    const owner = this.#graph.find(uid);
    return owner !== undefined && (owner.namespace === '' || owner.namespace === dependent.namespace);
  }

  async #delete(entry: Entry, propagationPolicy: Propagation): Promise<void> {
    const kind = this.#kindOf(entry);
    if (kind === undefined) return;
    const uid = textField(entry.object, 'uid');
    const present = listField(entry.object, 'finalizers');
    // An orphan finalizer that the object already has wins over the policy of its owner.
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

function isGarbageCandidate(object: JsonObject): boolean {
  return isDeleting(object) || listField(object, 'ownerReferences').length > 0;
}

function withoutOwner(object: JsonObject, uid: string): JsonObject {
  const others = listField(object, 'ownerReferences').filter((owner) => member(owner, 'uid') !== uid);
  return withMetadata(object, { ownerReferences: others.length > 0 ? others : undefined });
}
