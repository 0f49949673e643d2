import { kinds } from '@karpenter/kube/client';
import type { Pod, PodSpec } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulatedCluster, simulatedNode } from './simulated-cluster.ts';

let cluster: SimulatedCluster;

const workers = ['w0', 'w1', 'w2', 'w3', 'w4'];

const container = { name: 'main', image: 'registry.invalid/main:1' };

function podSpec(cpu = '100m', rest: Partial<PodSpec> = {}): PodSpec {
  return { containers: [{ ...container, resources: { requests: { cpu, memory: '64Mi' } } }], ...rest };
}

function workload(name: string, namespace: string, spec: PodSpec = podSpec()) {
  const labels = { app: name };
  return {
    metadata: { name, namespace },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

async function podsOf(namespace: string): Promise<readonly Pod[]> {
  return (await cluster.client.list(kinds.pod, { namespace })).items;
}

function readyNodes(): Promise<readonly string[]> {
  return cluster.client
    .list(kinds.node)
    .then(({ items }) =>
      items
        .filter(
          ({ spec, status }) =>
            (spec?.taints ?? []).length === 0 &&
            status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
        )
        .map(({ metadata }) => metadata?.name ?? ''),
    );
}

/** Scenarios of workloads; they must behave the same on the embedded and the real API server. */
export function describeWorkloads(start: () => Promise<SimulatedCluster>): void {
  beforeAll(async () => {
    cluster = await start();
    workers.forEach((name, index) => {
      cluster.fleet.start(simulatedNode(name, { zone: `us-west-2${'abc'[index % 3]}` }));
    });
  }, 120_000);

  afterAll(() => cluster.stop());

  describe('nodes', () => {
    it('join, become ready and lose the not-ready taint', async () => {
      await cluster.eventually(readyNodes).toEqual(workers);

      const lease = await cluster.client.get(kinds.lease, { namespace: 'kube-node-lease', name: 'w0' });
      expect(lease.spec).toMatchObject({ holderIdentity: 'w0', leaseDurationSeconds: 40 });
    });

    it('reject pods beyond their capacity, in the words of a kubelet', async () => {
      await cluster.createNamespace('overcommit');
      const pod = {
        metadata: { name: 'fat', namespace: 'overcommit' },
        spec: podSpec('5', { nodeName: 'w0' }),
      };
      await cluster.client.create(kinds.pod, pod);

      await cluster
        .eventually(() => cluster.client.get(kinds.pod, { namespace: 'overcommit', name: 'fat' }))
        .toMatchObject({
          status: {
            phase: 'Failed',
            reason: 'OutOfcpu',
            message: expect.stringMatching(
              /^Pod was rejected: Node didn't have enough resource: cpu, requested: 5000, used: \d+, capacity: 4000$/,
            ),
          },
        });
    });
  });

  describe('a Deployment', () => {
    it('with fifty pods becomes available, spread over all five nodes', async () => {
      await cluster.createNamespace('fifty');
      const deployment = workload('web', 'fifty');
      await cluster.client.create(kinds.deployment, {
        ...deployment,
        spec: { ...deployment.spec, replicas: 50 },
      });

      await cluster
        .eventually(() => cluster.client.get(kinds.deployment, { namespace: 'fifty', name: 'web' }))
        .toMatchObject({ status: { availableReplicas: 50, updatedReplicas: 50 } });
      const nodes = new Set((await podsOf('fifty')).map(({ spec }) => spec?.nodeName));
      expect([...nodes].sort()).toEqual(workers);
    });

    it('rolls out a new template and can be rolled back', async () => {
      const { client } = cluster;
      const key = { namespace: 'fifty', name: 'web' };
      const image = (name: string) => ({
        type: 'strategic' as const,
        body: { spec: { template: { spec: { containers: [{ name: 'main', image: name }] } } } },
      });
      await client.patch(kinds.deployment, key, image('registry.invalid/main:2'));

      await cluster
        .eventually(() => client.get(kinds.deployment, key))
        .toMatchObject({
          metadata: { annotations: { 'deployment.kubernetes.io/revision': '2' } },
          status: { updatedReplicas: 50, availableReplicas: 50, replicas: 50 },
        });
      const images = async () => [
        ...new Set((await podsOf('fifty')).map(({ spec }) => spec?.containers[0]?.image)),
      ];
      await cluster.eventually(images).toEqual(['registry.invalid/main:2']);

      await client.patch(kinds.deployment, key, image('registry.invalid/main:1'));
      await cluster
        .eventually(() => client.get(kinds.deployment, key))
        .toMatchObject({
          metadata: { annotations: { 'deployment.kubernetes.io/revision': '3' } },
          status: { updatedReplicas: 50, availableReplicas: 50, replicas: 50 },
        });
    });
  });

  describe('a DaemonSet', () => {
    it('runs one pod on each node, including new nodes', async () => {
      await cluster.createNamespace('daemons');
      await cluster.client.create(kinds.daemonSet, workload('agent', 'daemons', podSpec('10m')));

      const places = async () =>
        (await podsOf('daemons'))
          .filter(({ status }) => status?.phase === 'Running')
          .map(({ spec }) => spec?.nodeName)
          .sort();
      await cluster.eventually(places).toEqual(workers);

      cluster.fleet.start(simulatedNode('late', { taints: [{ key: 'only', effect: 'NoSchedule' }] }));
      await cluster
        .eventually(() => cluster.client.get(kinds.node, { name: 'late' }).catch(() => undefined))
        .toMatchObject({
          status: {
            conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]),
          },
        });
      const patch = { type: 'merge', body: { spec: { taints: null } } } as const;
      await cluster.client.patch(kinds.node, { name: 'late' }, patch);
      await cluster.eventually(places).toEqual(['late', ...workers].sort());
      await cluster
        .eventually(() => cluster.client.get(kinds.daemonSet, { namespace: 'daemons', name: 'agent' }))
        .toMatchObject({ status: { desiredNumberScheduled: 6, numberReady: 6, numberAvailable: 6 } });
    });
  });

  describe('a Job', () => {
    it('completes when its pods have completed', async () => {
      await cluster.createNamespace('jobs');
      const template = { spec: podSpec('100m', { restartPolicy: 'Never' }) };
      const job = {
        metadata: { name: 'sum', namespace: 'jobs' },
        spec: { completions: 6, parallelism: 3, template },
      };
      await cluster.client.create(kinds.job, job);

      await cluster
        .eventually(() => cluster.client.get(kinds.job, { namespace: 'jobs', name: 'sum' }))
        .toMatchObject({
          status: {
            succeeded: 6,
            conditions: expect.arrayContaining([
              expect.objectContaining({ type: 'Complete', status: 'True' }),
            ]),
          },
        });
    });

    it('fails beyond its backoff limit', async () => {
      const template = {
        metadata: {
          annotations: {
            'kubelet.sim.karpenter.sh/exit-code': '1',
            'kubelet.sim.karpenter.sh/run-for': '1s',
          },
        },
        spec: podSpec('100m', { restartPolicy: 'Never' }),
      };
      const job = { metadata: { name: 'doomed', namespace: 'jobs' }, spec: { backoffLimit: 1, template } };
      await cluster.client.create(kinds.job, job);

      await cluster
        .eventually(() => cluster.client.get(kinds.job, { namespace: 'jobs', name: 'doomed' }))
        .toMatchObject({
          status: {
            failed: 2,
            conditions: expect.arrayContaining([
              expect.objectContaining({ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }),
            ]),
          },
        });
    });
  });

  describe('a StatefulSet', () => {
    it('starts its pods in order, each with a volume in the zone of its node', async () => {
      const { client } = cluster;
      await cluster.createNamespace('state');
      await client.create(kinds.storageClass, {
        metadata: { name: 'ebs' },
        provisioner: 'ebs.csi.aws.com',
        volumeBindingMode: 'WaitForFirstConsumer',
      });
      const set = workload('db', 'state');
      await client.create(kinds.statefulSet, {
        ...set,
        spec: {
          ...set.spec,
          serviceName: 'db',
          replicas: 3,
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: {
                storageClassName: 'ebs',
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '10Gi' } },
              },
            },
          ],
        },
      });

      await cluster
        .eventually(() => client.get(kinds.statefulSet, { namespace: 'state', name: 'db' }))
        .toMatchObject({ status: { readyReplicas: 3, availableReplicas: 3 } });
      for (const pod of await podsOf('state')) {
        const claim = await client.get(kinds.persistentVolumeClaim, {
          namespace: 'state',
          name: `data-${pod.metadata?.name}`,
        });
        const volume = await client.get(kinds.persistentVolume, { name: claim.spec?.volumeName ?? '' });
        const node = await client.get(kinds.node, { name: pod.spec?.nodeName ?? '' });
        const term = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0];
        expect(term?.values).toEqual([node.metadata?.labels?.['topology.kubernetes.io/zone']]);
      }
      const attached = async () =>
        (await client.list(kinds.volumeAttachment)).items.map(({ status }) => status?.attached);
      await cluster.eventually(attached).toEqual([true, true, true]);
    });
  });

  describe('a PodDisruptionBudget', () => {
    it('counts healthy pods, and the API server refuses evictions beyond it', async () => {
      const { client } = cluster;
      await cluster.createNamespace('budget');
      const deployment = workload('web', 'budget');
      await client.create(kinds.deployment, { ...deployment, spec: { ...deployment.spec, replicas: 4 } });
      await client.create(kinds.podDisruptionBudget, {
        metadata: { name: 'web', namespace: 'budget' },
        spec: { minAvailable: '75%', selector: { matchLabels: { app: 'web' } } },
      });
      const status = () => client.get(kinds.podDisruptionBudget, { namespace: 'budget', name: 'web' });
      await cluster.eventually(status).toMatchObject({
        status: { expectedPods: 4, currentHealthy: 4, desiredHealthy: 3, disruptionsAllowed: 1 },
      });

      const [first, second] = await podsOf('budget');
      await client.evict({ namespace: 'budget', name: first?.metadata?.name ?? '' });
      await expect(
        client.evict({ namespace: 'budget', name: second?.metadata?.name ?? '' }),
      ).rejects.toMatchObject({ status: 429 });

      await cluster
        .eventually(status)
        .toMatchObject({ status: { currentHealthy: 4, disruptionsAllowed: 1 } });
    });
  });

  describe('a node without heartbeats', () => {
    it('has its pods evicted after their toleration, and removed when the Node is deleted', async () => {
      const { client, fleet } = cluster;
      await cluster.createNamespace('mourning');
      const deployment = workload('web', 'mourning');
      await client.create(kinds.deployment, { ...deployment, spec: { ...deployment.spec, replicas: 12 } });
      const status = () => client.get(kinds.deployment, { namespace: 'mourning', name: 'web' });
      await cluster.eventually(status).toMatchObject({ status: { availableReplicas: 12 } });
      const doomed = (await podsOf('mourning')).filter(({ spec }) => spec?.nodeName === 'w4');
      expect(doomed.length).toBeGreaterThan(0);

      fleet.terminate('w4');
      await cluster
        .eventually(() => client.get(kinds.node, { name: 'w4' }), 2_000)
        .toMatchObject({
          spec: {
            taints: expect.arrayContaining([
              expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }),
              expect.objectContaining({ key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }),
            ]),
          },
          status: {
            conditions: expect.arrayContaining([
              expect.objectContaining({ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }),
            ]),
          },
        });
      await cluster.eventually(status, 4_000).toMatchObject({ status: { availableReplicas: 12 } });

      await client.delete(kinds.node, { name: 'w4' });
      const onDeadNode = async () => (await podsOf('mourning')).filter(({ spec }) => spec?.nodeName === 'w4');
      await cluster.eventually(onDeadNode, 4_000).toEqual([]);
      expect(await readyNodes()).not.toContain('w4');
    });

    it('loses its taints when heartbeats resume', async () => {
      const { client, fleet } = cluster;
      const taints = async () => (await client.get(kinds.node, { name: 'w3' })).spec?.taints ?? [];
      fleet.setFault('w3', 'hung');
      await cluster.eventually(taints, 2_000).toHaveLength(2);

      fleet.setFault('w3', 'none');

      await cluster.eventually(taints).toEqual([]);
    });
  });
}
