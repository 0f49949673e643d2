import { nodeClaims } from '@karpenter/aws';
import { minutes, type NodeClaim, seconds } from '@karpenter/core/api';
import { backoffDelay } from '@karpenter/kube/runtime';
import { afterEach, expect, it } from 'vitest';
import { ControllerWorld, claimOf } from './controller-world.ts';

let world: ControllerWorld;
afterEach(() => world.stop());

const backoff = { initial: seconds(1), max: seconds(60) };
const pools = 5;
const launches = 100;

/** Records the launch, and retries with backoff until there is an instance, as nodeclaim.lifecycle does. */
async function launch(created: NodeClaim): Promise<void> {
  const { name } = created.metadata;
  const annotations = world.provider.cloud.launchAnnotations?.(world.api.put(nodeClaims, created));
  const claim = world.api.edit(nodeClaims, name, { metadata: { annotations } });
  for (let failures = 0; ; failures += 1) {
    try {
      const { providerId, labels } = await world.provider.cloud.create(claim);
      const metadata = { ...claim.metadata, labels: { ...labels, ...claim.metadata.labels } };
      world.api.put(nodeClaims, { ...claim, metadata, status: { providerID: providerId } });
      return;
    } catch {
      await world.clock.sleep(backoffDelay(backoff, failures));
    }
  }
}

function claimOfPool(index: number): NodeClaim {
  const labels = { 'karpenter.sh/nodepool': `pool-${index % pools}` };
  const requirements = [
    { key: 'karpenter.k8s.aws/instance-family', operator: 'In' as const, values: ['m5', 'm6i'] },
  ];
  const name = `claim-${index}`;
  return claimOf(name, { metadata: { name, labels }, spec: { ...claimOf(name).spec, requirements } });
}

it('leaves one instance for each of 100 NodeClaims despite throttling and late or lost replies', async () => {
  world = new ControllerWorld();
  await world.learnTypes();
  world.addClass();
  for (let index = 0; index < pools; index += 1) world.addPool({}, `pool-${index}`);
  await world.start('nodeclass', 'instance.garbagecollection');
  world.cloud.faults.set({
    latency: 200,
    consistency: { describe: 5000, profile: 0 },
    throttling: { 'ec2:fleet': { perSecond: 2, burst: 2 } },
    lostReplies: [{ call: 'ec2:CreateFleet', chance: 0.7, times: 20 }],
  });
  const claims = Array.from({ length: launches }, (_, index) => claimOfPool(index));
  await world.answered(Promise.all(claims.map(launch)));
  await world.advance(minutes(6));

  const alive = [...world.cloud.world.instances.values()].filter(({ state }) => state === 'running');
  const claimed = world.api
    .of(nodeClaims)
    .list()
    .map(({ status }) => status?.providerID?.split('/').at(-1));
  expect(new Set(claimed).size).toBe(launches);
  expect(alive.map(({ id }) => id).sort()).toEqual(claimed.sort());
  // A retry with the same token gets the reply that was lost, so no launch is wasted.
  expect(world.cloud.world.instances.size).toBe(launches);
});
