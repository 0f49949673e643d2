import { kinds } from '@karpenter/kube/client';
import { startApiServer } from '@karpenter/sim/apiserver';
import { createCloud, InstanceBoots, type SimulatedCloud } from '@karpenter/sim/cloud';
import { Account } from '@karpenter/testkit/aws-conformance';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulatedCluster, simulateCluster } from '../workloads/simulated-cluster.ts';

let cluster: SimulatedCluster;
let cloud: SimulatedCloud;
let account: Account;

const clock = new VirtualClock();

/** User data as the provider renders it for Bottlerocket. */
function settingsFor({ world }: SimulatedCloud, clusterName: string): string {
  const text = `[settings]
[settings.kubernetes]
api-server = '${world.cluster.endpoint}'
cluster-certificate = '${world.cluster.certificateAuthority}'
cluster-name = '${clusterName}'
max-pods = 58

[settings.kubernetes.node-labels]
'karpenter.sh/nodepool' = 'default'

[settings.kubernetes.node-taints]
'karpenter.sh/unregistered' = [':NoExecute']
`;
  return Buffer.from(text).toString('base64');
}

async function launch(clusterName: string): Promise<string> {
  const path = `/aws/service/bottlerocket/aws-k8s-${account.cloud.version}/x86_64/latest/image_id`;
  const { Parameter } = await account.aws.ssm.getParameter({ Name: path });
  const template = await account.template({
    ImageId: Parameter?.Value,
    UserData: settingsFor(cloud, clusterName),
    IamInstanceProfile: { Name: await account.profile() },
  });
  const { SubnetId } = await account.subnet();
  const [id = ''] = await account.running({ template, overrides: [{ InstanceType: 'm5.xlarge', SubnetId }] });
  return id;
}

beforeAll(async () => {
  cluster = await simulateCluster(await startApiServer({ clock }), clock);
  cloud = createCloud({ clock, seed: 1, clusterName: 'prod' });
  const boots = new InstanceBoots({
    cloud,
    seed: 1,
    startNode: (node) => cluster.fleet.start(node),
    terminateNode: (name) => cluster.fleet.terminate(name),
  });
  boots.start();
  account = new Account(
    {
      services: cloud.services,
      clusterName: 'prod',
      region: cloud.world.region,
      version: cloud.world.cluster.version,
      settle: (milliseconds) => clock.advance(milliseconds),
    },
    'join',
  );
}, 120_000);

afterAll(async () => {
  cloud.stop();
  await cluster.stop();
});

describe('an instance of the simulated cloud', () => {
  it('joins the embedded cluster as a node, which is deleted with the instance', async () => {
    const id = await launch('prod');
    await clock.advance(60_000);
    const name = cloud.world.instances.get(id)?.privateDnsName ?? '';
    await cluster
      .eventually(() => cluster.client.get(kinds.node, { name }))
      .toMatchObject({
        metadata: {
          labels: { 'karpenter.sh/nodepool': 'default', 'node.kubernetes.io/instance-type': 'm5.xlarge' },
        },
        spec: {
          providerID: `aws:///${cloud.world.instances.get(id)?.zone}/${id}`,
          taints: expect.arrayContaining([
            expect.objectContaining({ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }),
          ]),
        },
        status: { capacity: { cpu: '4', pods: '58' } },
      });
    cloud.terminate(id);
    expect(cluster.fleet.has(name)).toBe(false);
  });

  it('whose user data names another cluster runs and never joins', async () => {
    const id = await launch('other');
    await clock.advance(600_000);
    const instance = cloud.world.instances.get(id);
    expect(instance?.state).toBe('running');
    expect(cluster.fleet.has(instance?.privateDnsName ?? '')).toBe(false);
  });
});
