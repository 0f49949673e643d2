import type { ApiServerParts } from '../api-context.ts';
import type { Change } from '../store/index.ts';
import { create } from '../writes/create.ts';
import { isDeleting } from '../writes/object-meta.ts';
import { RetriedWork } from './retried-work.ts';
import { serverRequest } from './server-request.ts';

const accounts = 'serviceaccounts';
const name = 'default';

/** Gives every namespace the account that its pods run as unless told, and gives it back when it is deleted. */
export class ServiceAccountController {
  readonly #parts: ApiServerParts;
  readonly #unsubscribe: () => void;
  readonly #making: RetriedWork;

  constructor(parts: ApiServerParts) {
    this.#parts = parts;
    this.#making = new RetriedWork(parts);
    this.#unsubscribe = parts.store.subscribe((change) => this.#accept(change));
    for (const entry of parts.store.list('namespaces')) this.#ensure(entry.name);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#making.stop();
  }

  #accept({ type, entry }: Change): void {
    if (entry.collection === 'namespaces' && type === 'ADDED') this.#ensure(entry.name);
    if (entry.collection === accounts && type === 'DELETED' && entry.name === name)
      this.#ensure(entry.namespace);
  }

  #ensure(namespace: string): void {
    this.#making.start(namespace, () => this.#make(namespace));
  }

  async #make(namespace: string): Promise<void> {
    const { store, registry } = this.#parts;
    const home = store.get('namespaces', '', namespace);
    const kind = registry.find('', 'v1', accounts);
    const isWanted = home !== undefined && !isDeleting(home.object) && !store.get(accounts, namespace, name);
    if (kind === undefined || !isWanted) return;
    await create(this.#parts, serverRequest(this.#parts, kind, { namespace, name: '' }), {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name },
    });
  }
}
