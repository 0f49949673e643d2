import assert from 'node:assert/strict';
import { isInstanceNotFound } from '@karpenter/core/ports';
import { area } from '../conformance-case.ts';

export const driftCases = area('drift', {
  'is absent while the NodeClass is unchanged': async (cloud) => {
    const { claim } = await cloud.launch();
    assert.equal(await cloud.driftReason(claim), undefined);
  },
  'has a reason when the NodeClass has changed': async (cloud) => {
    const { claim } = await cloud.launch();
    await cloud.subject.changeNodeClass();
    const reason = await cloud.driftReason(claim);
    assert.ok(reason !== undefined && /^\w+$/.test(reason), `a word, not ${reason}`);
  },
  'is absent for an instance launched after the change': async (cloud) => {
    await cloud.subject.changeNodeClass();
    const { claim } = await cloud.launch();
    assert.equal(await cloud.driftReason(claim), undefined);
  },
  'is the same in the next process': async (cloud) => {
    const { claim: drifted } = await cloud.launch();
    await cloud.subject.changeNodeClass();
    const { claim: fresh } = await cloud.launch();
    const next = await cloud.restart(drifted, fresh);
    assert.equal(await cloud.settle(next.driftReason(drifted)), await cloud.driftReason(drifted));
    assert.equal(await cloud.settle(next.driftReason(fresh)), undefined);
  },
  'of an instance that is gone is absent, or rejects with instance-not-found': async (cloud) => {
    const { claim } = await cloud.launch();
    await cloud.deleteUntilGone(claim);
    const outcome = await cloud.driftReason(claim).catch((error: unknown) => error);
    // A provider that compares only what the claim records needs no instance.
    assert.ok(outcome === undefined || isInstanceNotFound(outcome), String(outcome));
  },
});
