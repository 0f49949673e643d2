import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controllerPolicies, policyScope } from '@karpenter/aws/iam-policies';
import { type CheckResult, preflight } from '@karpenter/aws/preflight';
import { inspectedCluster, startEmbeddedCluster } from '@karpenter/cli/embedded';
import { connect, type KubeClient, kinds } from '@karpenter/kube/client';
import type { SimulatedCloud } from '@karpenter/sim/cloud';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const clusterName = 'dev';
const directory = mkdtempSync(join(tmpdir(), 'karpenter-preflight-'));

let cluster: Awaited<ReturnType<typeof startEmbeddedCluster>>;
let client: KubeClient;
let cloud: SimulatedCloud;
beforeEach(async () => {
  cluster = await startEmbeddedCluster({ kubeconfig: join(directory, 'kubeconfig'), isEmpty: false });
  client = connect(cluster.config);
  ({ cloud } = cluster.account);
  // Whoever installs may read roles and access entries; the controller may not.
  cloud.enforcePolicies(undefined);
  // The nodes of the node group join after the start.
  await expect.poll(readyNodes, { timeout: 50_000 }).toBe(2);
});
afterEach(async () => {
  await client.close();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function readyNodes(): Promise<number> {
  const { items } = await client.list(kinds.node);
  return items.filter(({ status }) =>
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
  ).length;
}

async function results(overrides: { readonly clusterName?: string } = {}): Promise<readonly CheckResult[]> {
  return preflight({
    services: cluster.account.services,
    region: cluster.account.region,
    clusterName,
    nodeRole: `KarpenterNodeRole-${clusterName}`,
    queue: clusterName,
    cluster: await inspectedCluster({ client, server: cluster.url }),
    ...overrides,
  });
}

/** The results that are not fine, as `check verdict`. */
function problems(found: readonly CheckResult[]): readonly string[] {
  return found
    .filter(({ verdict }) => verdict !== 'passed')
    .map(({ check, verdict }) => `${check} ${verdict}`);
}

function named(found: readonly CheckResult[], check: string): CheckResult {
  const result = found.find((each) => each.check === check && each.verdict !== 'passed');
  if (result === undefined) throw new Error(`nothing is wrong with ${check}`);
  return result;
}

describe('preflight', () => {
  it('finds nothing wrong with the cluster and the account of dev', async () => {
    expect(problems(await results())).toEqual([]);
  });

  it('names thirteen defects at once, each with what fixes it', async () => {
    await plantDefects();
    const found = await results();
    expect([...problems(found)].sort()).toEqual(
      [
        'controller-nodes failed',
        'crds failed',
        'crds failed',
        'crds warning',
        'eks-cluster failed',
        'interruption-queue failed',
        'metadata-hop-limit warning',
        'node-role-joins failed',
        'other-autoscalers warning',
        'permissions failed',
        'security-groups failed',
        'spot-service-linked-role failed',
        'subnets warning',
      ].sort(),
    );
    expect(found.filter(({ verdict, fix = '' }) => verdict !== 'passed' && fix === '')).toEqual([]);
    expect(fixes(found)).toMatchObject({
      'controller-nodes': expect.stringContaining('eksctl create nodegroup --cluster dev'),
      crds: expect.stringContaining('helm upgrade --install karpenter-crd'),
      'eks-cluster': 'aws eks update-kubeconfig --name dev --region us-west-2',
      'interruption-queue': expect.stringContaining('aws cloudformation deploy'),
      'metadata-hop-limit': expect.stringContaining('aws ec2 modify-instance-metadata-options'),
      'node-role-joins': expect.stringContaining('aws eks create-access-entry --cluster-name dev'),
      'other-autoscalers': expect.stringContaining('kubectl scale deployment cluster-autoscaler'),
      permissions: expect.stringContaining('KarpenterControllerResourceDiscoveryPolicy-dev'),
      'security-groups': expect.stringContaining('aws ec2 create-tags'),
      'spot-service-linked-role': 'aws iam create-service-linked-role --aws-service-name spot.amazonaws.com',
      subnets: expect.stringContaining('aws ec2 create-tags'),
    });
    expect(named(found, 'permissions').message).toContain('ec2:DescribeImages');
    expect(named(found, 'node-role-joins').message).toContain('KarpenterNodeRole-dev');
  });

  it('fails for a cluster, subnets and a role that do not exist', async () => {
    for (const { tags } of cloud.world.subnets.values()) tags.delete('karpenter.sh/discovery');
    cloud.world.roles.clear();
    const found = await results({ clusterName: 'other' });
    expect(named(found, 'eks-cluster').message).toBe('EKS has no cluster other in us-west-2');
    expect(named(found, 'subnets').verdict).toBe('failed');
    expect(named(found, 'node-role').message).toBe('there is no role KarpenterNodeRole-dev for the nodes');
  });

  it('notices a role without a permission that launches need', async () => {
    const { world } = cloud;
    const { accountId, region } = world;
    const scope = policyScope({ partition: 'aws', region, accountId, clusterName });
    const documents = controllerPolicies(scope).map(({ document }) => document);
    const noticed = async (sid: string) => {
      cloud.enforcePolicies(
        documents.map(({ Version, Statement }) => ({
          Version,
          Statement: Statement.filter(({ Sid }) => Sid !== sid),
        })),
      );
      return (await results()).filter(({ verdict }) => verdict === 'failed').map(({ message }) => message);
    };
    const launch = 'the caller may not ec2:RunInstances';
    expect(await noticed('')).toEqual([]);
    expect(await noticed('AllowScopedEC2InstanceAccessActions')).toEqual([launch]);
    expect(await noticed('AllowScopedEC2InstanceActionsWithTags')).toContain(launch);
    expect(await noticed('AllowInstanceProfileReadActions')).toEqual([
      'the caller may not iam:GetInstanceProfile',
    ]);
    expect([...world.instances, ...world.launchTemplates]).toEqual([]);
  });

  it('says what is denied and what is unclear', async () => {
    const busy = { call: 'pricing:*', chance: 1, times: 100, code: 'Busy', message: 'wait', status: 400 };
    cloud.faults.set({ deny: ['ec2:DescribeImages'], errors: [busy] });
    expect(problems(await results())).toEqual(['permissions failed', 'permissions unknown']);
  });

  it.each([
    ['another role whose name begins alike', 'KarpenterNodeRole-dev-old', 'failed'],
    ['the role', 'KarpenterNodeRole-dev', 'passed'],
  ])('reads in aws-auth that instances with %s may join', async (_, mapped, verdict) => {
    const role = `arn:aws:iam::${cloud.world.accountId}:role/${mapped}`;
    const commented = `# - rolearn: arn:aws:iam::${cloud.world.accountId}:role/KarpenterNodeRole-dev`;
    await client.create(kinds.configMap, {
      metadata: { namespace: 'kube-system', name: 'aws-auth' },
      data: { mapRoles: `${commented}\n- rolearn: "${role}"\n  groups: [system:nodes]\n` },
    });
    cloud.world.cluster = { ...cloud.world.cluster, accessEntries: [] };
    const joins = (await results()).find(({ check }) => check === 'node-role-joins');
    expect(joins?.verdict).toBe(verdict);
  });

  it('fails for an access entry with which no instance joins', async () => {
    const arn = `arn:aws:iam::${cloud.world.accountId}:role/KarpenterNodeRole-dev`;
    cloud.world.cluster = { ...cloud.world.cluster, accessEntryTypes: { [arn]: 'STANDARD' } };
    const { verdict, message, fix } = named(await results(), 'node-role-joins');
    expect(verdict).toBe('failed');
    expect(message).toContain('has the type STANDARD');
    expect(fix).toContain('aws eks delete-access-entry --cluster-name dev');
    expect(fix).toContain('aws eks create-access-entry --cluster-name dev');
  });

  it('warns of subnets with few addresses left', async () => {
    for (const subnet of cloud.world.subnets.values()) subnet.lease(subnet.total - 1);
    expect(named(await results(), 'subnet-addresses').message).toMatch(/subnet-\w+ has 1 addresses left/);
  });

  it('stops at credentials that AWS does not accept', async () => {
    cloud.faults.set({
      errors: [
        { call: 'sts:*', chance: 1, times: 100, code: 'ExpiredToken', message: 'expired', status: 403 },
      ],
    });
    const found = await results();
    expect(problems(found)).toEqual(['aws-credentials failed']);
    expect(found).toHaveLength(1);
  });

  it('says what it could not look at, and goes on', async () => {
    cloud.faults.set({ deny: ['iam:GetRole'] });
    expect(problems(await results())).toEqual(['node-role unknown', 'spot-service-linked-role unknown']);
  });
});

function fixes(found: readonly CheckResult[]): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    found.filter(({ verdict }) => verdict !== 'passed').map(({ check, fix }) => [check, fix]),
  );
}

