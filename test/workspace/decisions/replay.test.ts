import { gunzipSync } from 'node:zlib';
import { replayFile } from '@karpenter/cli';
import type { Decision, DecisionLog } from '@karpenter/core/decisions';
import { rounds, seeds } from '@karpenter/testkit/rounds';
import { afterEach, describe, expect, it } from 'vitest';
import { type RandomRun, startRandomRun } from './random-run.ts';

let run: RandomRun | undefined;
afterEach(async () => {
  await run?.stop();
  run = undefined;
});

const replayable = (log: DecisionLog) => log.list().filter(({ isReplayable }) => isReplayable);

async function replayed({ id }: Decision, log: DecisionLog) {
  const text = gunzipSync((await log.cluster(id)) ?? '').toString();
  return replayFile({ name: `${id}.json.gz`, text });
}

describe('decisions of a random run', () => {
  it('replay to the same plans and commands', async () => {
    const wanted = rounds({ quick: 5, full: 30 });
    run = await startRandomRun(seeds({ quick: 1, full: 1 })[0] ?? 1);
    const { log } = run;
    const hasAllKinds = () =>
      ['plan', 'disruption'].every((kind) => replayable(log).some((each) => each.kind === kind));
    for (let step = 0; step < 500 && (replayable(log).length < wanted || !hasAllKinds()); step += 1)
      await run.step();
    const all = replayable(log);
    expect(all.length).toBeGreaterThanOrEqual(wanted);
    for (const decision of all) {
      const { differences } = await replayed(decision, log);
      expect({ decision, differences }).toEqual({ decision, differences: [] });
    }
  }, 3_600_000);
});
