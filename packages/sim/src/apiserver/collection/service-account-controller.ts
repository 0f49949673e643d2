import type { ApiServerParts } from '../api-context.ts';
import type { StoreChange } from '../store/index.ts';
import { create } from '../writes/create.ts';
import { isDeleting } from '../writes/object-meta.ts';
import { RetriedWork } from './retried-work.ts';
import { serverRequest } from './server-request.ts';

const accounts = 'serviceaccounts';
const name = 'default';

/**
 * Keeps the service account `default` in every namespace. Pods that name no account use it, so it is created
 * again when it is deleted.
 */
export class ServiceAccountController {
  readonly #parts: ApiServerParts;
  #unsubscribe: () => void = () => undefined;
  readonly #creations: RetriedWork;

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
    this.#creations = new RetriedWork(parts);
  }

  start(): void {
    const { store } = this.#parts;
    this.#creations.followStore();
    this.#unsubscribe = store.subscribe((change) => this.#accept(change));
    for (const entry of store.list('namespaces')) this.#ensure(entry.name);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#creations.stop();
  }

  #accept({ type, entry }: StoreChange): void {
    if (entry.collection === 'namespaces' && type === 'ADDED') this.#ensure(entry.name);
    if (entry.collection === accounts && type === 'DELETED' && entry.name === name)
      this.#ensure(entry.namespace);
  }

  #ensure(namespace: string): void {
    this.#creations.start(namespace, () => this.#create(namespace));
  }

  async #create(namespace: string): Promise<void> {
    const { store, registry } = this.#parts;
    const namespaceEntry = store.get('namespaces', '', namespace);
    const kind = registry.find('', 'v1', accounts);
    const isMissing =
      namespaceEntry !== undefined &&
      !isDeleting(namespaceEntry.object) &&
      !store.get(accounts, namespace, name);
    if (kind === undefined || !isMissing) return;
    await create(this.#parts, serverRequest(this.#parts, kind, { namespace, name: '' }), {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name },
    });
  }
}
