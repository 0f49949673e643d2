import { startControlPlane } from '@karpenter/testkit/control-plane';
import type { TestProject } from 'vitest/node';

/** Starts one control plane for the whole tier; tests reach it with `sharedControlPlane()`. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { url, caPem, token, kubeconfigPath, binary, stop } = await startControlPlane();
  project.provide('controlPlane', { url, caPem, token, kubeconfigPath, binary });
  return stop;
}
