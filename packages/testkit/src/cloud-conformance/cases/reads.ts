import assert from 'node:assert/strict';
import { seconds } from '@karpenter/core/api';
import type { CloudInstance } from '@karpenter/core/ports';
import { area } from '../conformance-case.ts';
import { present, type TestedCloud, unknownProviderId } from '../tested-cloud.ts';

/** The provider and its cloud may each take the time at which they see the launch. */
const longestLaunch = seconds(5);

/** What is known of an instance as long as it exists; annotations are for the claim, which keeps them. */
function lastingFields({ annotations: _, createdAt: __, ...fields }: CloudInstance) {
  return fields;
}

const idsOf = (instances: readonly CloudInstance[]) => instances.map(({ providerId }) => providerId).sort();

async function launchThree(cloud: TestedCloud) {
  return [await cloud.launch(), await cloud.launch(), await cloud.launch()];
}

const gets = area('get', {
  'finds a launched instance': async (cloud) => {
    const { instance } = await cloud.launch();
    const found = present(await cloud.get(instance.providerId), 'an instance with the provider ID');
    assert.deepEqual(lastingFields(found), lastingFields(instance));
    assert.ok(Math.abs(found.createdAt - instance.createdAt) <= longestLaunch);
  },
  'returns undefined for a provider ID that no instance has': async (cloud) => {
    const { instance } = await cloud.launch();
    assert.equal(await cloud.get(unknownProviderId(instance)), undefined);
  },
  'returns undefined for a provider ID of another cloud': async (cloud) => {
    assert.equal(await cloud.get('another-cloud:///zone/instance'), undefined);
  },
  'returns undefined for an instance that is gone': async (cloud) => {
    const { claim, instance } = await cloud.launch();
    await cloud.deleteUntilGone(claim);
    assert.equal(await cloud.get(instance.providerId), undefined);
  },
});

const lists = area('list', {
  'is empty before the first launch': async (cloud) => {
    assert.deepEqual(await cloud.list(), []);
  },
  'contains every instance': async (cloud) => {
    const launched = await launchThree(cloud);
    assert.deepEqual(idsOf(await cloud.list()), idsOf(launched.map(({ instance }) => instance)));
  },
  'contains the instances of an earlier process': async (cloud) => {
    const launched = await launchThree(cloud);
    const next = await cloud.restart(...launched.map(({ claim }) => claim));
    assert.deepEqual(idsOf(await cloud.list(next)), idsOf(launched.map(({ instance }) => instance)));
  },
  'contains what get returns': async (cloud) => {
    const [first] = await launchThree(cloud);
    await cloud.delete(present(first, 'a launch').claim);
    for (const instance of await cloud.list()) {
      assert.deepEqual(await cloud.get(instance.providerId), instance);
    }
  },
  'does not contain an instance that is gone': async (cloud) => {
    const { claim } = await cloud.launch();
    await cloud.deleteUntilGone(claim);
    assert.deepEqual(await cloud.list(), []);
  },
});

export const readCases = [...gets, ...lists];
