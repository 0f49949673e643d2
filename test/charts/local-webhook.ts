import { type KubeClient, kinds } from '@karpenter/kube/client';

export { freePort } from '@karpenter/testkit/control-plane';

/** No network of pods exists here: the Service leads to this process by name instead of to the pods by selector. */
export async function leadServiceHere(client: KubeClient): Promise<void> {
  const spec = {
    type: 'ExternalName',
    externalName: '127.0.0.1',
    clusterIP: null,
    clusterIPs: null,
    selector: null,
  };
  const service = { namespace: 'kube-system', name: 'karpenter' };
  await client.patch(kinds.service, service, { type: 'merge', body: { spec } });
}
