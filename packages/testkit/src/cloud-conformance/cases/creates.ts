import assert from 'node:assert/strict';
import { labelKeys, type RequirementField } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import { LabelKeySet, Requirements, Vocabulary } from '@karpenter/core/requirements';
import { fits, type Labels, parseResourceList } from '@karpenter/core/values';
import { area } from '../conformance-case.ts';
import { present, rejected, type TestedCloud } from '../tested-cloud.ts';

const only = (key: string, value: string | undefined): RequirementField => ({
  key,
  operator: 'In',
  values: [present(value, `a value of ${key}`)],
});

function offeringLabel({ requirements }: Offering, key: string): string | undefined {
  return requirements.find((item) => item.key === key)?.values?.[0];
}

function satisfies(labels: Labels, requirements: readonly RequirementField[]): boolean {
  const vocabulary = new Vocabulary();
  const wanted = Requirements.fromItems(vocabulary, requirements);
  return Requirements.fromLabels(vocabulary, labels).compatible(wanted, LabelKeySet.empty);
}

const isAvailable = ({ offerings }: InstanceType) => offerings.some(({ available }) => available);

/** Type, zone and capacity type of the last offering, which a provider would not choose by itself. */
async function oneOffering(cloud: TestedCloud): Promise<readonly RequirementField[]> {
  const type = present((await cloud.instanceTypes()).findLast(isAvailable), 'an available instance type');
  const offering = present(
    type.offerings.findLast(({ available }) => available),
    'an available offering',
  );
  return [
    only(labelKeys.instanceType, type.name),
    only(labelKeys.zone, offeringLabel(offering, labelKeys.zone)),
    only(labelKeys.capacityType, offeringLabel(offering, labelKeys.capacityType)),
  ];
}

const launched = area('create', {
  'returns a provider ID and an image': async (cloud) => {
    const { instance } = await cloud.launch();
    assert.notEqual(instance.providerId, '');
    assert.notEqual(instance.imageId, '');
  },
  'returns labels that satisfy the requirements of the claim': async (cloud) => {
    const requirements = await oneOffering(cloud);
    const { instance } = await cloud.launch({ requirements });
    assert.ok(satisfies(instance.labels, requirements), JSON.stringify(instance.labels));
  },
  'launches no instance type that the claim excludes': async (cloud) => {
    const { instance } = await cloud.launch();
    const excluded = present(instance.labels[labelKeys.instanceType], 'a label with the type');
    const { instance: other } = await cloud.launch({
      requirements: [{ key: labelKeys.instanceType, operator: 'NotIn', values: [excluded] }],
    });
    assert.notEqual(other.labels[labelKeys.instanceType], excluded);
  },
  'launches an available offering of an instance type of the pool': async (cloud) => {
    const types = await cloud.instanceTypes();
    const { labels } = (await cloud.launch()).instance;
    const type = present(
      types.find(({ name }) => name === labels[labelKeys.instanceType]),
      'a type with the name',
    );
    const isLaunched = (offering: Offering) =>
      [labelKeys.zone, labelKeys.capacityType].every((key) => offeringLabel(offering, key) === labels[key]);
    assert.ok(type.offerings.some((offering) => offering.available && isLaunched(offering)));
  },
  'launches an instance that holds the requests of the claim': async (cloud) => {
    const requests = { cpu: '2500m', memory: '3Gi', pods: '5' };
    const { instance } = await cloud.launch({ requests });
    assert.ok(fits(parseResourceList(requests), parseResourceList(instance.allocatable)));
  },
  'returns a capacity that is not smaller than what is allocatable': async (cloud) => {
    const { capacity, allocatable } = (await cloud.launch()).instance;
    for (const resource of ['cpu', 'memory', 'pods'])
      present(allocatable[resource], `allocatable ${resource}`);
    assert.ok(fits(parseResourceList(allocatable), parseResourceList(capacity)));
  },
  'returns the time of the launch': async (cloud) => {
    const before = cloud.now;
    const { createdAt } = (await cloud.launch()).instance;
    assert.ok(before <= createdAt && createdAt <= cloud.now, `${before} <= ${createdAt} <= ${cloud.now}`);
  },
  'returns an instance that is not terminating': async (cloud) => {
    assert.equal((await cloud.launch()).instance.isDeleting, false);
  },
  'launches one instance for each of several claims at the same time': async (cloud) => {
    const claims = [cloud.claim(), cloud.claim(), cloud.claim()];
    const instances = await cloud.settle(Promise.all(claims.map((claim) => cloud.provider.create(claim))));
    assert.equal(new Set(instances.map(({ providerId }) => providerId)).size, claims.length);
  },
});

const failed = area('create', {
  'rejects with insufficient-capacity when no offering is available': async (cloud) => {
    await cloud.subject.runOutOfCapacity();
    await rejected(cloud.create(cloud.claim()), 'insufficient-capacity');
    assert.deepEqual(await cloud.list(), []);
  },
  'rejects with insufficient-capacity when no instance type satisfies the requirements': async (cloud) => {
    const requirements = [only(labelKeys.instanceType, 'no-such-type')];
    await rejected(cloud.create(cloud.claim({ requirements })), 'insufficient-capacity');
    assert.deepEqual(await cloud.list(), []);
  },
  'launches nothing without a NodeClass': async (cloud) => {
    cloud.subject.removeNodeClass();
    // On both errors the controller deletes the claim. Karpenter's provider for AWS reports a missing class as
    // insufficient capacity.
    await rejected(cloud.create(cloud.claim()), 'node-class-not-ready', 'insufficient-capacity');
    assert.deepEqual(await cloud.list(), []);
  },
});

export const createCases = [...launched, ...failed];
