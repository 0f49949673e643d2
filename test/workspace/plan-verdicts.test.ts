import { scenarioSimulation } from '@karpenter/cli';
import { type Plan, plan } from '@karpenter/core/scheduling';
import type { JsonObject } from '@karpenter/core/schema';
import { describe, expect, it } from 'vitest';
import { recordedLines } from '../recordings/recording.ts';

/** A small random cluster and what Karpenter 1.14.1 decided for it. */
interface Verdict {
  readonly name: string;
  readonly scenario: JsonObject;
  readonly expected: {
    readonly failedByGroup: Readonly<Record<string, number>>;
    readonly lowestHourlyPrice: number;
    readonly messageByGroup: Readonly<Record<string, string>>;
  };
}

const verdicts = recordedLines<Verdict>('bench/verdicts.jsonl', 'KARPENTER_PLAN_VERDICTS');

/** Clusters in which other pods find a place, and why; ADR 0008 has the reasons at length. */
const otherPods: Readonly<Record<string, string>> = {
  'v-16': 'one pod more finds a host with companions',
  'v-19': 'Karpenter joins pods to nodes of a lighter pool, which then bear on the zones that are left',
  'v-83': 'two pods more find a host with companions',
  'v-91': 'two pods more find an architecture, which Karpenter had narrowed by the way it filled nodes',
  'v-142': 'the recording tried the pools in the order of the file, not by weight',
  'v-161': 'the recording tried the pools in the order of the file, not by weight',
};

function planned({ name, scenario }: Verdict): Plan {
  const { snapshot, options } = scenarioSimulation(
    scenario,
    { file: name, document: 1 },
    { policies: {}, now: 0 },
  );
  return plan(snapshot, options);
}

const groupOf = (uid: string) => uid.split('-')[1] ?? '';

function failedByGroup({ rejections }: Plan): Record<string, number> {
  const failed: Record<string, number> = {};
  for (const { pod } of rejections) failed[groupOf(pod)] = (failed[groupOf(pod)] ?? 0) + 1;
  return failed;
}

describe.skipIf(verdicts.length === 0)('on recorded clusters', () => {
  it.each(verdicts.filter(({ name }) => !(name in otherPods)))(
    '$name places the pods that Karpenter places',
    (verdict) => {
      expect(failedByGroup(planned(verdict))).toEqual(verdict.expected.failedByGroup);
    },
  );

  it.each(verdicts.filter(({ name }) => name in otherPods))('$name differs for a known reason', (verdict) => {
    expect(failedByGroup(planned(verdict))).not.toEqual(verdict.expected.failedByGroup);
  });
});
