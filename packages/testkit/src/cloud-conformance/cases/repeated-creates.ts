import assert from 'node:assert/strict';
import { launchedClaim } from '@karpenter/core/lifecycle';
import { area } from '../conformance-case.ts';
import { annotated } from '../tested-cloud.ts';

const creates = area('repeated create', {
  'returns the same instance to the next process': async (cloud) => {
    const claim = cloud.claim();
    const first = await cloud.create(claim);
    const next = await cloud.restart(claim);
    const second = await cloud.create(claim, next);
    assert.equal(second.providerId, first.providerId);
    assert.equal((await cloud.list(next)).length, 1);
  },
  'returns each of several claims its own instance in the next process': async (cloud) => {
    const claims = [cloud.claim(), cloud.claim(), cloud.claim()];
    const launch = (provider = cloud.provider) =>
      cloud.settle(Promise.all(claims.map((claim) => provider.create(claim))));
    const first = await launch();
    const second = await launch(await cloud.restart(...claims));
    const ids = (instances: typeof first) => instances.map(({ providerId }) => providerId).sort();
    // Claims of equal requirements may swap instances, which no process has recorded yet.
    assert.deepEqual(ids(second), ids(first));
  },
  'gives a new claim of the next process an instance of its own': async (cloud) => {
    const claim = cloud.claim();
    const first = await cloud.create(claim);
    const next = await cloud.restart(launchedClaim(claim, first));
    const second = await cloud.create(cloud.claim(), next);
    assert.notEqual(second.providerId, first.providerId);
  },
});

const annotations = area('launch annotations', {
  'are empty once the claim has them': async (cloud) => {
    const claim = cloud.claimWithoutAnnotations();
    const stored = annotated(claim, cloud.provider.launchAnnotations?.(claim) ?? {});
    assert.deepEqual(cloud.provider.launchAnnotations?.(stored) ?? {}, {});
  },
  'are empty for the next process too': async (cloud) => {
    const stored = cloud.claim();
    const next = await cloud.restart(stored);
    assert.deepEqual(next.launchAnnotations?.(stored) ?? {}, {});
  },
});

export const repeatedCreateCases = [...creates, ...annotations];
