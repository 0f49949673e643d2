import { ec2NodeClasses } from '@karpenter/aws';
import type { EmbeddedCluster } from '@karpenter/cli/embedded';
import { nodeClaims, nodePools } from '@karpenter/controllers';
import { formatTimestamp } from '@karpenter/core/api';
import { type KubeClient, kinds } from '@karpenter/kube/client';
import { Account, present } from '@karpenter/testkit/aws-conformance';
import { expect } from 'vitest';
import { nodeClassHashOf, nodePoolHashOf } from './karpenter-hashes.ts';
import {
  annotationsOf,
  claimStatus,
  expireAfterHours,
  type LaunchedInstance,
  labelsOf,
  nodeClaim,
  nodeClass,
  nodeClassRef,
  nodePool,
  role,
  type Stamps,
  tags,
} from './karpenter-objects.ts';

/** The virtual clock, or one that waits. */
export interface AdvancingClock {
  now(): number;
  /** Lets so many milliseconds pass. */
  advance(milliseconds: number): Promise<void>;
}

export interface KarpenterCluster {
  readonly cluster: Pick<EmbeddedCluster, 'account' | 'config'>;
  readonly client: KubeClient;
  readonly clock: AdvancingClock;
}

/** The hashes that Karpenter 1.14 computes for the NodePool and the NodeClass of this cluster. */
export function currentStamps({ cluster }: Pick<KarpenterCluster, 'cluster'>): Stamps {
  const caBundle = Buffer.from(String(cluster.config.ca)).toString('base64');
  return {
    nodePool: { hash: nodePoolHashOf({ nodeClass: nodeClassRef, expireAfterHours }), version: 'v3' },
    nodeClass: { hash: nodeClassHashOf({ role, tags, amiFamily: 'AL2023', caBundle }), version: 'v5' },
  };
}

/**
 * Leaves the cluster and the account as Karpenter does: a NodePool, a NodeClass, and an instance with NodeClaim and
 * Node for each name.
 */
export async function leaveAsKarpenter(
  karpenter: KarpenterCluster,
  names: readonly string[],
  stamps: Stamps = currentStamps(karpenter),
): Promise<void> {
  const { client } = karpenter;
  const account = accountOf(karpenter);
  const pool = await client.create(nodePools, nodePool(stamps));
  const stored = await client.create(ec2NodeClasses, nodeClass(stamps));
  const profile = await managedProfile(karpenter, stored.metadata.uid ?? '');
  for (const name of names) {
    const instance = await launch(karpenter, account, { name, profile });
    const claim = await client.create(nodeClaims, nodeClaim(instance, stamps, pool.metadata.uid ?? ''));
    const status = claimStatus(instance, formatTimestamp(karpenter.clock.now()));
    await client.patch(nodeClaims, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
    await register(karpenter, instance, { stamps, claimUid: claim.metadata.uid ?? '' });
  }
}

function accountOf({ cluster, clock }: KarpenterCluster): Account {
  const { services, region, cloud } = cluster.account;
  // What Karpenter has left here was made under policies of its own.
  cloud.enforcePolicies(undefined);
  const settle = (milliseconds: number) => clock.advance(milliseconds);
  const { version } = cloud.world.cluster;
  return new Account({ services, clusterName: 'dev', region, version, settle }, 'karpenter.k8s.aws');
}

const clusterTags = {
  ...tags,
  'kubernetes.io/cluster/dev': 'owned',
  'eks:eks-cluster-name': 'dev',
  'karpenter.k8s.aws/ec2nodeclass': 'default',
} as const;
const tagList = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([Key, Value]) => ({ Key, Value }));

/** The instance profile that Karpenter manages for the role of the NodeClass; it is in the status. */
async function managedProfile({ cluster, client, clock }: KarpenterCluster, uid: string): Promise<string> {
  const { iam } = cluster.account.services;
  const InstanceProfileName = 'dev_4067990795380418201';
  const Tags = tagList({ ...clusterTags, 'topology.kubernetes.io/region': 'us-west-2' });
  const Path = `/karpenter/us-west-2/dev/${uid}/`;
  await answered(clock, iam.createInstanceProfile({ InstanceProfileName, Path, Tags }));
  await answered(clock, iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName: role }));
  const body = { status: { instanceProfile: InstanceProfileName } };
  await client.patch(ec2NodeClasses, { name: 'default' }, { type: 'merge', body }, { subresource: 'status' });
  return InstanceProfileName;
}

/** Calls of the simulated account take time on the clock. */
async function answered<T>(clock: AdvancingClock, call: Promise<T>): Promise<T> {
  let isDone = false;
  const done = call.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  while (!isDone) await clock.advance(50);
  return done;
}

interface Launch {
  readonly name: string;
  readonly profile: string;
}

async function launch(
  karpenter: KarpenterCluster,
  account: Account,
  { name, profile }: Launch,
): Promise<LaunchedInstance> {
  const { clock, cluster, client } = karpenter;
  const { cloud } = cluster.account;
  const template = await answered(
    clock,
    account.template({ UserData: userData(karpenter), IamInstanceProfile: { Name: profile } }),
  );
  const Tags = tagList({
    ...clusterTags,
    'karpenter.sh/nodepool': 'default',
    'karpenter.sh/nodeclaim': name,
  });
  const subnet = present(await answered(clock, account.subnet()), 'a subnet');
  const { Instances = [] } = await answered(
    clock,
    account.fleet({
      template,
      overrides: [{ InstanceType: 'm5.large', SubnetId: subnet.SubnetId }],
      more: { TagSpecifications: [{ ResourceType: 'instance', Tags }] },
    }),
  );
  const id = present(Instances[0]?.InstanceIds?.[0], 'an instance');
  const instance = present(cloud.world.instances.get(id), 'the instance');
  await expect
    .poll(
      async () => {
        await clock.advance(1_000);
        return client.find(kinds.node, { name: instance.privateDnsName });
      },
      { timeout: 30_000, interval: 5 },
    )
    .toBeDefined();
  return {
    nodeClaim: name,
    id,
    nodeName: instance.privateDnsName,
    zone: instance.zone,
    zoneId: instance.zoneId,
    imageId: instance.imageId,
    instanceProfile: profile,
  };
}

function userData({ cluster }: KarpenterCluster): string {
  const { endpoint, certificateAuthority, name } = cluster.account.cloud.world.cluster;
  const text = `apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    apiServerEndpoint: ${endpoint}
    certificateAuthority: ${certificateAuthority}
    cidr: 10.100.0.0/16
    name: ${name}
  kubelet:
    config:
      maxPods: 29
    flags:
    - --node-labels="karpenter.sh/capacity-type=on-demand,karpenter.sh/nodepool=default"
`;
  return Buffer.from(text).toString('base64');
}

interface Registration {
  readonly stamps: Stamps;
  readonly claimUid: string;
}

/** What Karpenter adds to a Node when it registers. */
async function register(
  { client }: KarpenterCluster,
  instance: LaunchedInstance,
  { stamps, claimUid }: Registration,
): Promise<void> {
  const owner = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    name: instance.nodeClaim,
    uid: claimUid,
    blockOwnerDeletion: true,
  };
  const metadata = {
    finalizers: ['karpenter.sh/termination'],
    labels: {
      ...labelsOf(instance),
      'karpenter.sh/registered': 'true',
      'karpenter.sh/initialized': 'true',
    },
    annotations: annotationsOf(instance, stamps),
    ownerReferences: [owner],
  };
  await client.patch(kinds.node, { name: instance.nodeName }, { type: 'merge', body: { metadata } });
}
