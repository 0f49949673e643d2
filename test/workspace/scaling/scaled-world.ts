import { nodePools } from '@karpenter/controllers';
import { isConditionTrue, type NodePool } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { passQuietly } from '../../walkthroughs/quiet-pass.ts';
import { type CloudWorld, embeddedWorld, type WorldOptions } from '../../walkthroughs/world.ts';

/** Ten minutes of virtual time, far more than needed. */
const maxSteps = 1200;

/** On-demand instances, disrupted as the test says. */
export function poolWith(disruption: NodePool['spec']['disruption']): NodePool {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      template: {
        spec: {
          expireAfter: '720h',
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
            { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
          ],
        },
      },
      disruption,
    },
  };
}

/** A cluster without pods, and a NodePool that is ready. */
export async function worldWithPool(options: WorldOptions, pool: NodePool): Promise<CloudWorld> {
  const begun = await embeddedWorld(options);
  await begun.apply('01-first-node/nodeclass.yaml');
  await begun.client.create(nodePools, pool);
  await until(begun, 'a pool that is ready', async () => {
    const { status } = await begun.nodePool('default');
    return isConditionTrue({ conditions: status?.conditions ?? [] }, 'Ready');
  });
  return begun;
}

/** Advances the clock until the condition holds. */
export async function until(on: CloudWorld, what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; !(await isTrue()); steps += 1) {
    if (steps === maxSteps) throw new Error(`${what} did not happen within ten minutes of virtual time`);
    await passQuietly(on);
  }
}

export async function areRunning({ client }: CloudWorld, pods: number): Promise<boolean> {
  const { items } = await client.list(kinds.pod, { namespace: 'default' });
  return items.length === pods && items.every(({ status }) => status?.phase === 'Running');
}
