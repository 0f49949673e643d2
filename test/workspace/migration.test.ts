import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kinds, nodePools } from '@karpenter/kube/client';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { areAllReady, type EksCluster, startEksCluster } from '../migration/eks-cluster.ts';
import { type FatalCall, runUntilKilled } from '../migration/killed-run.ts';
import { fiveGroups } from '../migration/node-groups.ts';
import { hourlyPrice, ObservedRun, oldSetup } from '../migration/observed-run.ts';
import { applyManifests, limitDisruption, workloads } from '../migration/workloads.ts';

/** Boot of an instance, registration and scheduling take this long when a Deployment is rolled out by itself. */
const rolloutMs = 60_000;

/** A cluster, its controllers and a migration take real time on a busy machine. */
const timeout = 300_000;

let cluster: EksCluster;
afterEach(() => cluster.stop());

/** Applies the manifests and waits until NodePools are ready and static ones have their nodes. */
async function applied(): Promise<void> {
  const { out } = await cluster.migrate('manifests');
  await applyManifests(cluster.client, out);
  await cluster.until(async () => {
    const { items } = await cluster.client.list(nodePools);
    return items.every(
      ({ spec, status }) =>
        isTrue(status?.conditions, 'Ready') &&
        Number(status?.resources?.['nodes'] ?? 0) >= (spec.replicas ?? 0),
    );
  });
}

type Conditions = readonly { readonly type: string; readonly status: string }[];

function isTrue(conditions: Conditions | undefined, wanted: string): boolean {
  return (conditions ?? []).some(({ type, status }) => type === wanted && status === 'True');
}

const workloadOf: Readonly<Record<string, string>> = { general: 'web', spot: 'cheap' };

/** Runs away from nodes of Karpenter, as the chart has it. */
const controllerWorkload = {
  name: 'karpenter',
  replicas: 2,
  labels: { 'app.kubernetes.io/name': 'karpenter' },
  pod: { nodeSelector: { 'alpha.eksctl.io/nodegroup-name': 'general' } },
};

/** A smaller cluster: these groups and the workloads that run on them. */
const some = (...names: readonly string[]) => ({
  groups: fiveGroups.filter(({ name }) => names.includes(name)),
  workloads: workloads.filter(({ name }) => names.some((group) => workloadOf[group] === name)),
});

async function instancesOfGroups(): Promise<number> {
  const { AutoScalingGroups = [] } = await cluster.services.autoScaling.describeAutoScalingGroups({});
  return AutoScalingGroups.reduce((sum, { Instances = [] }) => sum + Instances.length, 0);
}

/** How many instances the groups have launched: one that they launch during a run was not asked for. */
function launchedByGroups(): number {
  return [...cluster.cloud.world.instances.values()].filter(({ tags }) =>
    tags.has('aws:autoscaling:groupName'),
  ).length;
}

describe('karpenter migrate on an EKS cluster with five node groups', { timeout }, () => {
  it('moves all pods within their rollout time, keeps budgets and is not more expensive, then takes it all back', async () => {
    const run = new ObservedRun(() => cluster);
    cluster = await startEksCluster({ observe: () => run.look() });
    const [priceBefore, setupBefore] = [hourlyPrice(cluster), await oldSetup(cluster)];
    const simulated = await cluster.migrate('simulate', '-o', 'json');
    expect(JSON.parse(simulated.out).misfits).toEqual([]);
    await applied();
    const { code, err } = await cluster.migrate('run', '--yes');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(await areAllReady(cluster.client)).toBe(true);
    expect(await instancesOfGroups()).toBe(0);
    expect(launchedByGroups()).toBe(11);
    expect(run.longestWait).toBeLessThanOrEqual(rolloutMs);
    expect(run.fewestReady.get('web')).toBeGreaterThanOrEqual(5);
    expect(hourlyPrice(cluster)).toBeLessThanOrEqual(priceBefore);
    expect((await cluster.migrate('rollback', '--yes')).code).toBe(0);
    await cluster.until(async () => (await instancesOfGroups()) === 11);
    expect(await oldSetup(cluster)).toEqual(setupBefore);
  });
});

describe('karpenter migrate with an eksctl file', { timeout }, () => {
  const file = join(tmpdir(), `karpenter-eksctl-${process.pid}.yaml`);
  const config = (groups: string) =>
    writeFileSync(
      file,
      `apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: dev }\nnodeGroups: ${groups}\n`,
    );
  afterAll(() => rmSync(file, { force: true }));

  it('plans the nodes that carry the names of its groups, and runs nothing from it', async () => {
    cluster = await startEksCluster(some('spot'));
    config('[{ name: spot, instanceType: m5.large, spot: true, labels: { lifecycle: spot } }]');
    const simulated = await cluster.migrate('simulate', '-f', file, '-o', 'json');
    expect(JSON.parse(simulated.out)).toMatchObject({ misfits: [], newNodes: 1 });
    config('[{ name: spot, instanceType: m5.large, spot: true }]');
    const unlabelled = await cluster.migrate('simulate', '-f', file, '-o', 'json');
    expect(JSON.parse(unlabelled.out).misfits).toHaveLength(3);
    expect((await cluster.migrate('run', '-f', file, '--yes')).err).toMatch(
      /^karpenter: --filename describes groups/,
    );
    config('[{ name: a_b }, { name: a-b }]');
    expect((await cluster.migrate('manifests', '-f', file)).err).toMatch(
      /groups a_b and a-b would both become NodePool a-b/,
    );
    expect((await cluster.migrate('report', '--group', 'none')).err).toMatch(
      /has no node group none; it has spot/,
    );
  });
});

