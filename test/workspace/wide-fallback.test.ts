import { nodePools } from '@karpenter/controllers';
import { isConditionTrue, minutes, type NodePool } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, describe, expect, it } from 'vitest';
import { nodesBy, running } from '../walkthroughs/pods.ts';
import { type CloudWorld, embeddedWorld } from '../walkthroughs/world.ts';

const capacityType = 'karpenter.sh/capacity-type';
const noSpot = [{ types: '*', zones: '*', capacityTypes: 'spot', depth: 0 }];

/** A NodePool that allows every type of the catalogue. */
function anyType(name: 'spot' | 'on-demand', weight: number): NodePool {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  const requirements = [{ key: capacityType, operator: 'In' as const, values: [name] }];
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      weight,
      template: { spec: { nodeClassRef, requirements, expireAfter: 'Never' } },
      disruption: {
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        consolidateAfter: '30s',
        budgets: [{ nodes: '100%' }],
      },
    },
  };
}

let world: CloudWorld;
afterEach(() => world.stop());

/** Long enough that one plan covers all pods even if this host is slow to create them. */
const flags = { 'batch-idle-duration': '5s', 'batch-max-duration': '30s' };

async function begin(): Promise<void> {
  world = await embeddedWorld({ flags });
  await world.apply('01-first-node/nodeclass.yaml');
  await world.client.create(nodePools, anyType('spot', 100));
  await world.client.create(nodePools, anyType('on-demand', 1));
  world.cloud.faults.set({ capacity: noSpot });
  for (const name of ['spot', 'on-demand']) {
    await world.eventually(async () => isReady(await world.nodePool(name))).toBe(true);
  }
}

function isReady({ status }: NodePool): boolean {
  return isConditionTrue({ conditions: status?.conditions ?? [] }, 'Ready');
}

async function deploy(
  app: string,
  replicas: number,
  requests: Readonly<Record<string, string>>,
  nodeSelector: Readonly<Record<string, string>> = {},
): Promise<void> {
  await world.client.create(kinds.deployment, {
    metadata: { name: app, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: {
          nodeSelector: { ...nodeSelector },
          containers: [{ name: app, image: 'pause', resources: { requests: { ...requests } } }],
        },
      },
    },
  });
}

const planned = 'computed new nodeclaim(s) to fit pod(s)';
const noCapacity =
  'no capacity in any requested offering, using similar offerings only if no others are available';

/** NodePools of the NodeClaims created up to the first plan after spot became unavailable, and after that. */
function claimsBeforeAndAfter(): readonly (readonly unknown[])[] {
  const failure = world.log.findIndex(({ message }) => message === noCapacity);
  const next = world.log.findIndex(({ message }, index) => index > failure && message === planned);
  return [world.log.slice(0, next), world.log.slice(next)].map((lines) =>
    lines.filter(({ message }) => message === 'created nodeclaim').map(({ NodePool: pool }) => nameIn(pool)),
  );
}

function nameIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
}

async function expectOneFailedRound(): Promise<void> {
  const [before = [], after = []] = claimsBeforeAndAfter();
  expect(new Set(before)).toEqual(new Set(['spot']));
  expect(new Set(after)).toEqual(new Set(['on-demand']));
  expect(world.log.filter(({ message }) => message === 'failed launching nodeclaim')).toHaveLength(
    before.length,
  );
  expect(await nodesBy(world, capacityType)).toEqual({ 'on-demand': after.length });
}

describe('a spot NodePool with all types of the catalogue and no spot capacity', () => {
  it('falls back to on-demand after one round of NodeClaims, and returns when spot does', async () => {
    await begin();
    // They fill one node. A pod left over would get a burstable one, whose own price no spot node is below.
    await deploy('web', 7, { cpu: '1' });
    await world.eventually(() => running(world, 'web')).toBe(7);
    await expectOneFailedRound();

    world.cloud.faults.set({ capacity: [] });
    await world.pass(minutes(3));
    await world.eventually(async () => Object.keys(await nodesBy(world, capacityType))).toEqual(['spot']);
    await world.eventually(() => running(world, 'web')).toBe(7);
  }, 240_000);

  it('does so for pods of different sizes and architectures, whose NodeClaims allow different types', async () => {
    await begin();
    const apps = [
      ['small', 20, { cpu: '250m', memory: '256Mi' }],
      ['hungry', 5, { cpu: '2', memory: '60Gi' }, { 'kubernetes.io/arch': 'arm64' }],
      ['large', 6, { cpu: '14' }, { 'kubernetes.io/arch': 'amd64' }],
    ] as const;
    for (const [app, count, requests, selector] of apps) await deploy(app, count, requests, selector);
    for (const [app, count] of apps) await world.eventually(() => running(world, app)).toBe(count);
    await expectOneFailedRound();
  }, 240_000);
});
