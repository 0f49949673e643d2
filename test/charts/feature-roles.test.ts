import { capacityBuffers, nodeClaims, nodeOverlays, nodePools } from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { PodTemplate } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { running } from '../walkthroughs/pods.ts';
import { type ChartWorld, chartWorld } from './chart-world.ts';

const everyFeature = {
  settings: {
    ignoreDRARequests: false,
    rebalancePolicy: 'Replace',
    schedulerConfig: `podTopologySpread:
  defaultConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway }]`,
    featureGates: {
      nodeRepair: true,
      spotToSpotConsolidation: true,
      nodeOverlay: true,
      staticCapacity: true,
      capacityBuffer: true,
    },
  },
  surgeDrain: { enabled: true },
};

describe('every feature with the roles of the chart alone', () => {
  let world: ChartWorld;

  beforeAll(async () => {
    world = await chartWorld(everyFeature);
    await world.apply('01-first-node/nodeclass.yaml');
    await world.apply('01-first-node/nodepool.yaml');
  }, 180_000);
  afterAll(() => world.stop(), 60_000);

  const denied = async () =>
    (await world.requests())
      .filter(({ isAllowed, code }) => !isAllowed || code === 403)
      .map(({ what }) => what);
  const requested = async () => (await world.requests()).map(({ what }) => what);

  it('reads every kind that a feature needs', async () => {
    await world
      .eventually(requested)
      .toEqual(
        expect.arrayContaining(
          [
            'resource.k8s.io/resourceslices',
            'resource.k8s.io/resourceclaims',
            'resource.k8s.io/deviceclasses',
            'services',
            'replicationcontrollers',
            'apps/replicasets',
            'apps/statefulsets',
            'batch/jobs',
            'podtemplates',
            'karpenter.sh/nodeoverlays',
            'autoscaling.x-k8s.io/capacitybuffers',
          ].map((kind) => `watch ${kind}`),
        ),
      );
    expect(await denied()).toEqual([]);
  }, 300_000);

  it('reports on NodeOverlays and CapacityBuffers, and keeps room for a buffer', async () => {
    await world.client.create(nodeOverlays, {
      apiVersion: 'karpenter.sh/v1alpha1',
      kind: 'NodeOverlay',
      metadata: { name: 'surcharge' },
      spec: {
        requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
        priceAdjustment: '+10%',
      },
    });
    await world.client.create(kinds.podTemplate, podTemplate('small'));
    await world.client.create(capacityBuffers, {
      apiVersion: 'autoscaling.x-k8s.io/v1beta1',
      kind: 'CapacityBuffer',
      metadata: { name: 'spare', namespace: 'default' },
      spec: {
        podTemplateRef: { name: 'small' },
        replicas: 1,
        provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
      },
    });
    await world.eventually(async () => (await world.nodes()).length).toBe(1);
    await world
      .eventually(requested)
      .toEqual(
        expect.arrayContaining([
          'patch karpenter.sh/nodeoverlays/status',
          'patch autoscaling.x-k8s.io/capacitybuffers/status',
        ]),
      );
    expect(await denied()).toEqual([]);
  }, 300_000);

  it('keeps the nodes of a NodePool with replicas', async () => {
    const { spec } = await world.nodePool('default');
    const { limits: _, ...fixed } = spec;
    await world.client.create(nodePools, {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'fixed' },
      spec: { ...fixed, replicas: 1 },
    });
    await world.eventually(async () => (await world.nodes()).length).toBe(2);
    expect(await denied()).toEqual([]);
  }, 300_000);

  it('starts a second pod before the only one of a Deployment is drained', async () => {
    await world.client.create(kinds.deployment, singleReplica());
    await world.eventually(() => running(world, 'only')).toBe(1);
    const [pod] = await world.pods('only');
    const home = (await world.nodeClaims()).find(({ status }) => status?.nodeName === pod?.spec?.nodeName);
    await world.client.delete(nodeClaims, { name: home?.metadata.name ?? '' });
    await world
      .eventually(async () => (await world.nodeClaims()).map(({ metadata }) => metadata.name))
      .not.toContain(home?.metadata.name);
    expect(await requested()).toContain('patch apps/deployments');
    expect(await denied()).toEqual([]);
  }, 600_000);
});

function podTemplate(name: string): PodTemplate {
  return {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name, namespace: 'default' },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1' } } }] },
    },
  };
}

function singleReplica(): Deployment {
  const labels = { app: 'only' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'only', namespace: 'default' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'karpenter-ts/surge-drain': 'true' } },
        spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1' } } }] },
      },
    },
  };
}