describe('karpenter migrate run', { timeout }, () => {
  /** At every kind of step, before or after it takes effect, and in the middle of a drain. */
  const deaths: readonly FatalCall[] = [
    { call: 'create ConfigMap', count: 1, isCarriedOut: true },
    { call: 'patch Deployment', count: 1, isCarriedOut: true },
    { call: 'replace ConfigMap', count: 2, isCarriedOut: false },
    { call: 'suspendProcesses', count: 1, isCarriedOut: true },
    { call: 'updateAutoScalingGroup', count: 1, isCarriedOut: false },
    { call: 'patch Node', count: 2, isCarriedOut: false },
    { call: 'replace ConfigMap', count: 2, isCarriedOut: true },
    { call: 'evict Pod', count: 1, isCarriedOut: true },
    { call: 'evict Pod', count: 1, isCarriedOut: false },
    { call: 'terminateInstanceInAutoScalingGroup', count: 1, isCarriedOut: false },
    { call: 'terminateInstanceInAutoScalingGroup', count: 1, isCarriedOut: true },
    { call: 'updateNodegroupConfig', count: 1, isCarriedOut: false },
    { call: 'updateNodegroupConfig', count: 1, isCarriedOut: true },
  ];

  it('goes on where it was killed, at thirteen points', async () => {
    cluster = await startEksCluster({});
    const setupBefore = await oldSetup(cluster);
    await applied();
    for (const fatal of deaths)
      expect({ fatal, died: await runUntilKilled(cluster, fatal) }).toEqual({ fatal, died: true });
    expect(await runUntilKilled(cluster, undefined)).toBe(false);
    expect(await instancesOfGroups()).toBe(0);
    expect(launchedByGroups()).toBe(11);
    expect(await areAllReady(cluster.client)).toBe(true);
    await cluster.migrate('rollback', '--yes');
    await cluster.until(async () => (await instancesOfGroups()) === 11);
    expect(await oldSetup(cluster)).toEqual(setupBefore);
  });

  it('is taken back in the middle of a drain', async () => {
    cluster = await startEksCluster(some('general'));
    const setupBefore = await oldSetup(cluster);
    await applied();
    await runUntilKilled(cluster, { call: 'evict Pod', count: 2, isCarriedOut: true });
    await cluster.migrate('rollback', '--yes');
    await cluster.until(async () => (await instancesOfGroups()) === 4 && (await areAllReady(cluster.client)));
    expect(await oldSetup(cluster)).toEqual(setupBefore);
  });

  it('stops before it touches a group whose pods fit nowhere and names the pod', async () => {
    cluster = await startEksCluster({
      ...some('general'),
      workloads: [
        { name: 'tied', replicas: 1, pod: { nodeSelector: { 'alpha.eksctl.io/nodegroup-name': 'general' } } },
      ],
    });
    await applied();
    const simulated = await cluster.migrate('simulate');
    expect(simulated.code).toBe(1);
    expect(simulated.out).toMatch(/no place for default\/tied-.*alpha\.eksctl\.io\/nodegroup-name/);
    const { code, err } = await cluster.migrate('run', '--yes');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^karpenter: the migration stopped: group general cannot be drained: pod default\/tied-/,
    );
    expect(await instancesOfGroups()).toBe(4);
    const nodes = (await cluster.client.list(kinds.node)).items;
    expect(nodes.filter(({ spec }) => spec?.unschedulable === true)).toEqual([]);
  });

  it('stops at a budget that never allows an eviction and at a pod that asks not to be evicted', async () => {
    const annotations = { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false' };
    cluster = await startEksCluster({
      ...some('general'),
      workloads: [{ name: 'slow', replicas: 1, annotations }],
    });
    await applied();
    await limitDisruption(cluster.client, 'slow', 0);
    const asked = await cluster.migrate('run', '--yes');
    expect(asked.err).toContain('is annotated cluster-autoscaler.kubernetes.io/safe-to-evict: "false"');
    const forced = await cluster.migrate('run', '--yes', '--force');
    expect(forced.err).toContain('PodDisruptionBudget default/slow allows no eviction');
    expect(await instancesOfGroups()).toBe(4);
  });

  it('keeps two nodes of a group in two zones that hosts the controller, and does not drain them', async () => {
    const { groups, workloads: own } = some('general');
    cluster = await startEksCluster({ groups, workloads: [...own, controllerWorkload] });
    await applied();
    const hosts = async () =>
      (await cluster.client.list(kinds.pod, { labelSelector: 'app=karpenter' })).items.map(
        ({ spec }) => spec?.nodeName,
      );
    const before = await hosts();
    expect((await cluster.migrate('run', '--yes')).err).toBe('');
    expect(await instancesOfGroups()).toBe(2);
    expect(await hosts()).toEqual(before);
    const [group] = cluster.cloud.world.autoScalingGroups.values();
    expect(group).toMatchObject({ min: 2, desired: 2, max: 2 });
  });

  it('changes nothing without --yes', async () => {
    cluster = await startEksCluster(some('spot'));
    const setupBefore = await oldSetup(cluster);
    const { out } = await cluster.migrate('run');
    expect(out).toMatch(/^ {2}1 {2}scale Deployment kube-system\/cluster-autoscaler from 1 to 0 replicas$/m);
    expect(out).toContain('nothing was changed; --yes makes these changes');
    expect(await oldSetup(cluster)).toEqual(setupBefore);
  });
});
