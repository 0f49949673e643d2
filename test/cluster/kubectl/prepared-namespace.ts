import type { ControlPlaneClient } from '@karpenter/testkit/control-plane';
import { expectSuccess } from '../shared-control-plane.ts';

/** A namespace with everything that controllers create in a new one. */
export async function prepareNamespace(plane: ControlPlaneClient, name: string): Promise<void> {
  await expectSuccess(plane.kubectl(['create', 'namespace', name]));
  for (const made of ['serviceaccount/default', 'configmap/kube-root-ca.crt'])
    await expectSuccess(
      plane.kubectl(['wait', '--for=create', made, `--namespace=${name}`, '--timeout=20s']),
    );
}
