import { nodePools } from '@karpenter/controllers';
import { isConditionTrue, type NodePool } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, describe, expect, it } from 'vitest';
import { type CloudWorld, embeddedWorld } from '../walkthroughs/world.ts';

// The sample NodePool and deployment of `karpenter dev`, on its simulated market at an hour when one larger
// instance costs less than several small ones: $0.1052 for 5 pods against $0.1096 on three instances, $0.2090
// for 12 against $0.2148 on four, and with a DaemonSet $0.0562 for 2 against $0.0534 on two, each of which
// also has a root volume.

let world: CloudWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const startAt = Date.UTC(2026, 10, 15, 22, 10);

const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        expireAfter: '720h',
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
          { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['4'] },
        ],
      },
    },
    limits: { cpu: '1000' },
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: 'Never', budgets: [{ nodes: '0' }] },
  },
};

const template = (name: string, cpu: string) => ({
  metadata: { labels: { app: name } },
  spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu } } }] },
});

const workload = (name: string, cpu: string) => ({
  metadata: { name, namespace: 'default' },
  spec: { selector: { matchLabels: { app: name } }, template: template(name, cpu) },
});

async function nodesFor(replicas: number, daemonCpu?: string): Promise<number> {
  const begun = await embeddedWorld({ startAt });
  world = begun;
  await begun.apply('01-first-node/nodeclass.yaml');
  await begun.client.create(nodePools, pool);
  if (daemonCpu !== undefined) await begun.client.create(kinds.daemonSet, workload('agent', daemonCpu));
  await begun
    .eventually(async () => {
      const { status } = await begun.nodePool('default');
      return isConditionTrue({ conditions: status?.conditions ?? [] }, 'Ready');
    })
    .toBe(true);
  const { spec, ...inflate } = workload('inflate', '1');
  await begun.client.create(kinds.deployment, { ...inflate, spec: { ...spec, replicas } });
  const isPlanned = ({ message }: { readonly message: string }) =>
    message.startsWith('computed new nodeclaim');
  await begun.eventually(() => Promise.resolve(begun.log.filter(isPlanned).length)).toBe(1);
  return Number(begun.log.find(isPlanned)?.['nodeclaims']);
}

describe('the sample deployment', () => {
  it.each([5, 12])('gets one node for %i replicas if that costs less than several', async (replicas) => {
    expect(await nodesFor(replicas)).toBe(1);
  });

  it('gets one node for two replicas if each node also runs a daemon pod', async () => {
    expect(await nodesFor(2, '500m')).toBe(1);
  });
});
