import { kinds } from '@karpenter/kube/client';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { afterEach, expect, it } from 'vitest';
import { type CloudWorld, embeddedWorld } from '../walkthroughs/world.ts';
import { inSmallRegion } from './crash/small-region.ts';

let world: CloudWorld;

afterEach(() => world.stop());

/** A pod in each zone, which no plan can decide before the zones of the others are known. */
const oneInEachZone: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'quorum', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'quorum' } },
    template: {
      metadata: { labels: { app: 'quorum' } },
      spec: {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: 'topology.kubernetes.io/zone',
                labelSelector: { matchLabels: { app: 'quorum' } },
              },
            ],
          },
        },
        containers: [{ name: 'a', image: 'x', resources: { requests: { cpu: '1' } } }],
      },
    },
  },
};

it('pods that wait for the zone of other pods have a NodeClaim soon after it is known', async () => {
  world = await embeddedWorld({ seenAs: inSmallRegion });
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('01-first-node/nodepool.yaml');
  await world.eventually(async () => (await world.nodePool('default')).status?.conditions?.length).toBe(4);
  await world.pass(30_000);
  const start = world.now();
  await world.client.create(kinds.deployment, oneInEachZone);
  await world.eventually(async () => (await world.nodeClaims()).length).toBe(3);
  // The pods' own requeue alone comes ten seconds after the first plan.
  expect(world.now() - start).toBeLessThan(10_000);
}, 120_000);