async function plantDefects(): Promise<void> {
  await plantNode();
  plantInAccount();
  await plantInCluster();
}

function plantInAccount(): void {
  const { world } = cloud;
  const [first] = [...world.subnets.values()];
  for (const { zone, tags } of world.subnets.values())
    if (zone !== first?.zone) tags.delete('karpenter.sh/discovery');
  for (const { tags } of world.securityGroups.values()) tags.delete('karpenter.sh/discovery');
  world.queues.clear();
  world.cluster = { ...world.cluster, accessEntries: [], endpoint: 'https://other.eks.amazonaws.com' };
  const spot = { ...cloud.faults.current.spot, serviceLinkedRole: 'missing' } as const;
  cloud.faults.set({ deny: ['ec2:DescribeImages'], spot });
}

/** A node of a node group whose pods do not reach the metadata service; it is not ready. */
async function plantNode(): Promise<void> {
  const { Instances = [] } = await cluster.account.services.ec2.runInstances({
    ImageId: [...cloud.world.images.keys()][0],
    SubnetId: [...cloud.world.subnets.keys()][0],
    InstanceType: 'm5.large',
    MetadataOptions: { HttpPutResponseHopLimit: 1 },
    MinCount: 1,
    MaxCount: 1,
  });
  const providerID = `aws:///us-west-2a/${Instances[0]?.InstanceId}`;
  await client.create(kinds.node, { metadata: { name: 'hops' }, spec: { providerID } });
}

