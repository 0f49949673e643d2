import type { ApiServerParts } from '../api-context.ts';
import { StatusError } from '../status/status-error.ts';
import type { Change } from '../store/index.ts';
import { create } from '../writes/create.ts';
import { isDeleting } from '../writes/object-meta.ts';
import { serverRequest } from './server-request.ts';

const accounts = 'serviceaccounts';
const name = 'default';

/** Gives every namespace the account that its pods run as unless told, and gives it back when it is deleted. */
export class ServiceAccountController {
  readonly #parts: ApiServerParts;
  readonly #unsubscribe: () => void;
  readonly #unsubscribeFailures: () => void;
  readonly #making = new Set<Promise<void>>();

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.store.subscribe((change) => this.#accept(change));
    this.#unsubscribeFailures = parts.store.subscribeToFailures({ resumed: () => this.#ensureAll() });
    this.#ensureAll();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#unsubscribeFailures();
    await Promise.all(this.#making);
  }

  #ensureAll(): void {
    for (const entry of this.#parts.store.list('namespaces')) this.#ensure(entry.name);
  }

  #accept({ type, entry }: Change): void {
    if (entry.collection === 'namespaces' && type === 'ADDED') this.#ensure(entry.name);
    if (entry.collection === accounts && type === 'DELETED' && entry.name === name)
      this.#ensure(entry.namespace);
  }

  #ensure(namespace: string): void {
    const work = this.#make(namespace).finally(() => this.#making.delete(work));
    this.#making.add(work);
  }

  async #make(namespace: string): Promise<void> {
    await new Promise(setImmediate);
    const { store, registry } = this.#parts;
    const home = store.get('namespaces', '', namespace);
    const kind = registry.find('', 'v1', accounts);
    const isWanted = home !== undefined && !isDeleting(home.object) && !store.get(accounts, namespace, name);
    if (kind === undefined || !isWanted) return;
    try {
      await create(this.#parts, serverRequest(this.#parts, kind, { namespace, name: '' }), {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name },
      });
    } catch (error) {
      // Somebody else was first, the namespace is going, or it could not be saved and is tried again when it can.
      if (!(error instanceof StatusError)) throw error;
    }
  }
}
