import { type KubeClient, kinds } from '@karpenter/kube/client';
import type { CloudWorld } from './world.ts';

export const quietStepMs = 500;

/**
 * Advances the clock only when there are no more writes, so that requests take no virtual time however busy
 * the host is.
 */
export async function passQuietly({ client, pass }: CloudWorld, stepMs = quietStepMs): Promise<void> {
  let last = await revision(client);
  for (let same = 0; same < 5; same += 1) {
    const now = await revision(client);
    if (now !== last) same = 0;
    last = now;
  }
  await pass(stepMs);
}

async function revision(client: KubeClient): Promise<string | undefined> {
  return (await client.list(kinds.namespace)).resourceVersion;
}
