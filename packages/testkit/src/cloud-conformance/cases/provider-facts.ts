import assert from 'node:assert/strict';
import type { NodeClaim } from '@karpenter/core/api';
import type { RegistrationHook } from '@karpenter/core/ports';
import { area } from '../conformance-case.ts';
import type { TestedCloud } from '../tested-cloud.ts';

const maxCalls = 20;

/** Calls the hook as registration does. */
async function assertEnds(cloud: TestedCloud, hook: RegistrationHook, claim: NodeClaim): Promise<void> {
  for (let calls = 0; calls < maxCalls; calls += 1) {
    const outcome = await cloud.settle(hook.registered(claim));
    if (outcome.done) return;
    assert.ok(outcome.requeueAfter > 0);
    await cloud.subject.clock.advance(outcome.requeueAfter);
  }
  assert.fail(`${hook.name} is done after ${maxCalls} calls`);
}

export const providerFactCases = area('provider', {
  'has a name that fits a metric label': async ({ provider }) => {
    assert.match(provider.name, /^[a-z][a-z0-9-]*$/);
  },
  'has at least one kind of NodeClass, with all fields': async ({ provider }) => {
    assert.ok(provider.nodeClasses.length > 0);
    for (const { group, version, kind, plural } of provider.nodeClasses) {
      assert.match(group, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
      assert.match(version, /^v\d+((alpha|beta)\d+)?$/);
      assert.match(kind, /^[A-Z]\w+$/);
      assert.match(plural, /^[a-z][a-z0-9]+$/);
    }
  },
  'has a kind for the NodeClass of the pool': async ({ provider, subject }) => {
    const { group, kind } = subject.nodePool.spec.template.spec.nodeClassRef;
    assert.ok(provider.nodeClasses.some((each) => each.group === group && each.kind === kind));
  },
  'has one repair policy for each condition and status, with a toleration': async ({ provider }) => {
    const { repairPolicies } = provider;
    const keys = repairPolicies.map((each) => `${each.conditionType}=${each.conditionStatus}`);
    assert.equal(new Set(keys).size, keys.length);
    for (const { conditionType, conditionStatus, toleration } of repairPolicies) {
      assert.match(conditionType, /^[A-Z]\w+$/);
      assert.match(conditionStatus, /^(True|False|Unknown)$/);
      assert.ok(toleration > 0);
    }
  },
  'has registration hooks that end for a launched instance': async (cloud) => {
    const { registrationHooks } = cloud.provider;
    assert.equal(new Set(registrationHooks.map(({ name }) => name)).size, registrationHooks.length);
    const { claim } = await cloud.launch();
    for (const hook of registrationHooks) await assertEnds(cloud, hook, claim);
  },
});
