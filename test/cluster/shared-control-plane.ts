import { randomBytes } from 'node:crypto';
import {
  type ControlPlaneClient,
  type ControlPlaneConnection,
  connectControlPlane,
} from '@karpenter/testkit/control-plane';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    controlPlane: ControlPlaneConnection;
  }
}

/** The control plane that global-setup.ts started. Other tests use it too: keep to a namespace of your own. */
export function sharedControlPlane(): ControlPlaneClient {
  return connectControlPlane(inject('controlPlane'));
}

/** Creates a namespace with an unused name, ready for pods: it has its `default` service account. */
export async function createNamespace(plane: ControlPlaneClient): Promise<string> {
  const name = unusedName();
  await expectSuccess(plane.kubectl(['create', 'namespace', name]));
  await expectSuccess(
    plane.kubectl(['wait', '--for=create', 'serviceaccount/default', `--namespace=${name}`, '--timeout=30s']),
  );
  return name;
}

export function unusedName(): string {
  return `test-${randomBytes(5).toString('hex')}`;
}

export async function expectSuccess(call: ReturnType<ControlPlaneClient['kubectl']>): Promise<void> {
  const { code, stderr } = await call;
  if (code !== 0) throw new Error(`kubectl exited with code ${code}: ${stderr.trim()}`);
}
