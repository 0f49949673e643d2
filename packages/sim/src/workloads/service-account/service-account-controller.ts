import { isAlreadyExists, isNamespaceTerminating, isNotFound, kinds } from '@karpenter/kube/client';
import { changesOf } from '@karpenter/kube/runtime';
import type { ControllerSetup, WorkloadControllerContext } from '../controller-setup.ts';

/** Creates the ServiceAccount `default` in every namespace, without which the API server rejects pods. */
export function serviceAccountController({ caches, client }: WorkloadControllerContext): ControllerSetup {
  const namespaces = caches.of(kinds.namespace);
  const accounts = caches.of(kinds.serviceAccount);

  async function reconcile(namespace: string): Promise<undefined> {
    const isBeingDeleted = namespaces.get({ name: namespace })?.metadata?.deletionTimestamp !== undefined;
    if (namespaces.get({ name: namespace }) === undefined || isBeingDeleted) return;
    if (accounts.get({ namespace, name: 'default' }) !== undefined) return;
    try {
      await client.create(kinds.serviceAccount, { metadata: { name: 'default', namespace } });
    } catch (error) {
      if (!isAlreadyExists(error) && !isNotFound(error) && !isNamespaceTerminating(error)) throw error;
    }
  }

  return {
    controller: { name: 'serviceaccount', concurrency: 5, reconcile },
    sources: [
      changesOf(namespaces),
      changesOf(accounts, ({ type, object }) =>
        type === 'deleted' ? [object.metadata?.namespace ?? ''] : [],
      ),
    ],
  };
}
