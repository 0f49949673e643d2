import { isJsonArray, type JsonObject, member } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import type { Entry, StoreChange } from '../store/index.ts';
import { deleteUnlessGone } from '../writes/delete.ts';
import { updateDirectly } from '../writes/direct-update.ts';
import { isDeleting } from '../writes/object-meta.ts';
import { RetriedWork } from './retried-work.ts';
import { serverRequest } from './server-request.ts';

const collection = 'namespaces';

/** Deletes the contents of terminating namespaces, then removes their `kubernetes` finalizer. */
export class NamespaceController {
  readonly #parts: ApiServerParts;
  #unsubscribe: () => void = () => undefined;
  readonly #deletions: RetriedWork;

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
    this.#deletions = new RetriedWork(parts);
  }

  start(): void {
    const { store } = this.#parts;
    this.#deletions.followStore();
    this.#unsubscribe = store.subscribe((change) => this.#accept(change));
    for (const { name, object } of store.list(collection)) if (isDeleting(object)) this.#startDeletion(name);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#deletions.stop();
  }

  #accept({ type, entry }: StoreChange): void {
    if (entry.collection === collection && type !== 'DELETED' && isDeleting(entry.object))
      this.#startDeletion(entry.name);
    if (type === 'DELETED' && entry.namespace !== '' && this.#isTerminating(entry.namespace))
      this.#startDeletion(entry.namespace);
  }

  #isTerminating(name: string): boolean {
    const namespace = this.#parts.store.get(collection, '', name);
    return namespace !== undefined && isDeleting(namespace.object);
  }

  #startDeletion(name: string): void {
    this.#deletions.start(name, () => this.#deleteContents(name));
  }

  async #deleteContents(name: string): Promise<void> {
    const remaining = this.#contents(name).filter(({ object }) => !isDeleting(object));
    const outcomes = await Promise.allSettled(remaining.map((entry) => this.#delete(entry)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    // Everything that could be deleted is deleted; the error makes the rest retry.
    if (failed !== undefined) throw failed.reason;
    if (this.#contents(name).length === 0) this.#release(name);
  }

  #contents(name: string): readonly Entry[] {
    const { store } = this.#parts;
    return store
      .collections()
      .flatMap((each) => store.list(each).filter(({ namespace }) => namespace === name));
  }

  async #delete(entry: Entry): Promise<void> {
    const [kind] = this.#parts.registry.versionsOf(entry.collection);
    if (kind === undefined) return;
    await deleteUnlessGone(this.#parts, serverRequest(this.#parts, kind, entry), {
      propagationPolicy: 'Background',
      dryRun: false,
    });
  }

  #release(name: string): void {
    const kind = this.#parts.registry.find('', 'v1', collection);
    if (kind === undefined || !this.#isTerminating(name)) return;
    updateDirectly(
      this.#parts,
      serverRequest(this.#parts, kind, { namespace: '', name }),
      'finalize',
      withoutOwnFinalizer,
    );
  }
}

/** Other finalizers in the spec belong to those who added them. */
function withoutOwnFinalizer(object: JsonObject): JsonObject {
  const finalizers = member(object['spec'], 'finalizers');
  const others =
    finalizers !== undefined && isJsonArray(finalizers)
      ? finalizers.filter((finalizer) => finalizer !== 'kubernetes')
      : [];
  return { ...object, spec: others.length > 0 ? { finalizers: others } : {} };
}
