import { isJsonArray, type JsonObject, member } from '@karpenter/core/schema';
import type { ApiServerParts } from '../api-context.ts';
import type { Change, Entry } from '../store/index.ts';
import { deleteUnlessGone } from '../writes/delete.ts';
import { updateDirectly } from '../writes/direct-update.ts';
import { isDeleting } from '../writes/object-meta.ts';
import { RetriedWork } from './retried-work.ts';
import { serverRequest } from './server-request.ts';

const collection = 'namespaces';

/** Empties namespaces that are going, then lets them go. */
export class NamespaceController {
  readonly #parts: ApiServerParts;
  readonly #unsubscribe: () => void;
  readonly #emptying: RetriedWork;

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
    this.#emptying = new RetriedWork(parts);
    this.#unsubscribe = parts.store.subscribe((change) => this.#accept(change));
    for (const { name, object } of parts.store.list(collection)) if (isDeleting(object)) this.#empty(name);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#emptying.stop();
  }

  #accept({ type, entry }: Change): void {
    if (entry.collection === collection && type !== 'DELETED' && isDeleting(entry.object))
      this.#empty(entry.name);
    if (type === 'DELETED' && entry.namespace !== '' && this.#isGoing(entry.namespace))
      this.#empty(entry.namespace);
  }

  #isGoing(name: string): boolean {
    const namespace = this.#parts.store.get(collection, '', name);
    return namespace !== undefined && isDeleting(namespace.object);
  }

  #empty(name: string): void {
    this.#emptying.start(name, () => this.#deleteContents(name));
  }

  async #deleteContents(name: string): Promise<void> {
    const going = this.#contents(name).filter(({ object }) => !isDeleting(object));
    const outcomes = await Promise.allSettled(going.map((entry) => this.#delete(entry)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    // What could be deleted is; the rest is tried again.
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
    if (kind === undefined || !this.#isGoing(name)) return;
    updateDirectly(
      this.#parts,
      serverRequest(this.#parts, kind, { namespace: '', name }),
      'finalize',
      withoutOwnFinalizer,
    );
  }
}

/** Other finalizers in the spec are for those to take away who put them there. */
function withoutOwnFinalizer(object: JsonObject): JsonObject {
  const finalizers = member(object['spec'], 'finalizers');
  const others =
    finalizers !== undefined && isJsonArray(finalizers)
      ? finalizers.filter((finalizer) => finalizer !== 'kubernetes')
      : [];
  return { ...object, spec: others.length > 0 ? { finalizers: others } : {} };
}
