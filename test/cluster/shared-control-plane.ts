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

/** The control plane of global-setup.ts. Other tests share it, so each keeps to its own namespace. */
export function sharedControlPlane(): ControlPlaneClient {
  return connectControlPlane(inject('controlPlane'));
}

/** Creates a namespace with an unused name and waits for its `default` service account, which pods need. */
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
