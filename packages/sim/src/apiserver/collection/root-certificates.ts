import type { ApiServerParts } from '../api-context.ts';
import type { StoreChange } from '../store/index.ts';
import { create } from '../writes/create.ts';
import { isDeleting } from '../writes/object-meta.ts';
import { RetriedWork } from './retried-work.ts';
import { serverRequest } from './server-request.ts';

const name = 'kube-root-ca.crt';
const note =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/**
 * The root CA publisher of kube-controller-manager: keeps the ConfigMap kube-root-ca.crt in every namespace.
 * Pods mount it to verify the API server.
 */
export class RootCertificates {
  readonly #parts: ApiServerParts;
  readonly #certificate: string;
  #unsubscribe: () => void = () => undefined;
  readonly #publishing: RetriedWork;

  constructor(parts: ApiServerParts, certificate: string) {
    this.#parts = parts;
    this.#certificate = certificate;
    this.#publishing = new RetriedWork(parts);
  }

  start(): void {
    const { store } = this.#parts;
    this.#publishing.followStore();
    for (const namespace of store.list('namespaces')) this.#startPublishing(namespace.name);
    this.#unsubscribe = store.subscribe((change) => this.#accept(change));
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#publishing.stop();
  }

  #accept({ type, entry }: StoreChange): void {
    if (entry.collection === 'namespaces' && type === 'ADDED') this.#startPublishing(entry.name);
    if (entry.collection === 'configmaps' && entry.name === name && type === 'DELETED')
      this.#startPublishing(entry.namespace);
  }

  #startPublishing(namespace: string): void {
    this.#publishing.start(namespace, () => this.#publish(namespace));
  }

  async #publish(namespace: string): Promise<void> {
    const { store, registry } = this.#parts;
    const kind = registry.find('', 'v1', 'configmaps');
    const namespaceEntry = store.get('namespaces', '', namespace);
    if (kind === undefined || namespaceEntry === undefined || isDeleting(namespaceEntry.object)) return;
    if (store.get('configmaps', namespace, name) !== undefined) return;
    const metadata = { name, namespace, annotations: { 'kubernetes.io/description': note } };
    await create(this.#parts, serverRequest(this.#parts, kind, { namespace, name: '' }), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { 'ca.crt': this.#certificate },
    });
  }
}