async function plantInCluster(): Promise<void> {
  const merge = (body: object) => ({ type: 'merge', body }) as const;
  const definition = kinds.customResourceDefinition;
  await client.delete(definition, { name: 'nodeoverlays.karpenter.sh' });
  await client.patch(
    definition,
    { name: 'nodepools.karpenter.sh' },
    merge({ status: { storedVersions: ['v1beta1', 'v1'] } }),
    { subresource: 'status' },
  );
  const claims = await client.get(definition, { name: 'nodeclaims.karpenter.sh' });
  const versions = claims.spec.versions.map((version) => ({
    ...version,
    schema: { openAPIV3Schema: { ...version.schema?.openAPIV3Schema, description: 'an older one' } },
  }));
  await client.patch(definition, { name: 'nodeclaims.karpenter.sh' }, merge({ spec: { versions } }));
  const node = (await client.list(kinds.node)).items.find(({ metadata }) => metadata?.name !== 'hops');
  await client.patch(
    kinds.node,
    { name: node?.metadata?.name ?? '' },
    merge({ spec: { unschedulable: true } }),
  );
  const labels = { app: 'cluster-autoscaler' };
  await client.create(kinds.deployment, {
    metadata: { namespace: 'kube-system', name: 'cluster-autoscaler', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'b' }] } },
    },
  });
}
