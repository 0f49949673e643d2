import type { NodeClaim } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import { describe, expect, it } from 'vitest';
import { inSmallRegion } from '../crash/small-region.ts';
import { claimOf, ofType, onDemand, SimulatedAccount } from './simulated-account.ts';

const quiet = durationMs(5_000);

/** One leader, and another that starts to lead on demand; their NodeClasses may differ in tags. */
async function leaders(tags: Readonly<Record<string, string>> = {}) {
  const first = new SimulatedAccount({ network: inSmallRegion });
  await first.start();
  await first.addPool('general');
  const next = async () => {
    const second = new SimulatedAccount({ after: first, network: inSmallRegion });
    await second.start();
    second.sharePools(first, tags);
    return second;
  };
  const instances = () => [...first.cloud.world.instances.values()].map(({ id }) => id);
  return { first, next, instances };
}

function claimAt(at: number, name: string): NodeClaim {
  const claim = claimOf(name, 'general', [onDemand, ofType('m5.large')]);
  const creationTimestamp = new Date(at).toISOString();
  return { ...claim, metadata: { ...claim.metadata, uid: `uid-${name}`, creationTimestamp } };
}

const idOf = ({ providerId }: { readonly providerId: string }) => providerId.split('/').at(-1);

describe('two leaders that launch for the same claim', () => {
  it('get the same instance, although the second cannot see it', async () => {
    const { first, next, instances } = await leaders();
    const second = await next();
    second.provider.takeOver(quiet);
    first.cloud.faults.set({ consistency: { describe: 600_000, profile: 0 } });
    const claim = first.recorded(claimAt(first.clock.now() + 1_000, 'a'));
    const launched = [await first.create(claim), await second.create(claim)];
    expect(new Set(launched.map(idOf)).size).toBe(1);
    expect(instances()).toHaveLength(1);
  });

  it('get the same instance, although their requests differ', async () => {
    const { first, next, instances } = await leaders({ team: 'b' });
    const second = await next();
    second.provider.takeOver(quiet);
    const claim = first.recorded(claimAt(first.clock.now() + 1_000, 'a'));
    await first.clock.advance(2_000);
    const launched = [await first.create(claim), await second.create(claim)];
    expect(new Set(launched.map(idOf)).size).toBe(1);
    expect(instances()).toHaveLength(1);
  });

  it('get another instance with the next token, if none of the first request is left', async () => {
    const { first, next } = await leaders({ team: 'b' });
    const second = await next();
    second.provider.takeOver(quiet);
    const claim = first.recorded(claimAt(first.clock.now() + 1_000, 'a'));
    await first.clock.advance(2_000);
    const gone = idOf(await first.create(claim));
    first.cloud.terminate(gone ?? '');
    const instance = await second.create(claim);
    expect(idOf(instance)).not.toBe(gone);
  });

  it('give no instance to two NodeClaims, although one adopts what was launched for the other', async () => {
    const { first, next } = await leaders();
    const claims = ['a', 'b'].map((name) => first.recorded(claimAt(first.clock.now(), name)));
    const [a, b] = claims;
    if (a === undefined || b === undefined) throw new Error('there are two claims');
    await first.clock.advance(2_000);
    const started = idOf(await first.create(a));
    const second = await next();
    for (const claim of claims) second.nodeClaims.set(claim);
    await first.clock.advance(15_000);
    second.provider.takeOver(quiet);
    expect(idOf(await second.create(b))).toBe(started);
    expect(idOf(await second.create(a))).not.toBe(started);
  });
});
