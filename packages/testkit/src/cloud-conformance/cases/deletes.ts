import assert from 'node:assert/strict';
import { area } from '../conformance-case.ts';
import { present, unknownProviderId, withProviderId } from '../tested-cloud.ts';

export const deleteCases = area('delete', {
  'returns gone only when the instance no longer exists': async (cloud) => {
    const { claim, instance } = await cloud.launch();
    const first = await cloud.delete(claim);
    assert.equal(first === 'gone', (await cloud.listed(instance.providerId)) === undefined);
    await cloud.deleteUntilGone(claim);
    assert.equal(await cloud.listed(instance.providerId), undefined);
  },
  'returns gone for an instance that is gone already': async (cloud) => {
    const { claim } = await cloud.launch();
    await cloud.deleteUntilGone(claim);
    assert.equal(await cloud.delete(claim), 'gone');
  },
  'returns gone for an instance that never existed': async (cloud) => {
    const { claim, instance } = await cloud.launch();
    assert.equal(await cloud.delete(withProviderId(claim, unknownProviderId(instance))), 'gone');
  },
  'leaves other instances running, however often it is repeated': async (cloud) => {
    const { claim } = await cloud.launch();
    const { instance: other } = await cloud.launch();
    await cloud.deleteUntilGone(claim);
    await cloud.delete(claim);
    const found = present(await cloud.listed(other.providerId), 'the other instance');
    assert.equal(found.isDeleting, false);
  },
  'leaves a terminating instance in the list, with isDeleting': async (cloud) => {
    const { claim, instance } = await cloud.launch();
    // A cloud without a terminating state has nothing to show.
    if ((await cloud.delete(claim)) === 'gone') return;
    const found = present(await cloud.listed(instance.providerId), 'the terminating instance');
    assert.equal(found.isDeleting, true);
  },
  'lets get return a terminating instance, with isDeleting': async (cloud) => {
    const { claim, instance } = await cloud.launch();
    if ((await cloud.delete(claim)) === 'gone') return;
    const found = present(await cloud.get(instance.providerId), 'the terminating instance');
    assert.equal(found.isDeleting, true);
  },
  'ends an instance that an earlier process launched': async (cloud) => {
    const { claim, instance } = await cloud.launch();
    const next = await cloud.restart(claim);
    const answer = await cloud.settle(next.delete(claim));
    const found = (await cloud.list(next)).find(({ providerId }) => providerId === instance.providerId);
    assert.equal(found?.isDeleting, answer === 'gone' ? undefined : true);
  },
});
