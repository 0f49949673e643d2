import assert from 'node:assert/strict';
import { labelKeys, seconds } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import {
  compareQuantities,
  parseResourceList,
  quantitySign,
  resourceAmount,
  sumResources,
} from '@karpenter/core/values';
import { area } from '../conformance-case.ts';
import { rejected, type TestedCloud } from '../tested-cloud.ts';

const offeringsOf = (types: readonly InstanceType[]) => types.flatMap(({ offerings }) => offerings);
const available = (offerings: readonly Offering[]) => offerings.filter((each) => each.available);

function valuesOf({ requirements }: InstanceType | Offering, label: string): readonly string[] {
  return requirements.find(({ key, operator }) => key === label && operator === 'In')?.values ?? [];
}

/** Whatever the pods need, a node that holds none of these is of no use. */
function assertHasRoom({ name, capacity, overhead }: InstanceType): void {
  const reserved = sumResources(...Object.values(overhead).map((each) => parseResourceList(each)));
  for (const resource of ['cpu', 'memory', 'pods']) {
    const amount = resourceAmount(parseResourceList(capacity), resource);
    assert.ok(quantitySign(amount) > 0, `${name} has ${resource}`);
    assert.ok(
      compareQuantities(resourceAmount(reserved, resource), amount) < 0,
      `${name} has ${resource} left`,
    );
  }
}

/** A failed launch tells the provider that there is no capacity, if nothing else does. */
async function runOutOfCapacity(cloud: TestedCloud): Promise<void> {
  await cloud.subject.runOutOfCapacity();
  await rejected(cloud.create(cloud.claim()), 'insufficient-capacity');
}

export const instanceTypeCases = area('instance types', {
  'have distinct names, which are also their label': async (cloud) => {
    const types = await cloud.instanceTypes();
    assert.ok(types.length > 0);
    assert.equal(new Set(types.map(({ name }) => name)).size, types.length);
    for (const type of types) assert.deepEqual(valuesOf(type, labelKeys.instanceType), [type.name]);
  },
  'have offerings with one zone, one capacity type and a price': async (cloud) => {
    const offerings = offeringsOf(await cloud.instanceTypes());
    assert.ok(available(offerings).length > 0);
    for (const offering of offerings) {
      assert.equal(valuesOf(offering, labelKeys.zone).length, 1);
      assert.equal(valuesOf(offering, labelKeys.capacityType).length, 1);
      assert.ok(offering.price > 0 && Number.isFinite(offering.price));
    }
  },
  'have room for pods': async (cloud) => {
    for (const type of await cloud.instanceTypes()) assertHasRoom(type);
  },
  'are the same array while nothing has changed': async (cloud) => {
    const types = await cloud.instanceTypes();
    await cloud.subject.clock.advance(seconds(10));
    assert.equal(await cloud.instanceTypes(), types);
  },
  'include offerings that became unavailable': async (cloud) => {
    const before = await cloud.instanceTypes();
    await runOutOfCapacity(cloud);
    const after = await cloud.instanceTypes();
    assert.deepEqual(after.map(({ name }) => name).sort(), before.map(({ name }) => name).sort());
    assert.equal(offeringsOf(after).length, offeringsOf(before).length);
    assert.ok(available(offeringsOf(after)).length < available(offeringsOf(before)).length);
  },
  'are another array when an offering has changed': async (cloud) => {
    const before = await cloud.instanceTypes();
    await runOutOfCapacity(cloud);
    assert.notEqual(await cloud.instanceTypes(), before);
  },
  'reject with node-class-not-ready if the NodeClass is missing': async (cloud) => {
    cloud.subject.removeNodeClass();
    await rejected(cloud.instanceTypes(), 'node-class-not-ready');
  },
});
