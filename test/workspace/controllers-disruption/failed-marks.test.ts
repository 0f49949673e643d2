import { nodeClaims } from '@karpenter/controllers';
import { durationMs } from '@karpenter/core/values';
import { ConnectionError, kinds } from '@karpenter/kube/client';
import type { Singleton } from '@karpenter/kube/runtime';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../controllers/objects.ts';
import { loopOf, runLoop } from './disruption-loop.ts';
import { createNode, poolOf, types } from './nodes.ts';

let world: ControllerWorld;
let loop: Singleton;

beforeEach(async () => {
  world = await startControllerWorld({ types });
  loop = loopOf(world);
});

afterEach(() => world.stop());

/** Writes of this NodeClaim take effect, but their answers get lost. */
function loseAnswers(claim: string): { end(): void } {
  const { client } = world;
  const patch = client.patch.bind(client);
  let isLosing = true;
  client.patch = async (...args) => {
    const answer = await patch(...args);
    if (isLosing && args[0].kind === 'NodeClaim' && args[1].name === claim)
      throw new ConnectionError('hear the answer', 'connection reset');
    return answer;
  };
  return {
    end() {
      isLosing = false;
    },
  };
}

async function markedNodes(): Promise<readonly string[]> {
  const [nodes, claims] = await Promise.all([world.client.list(kinds.node), world.client.list(nodeClaims)]);
  const tainted = nodes.items.filter(({ spec }) =>
    spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted'),
  );
  const reasoned = claims.items.filter(({ status }) =>
    status?.conditions?.some(({ type }) => type === 'DisruptionReason'),
  );
  const names = [
    ...tainted.map(({ metadata }) => metadata?.name ?? ''),
    ...reasoned.map(({ status }) => status?.nodeName ?? ''),
  ];
  return [...new Set(names)].sort();
}

describe('a node whose marks may have been written although the write failed', () => {
  it('loses them before another node takes its place in the budget', async () => {
    await createPool(world, poolOf('default', { disruption: { budgets: [{ nodes: '2' }] } }));
    for (const name of ['a', 'b', 'c']) await createNode(world, name);
    const lost = loseAnswers('claim-b');
    await runLoop(world, loop);
    await world.clock.advance(durationMs(15_000));
    await runLoop(world, loop).catch(() => undefined);
    lost.end();
    const seen = [await markedNodes()];
    for (let passes = 0; passes < 10; passes += 1) {
      await world.clock.advance(durationMs(4_000));
      await runLoop(world, loop).catch(() => undefined);
      seen.push(await markedNodes());
    }
    expect(seen.filter((marked) => marked.length > 2)).toEqual([]);
    expect(seen.at(-1)).toEqual(['a', 'c']);
  });
});
